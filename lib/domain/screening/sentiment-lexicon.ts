/** Valences of words in financial headlines, −4 … 4, after the themes of Loughran & McDonald (2011). Stems; endings are tried by the reader. */
const POSITIVE: Record<number, string> = {
  1: "approve approval award buy expand expansion hire launch new optimistic partner partnership recover rebound resume steady support win contract dividend reinstate optimism",
  1.8: "accelerate beat boost climb exceed gain grow growth improve increase jump momentum outpace positive profit profitable rally rise rose strong strength top upbeat higher healthy robust raise bullish confident advance",
  2.6: "outperform record rocket skyrocket soar spike stellar surge upgrade breakthrough blockbuster outstanding best excellent",
};
const NEGATIVE: Record<number, string> = {
  1: "caution cautious concern delay doubt halt investigate layoff pressure pause question risk slow slowdown slower uncertain uncertainty volatile worry worries warn-off cost-cutting suspend",
  1.8: "bearish cut decline decrease disappoint disappointing down drop fall fell lower lose loss losses miss negative probe recall reduce sell-off selloff shortfall sink slide slip slump struggle tumble underperform warn warning weak weaker weakness weaken worse lawsuit sue fine penalty downbeat shrink layoffs fear",
  2.6: "crash collapse crisis default downgrade fraud bankrupt bankruptcy plummet plunge scandal subpoena breach worst delist insolvency restate restatement catastrophe",
};

function entries(table: Record<number, string>, sign: 1 | -1): [string, number][] {
  return Object.entries(table).flatMap(([valence, words]) =>
    words.split(" ").map((word): [string, number] => [word, sign * Number(valence)]),
  );
}

export const LEXICON: ReadonlyMap<string, number> = new Map([...entries(POSITIVE, 1), ...entries(NEGATIVE, -1)]);

export const NEGATIONS: ReadonlySet<string> = new Set([
  "not",
  "no",
  "never",
  "without",
  "fails",
  "failed",
  "fail",
  "isn't",
  "won't",
  "doesn't",
  "didn't",
  "don't",
  "can't",
  "cannot",
  "hardly",
  "avoids",
  "avoid",
]);

/** Added to the strength of the next word, in its direction. */
export const BOOSTERS: ReadonlyMap<string, number> = new Map([
  ["very", 0.6],
  ["sharply", 0.8],
  ["strongly", 0.6],
  ["massive", 0.8],
  ["huge", 0.8],
  ["significantly", 0.6],
  ["steeply", 0.8],
  ["slightly", -0.5],
  ["somewhat", -0.4],
  ["modestly", -0.4],
  ["marginally", -0.6],
]);
