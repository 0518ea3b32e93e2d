/** How much a list asks for at first: known to its screen and to the document that brings the answer (_prefetch/pages.ts). */
export const PAGE_ROWS = {
  trades: 50,
  decisions: 100,
  backtests: 50,
  logLines: 200,
  userHealth: 10,
  notifications: 50,
} as const;
