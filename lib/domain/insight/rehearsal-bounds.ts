/** What a rehearsal may suppose. A VIX close has been between 9 and 83; beyond half a market it is no longer a market day. */
export const REHEARSAL_BOUNDS = { vix: { min: 5, max: 150 }, changePct: { min: -50, max: 50 } } as const;
