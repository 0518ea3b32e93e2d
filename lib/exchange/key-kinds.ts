/** How keys begin: at Alpaca those of paper and of live accounts, and those of the practice market. */
export const PAPER_KEYS = "PK";
export const LIVE_KEYS = "AK";
export const PRACTICE_KEYS = "TP";
