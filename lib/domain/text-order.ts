/** Compares two texts by their code units, for `sort`: the same everywhere, whatever language a machine is set to. */
export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
