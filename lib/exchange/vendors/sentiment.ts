const GOOD = new Set(
  `jump jumps surge surges rally rallies beat beats gain gains climb climbs win wins raise raises approval buyback soar soars
  rise rises up record upgrade upgraded strong growth profit top tops outperforms rebound rebounds`.split(/\s+/),
);
const BAD = new Set(
  `slide slides tumble tumbles drop drops miss misses fall falls decline declines cut cuts lose loses recall recalls
  investigation plunge plunges sink sinks down downgrade downgraded weak loss lawsuit warn warns warning bankruptcy fraud halts
  slump slumps`.split(/\s+/),
);

/** How good a text sounds, from -1 to 1: the balance of its good and bad words, pulled towards 0 when there are few. */
export function scoreText(text: string): number {
  let good = 0;
  let bad = 0;
  for (const word of text.toLowerCase().match(/[a-z]+/g) ?? []) {
    if (GOOD.has(word)) good += 1;
    if (BAD.has(word)) bad += 1;
  }
  return Math.round(((good - bad) / (good + bad + 1)) * 100) / 100;
}

export function labelOf(score: number): "positive" | "negative" | "neutral" {
  if (Math.abs(score) < 0.15) return "neutral";
  return score > 0 ? "positive" : "negative";
}
