/** "1204" or "1,204": commas stand between thousands alone, so that "1,5" is never fifteen. */
const WHOLE = /^(?:\d+|\d{1,3}(?:,\d{3})+)$/;
const DECIMAL = /^(?:\d+|\d{1,3}(?:,\d{3})+)?(?:\.\d+)?$/;

const numberIn = (typed: string, pattern: RegExp): number | null => {
  const text = typed.trim();
  return /\d/.test(text) && pattern.test(text) ? Number(text.replaceAll(",", "")) : null;
};

/** Whole shares as people type them; null where it is no such number. */
export const wholeNumberIn = (typed: string) => numberIn(typed, WHOLE);

/** A price as people type it, such as "1,101.50"; null where it is no such number. */
export const priceIn = (typed: string) => numberIn(typed, DECIMAL);
