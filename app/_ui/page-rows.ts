/** How much a list asks for at first: known to its screen and to who asks ahead of it (first-calls.ts). */
export const PAGE_ROWS = {
  trades: 50,
  decisions: 100,
  backtests: 50,
  logLines: 200,
  userHealth: 10,
  notifications: 50,
} as const;
