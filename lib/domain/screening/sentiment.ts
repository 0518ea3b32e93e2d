import type { Policy } from "../policy.ts";
import { BOOSTERS, LEXICON, NEGATIONS } from "./sentiment-lexicon.ts";

const NORMALISER = 15;
const NEGATION_FACTOR = -0.74;
const NEGATION_WINDOW = 3;

/**
 * Tone of a headline, −1 … 1, by a finance lexicon in the manner of VADER (Hutto & Gilbert 2014): valences are added,
 * a booster before a word strengthens or weakens it, a negation up to three words before it turns it (× −0.74), and the
 * sum s becomes s/√(s² + 15). No known word is 0. Upper and lower case and punctuation do not matter.
 */
export function scoreHeadline(headline: string): number {
  const words =
    headline
      .toLowerCase()
      .replaceAll("’", "'")
      .match(/[a-z][a-z'-]*/g) ?? [];
  let total = 0;
  for (const [i, word] of words.entries()) {
    const valence = valenceOf(word);
    if (valence === 0) continue;
    let value = valence;
    const booster = BOOSTERS.get(words[i - 1] ?? "");
    if (booster !== undefined) value += Math.sign(value) * booster;
    const before = words.slice(Math.max(0, i - NEGATION_WINDOW), i);
    if (before.some((other) => NEGATIONS.has(other))) value *= NEGATION_FACTOR;
    total += value;
  }
  return total === 0 ? 0 : total / Math.sqrt(total * total + NORMALISER);
}

/** The word itself, else its stem without a common ending. */
function valenceOf(word: string): number {
  const known = LEXICON.get(word);
  if (known !== undefined) return known;
  for (const ending of ["s", "es", "ed", "d", "ing", "'s"]) {
    if (!word.endsWith(ending)) continue;
    const stem = word.slice(0, -ending.length);
    const value = LEXICON.get(stem) ?? (ending === "ing" ? LEXICON.get(`${stem}e`) : undefined);
    if (value !== undefined) return value;
  }
  return 0;
}

/**
 * Sentiment score by symbol, 0 … 100: 50 + 50·(n/(n + 3))·Σ s·w/Σ w over the items of 7 days, w = 0.5^(age/3 days).
 * Symbols without news are not in the map: they are neutral (50).
 */
export function sentimentScores(
  news: readonly { symbol: string; score: number; ageDays: number }[],
  policy: Policy,
): Map<string, number> {
  const { sentiment_window_days, sentiment_half_life_days, sentiment_shrink_items } = policy.selector_top50;
  const sums = new Map<string, { n: number; weighted: number; weight: number }>();
  // A fixed order of addition: the sum must not depend on the order of the items.
  const items = [...news].sort((a, b) => a.ageDays - b.ageDays || a.score - b.score);
  for (const { symbol, score, ageDays } of items) {
    if (!(ageDays >= 0 && ageDays <= sentiment_window_days) || !Number.isFinite(score)) continue;
    const weight = 0.5 ** (ageDays / sentiment_half_life_days);
    const sum = sums.get(symbol) ?? { n: 0, weighted: 0, weight: 0 };
    sum.n += 1;
    sum.weighted += weight * Math.min(1, Math.max(-1, score));
    sum.weight += weight;
    sums.set(symbol, sum);
  }
  const scores = new Map<string, number>();
  for (const [symbol, { n, weighted, weight }] of sums) {
    scores.set(symbol, 50 + 50 * (n / (n + sentiment_shrink_items)) * (weighted / weight));
  }
  return scores;
}
