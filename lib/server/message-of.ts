/** What was thrown, in words: code of others throws what is no error, too. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
