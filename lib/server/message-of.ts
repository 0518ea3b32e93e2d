/** The message of anything thrown: third-party code also throws values that are no Error. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
