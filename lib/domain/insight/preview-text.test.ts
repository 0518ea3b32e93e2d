import { expect, it } from "vitest";
import { previewBasis, previewSentence, type TriedSettings } from "./preview-text.ts";

const tried = (change: Partial<TriedSettings> = {}): TriedSettings => ({
  sessions: 20,
  from: "2020-01-27",
  to: "2020-02-24",
  draft: { pnl: -212.4, totalReturn: -0.002124, purchases: 14 },
  saved: { pnl: -331.2, totalReturn: -0.0033, purchases: 22 },
  ...change,
});
const LIMITS = "A test on the past, on whole-day data, starting in cash: it promises nothing.";

it.each<[string, TriedSettings, string]>([
  [
    "both lose",
    tried(),
    "With these settings the last 20 sessions (27 Jan – 24 Feb 2020) would have made -$212.40 (-0.21%) with 14 purchases; with your saved settings -$331.20 with 22.",
  ],
  [
    "a gain with one purchase, beside saved settings that bought nothing",
    tried({
      draft: { pnl: 1_234.5, totalReturn: 0.012345, purchases: 1 },
      saved: { pnl: 0, totalReturn: 0, purchases: 0 },
    }),
    "With these settings the last 20 sessions (27 Jan – 24 Feb 2020) would have made +$1,234.50 (+1.23%) with 1 purchase; with your saved settings $0.00 with none.",
  ],
  [
    "nothing bought",
    tried({ draft: { pnl: 0, totalReturn: 0, purchases: 0 } }),
    "With these settings the last 20 sessions (27 Jan – 24 Feb 2020) would have made $0.00 (0.00%) with no purchases; with your saved settings -$331.20 with 22.",
  ],
  [
    "the saved settings themselves, over the turn of a year",
    tried({ saved: null, sessions: 12, from: "2019-12-20", to: "2020-01-08" }),
    "With these settings, which are your saved ones, the last 12 sessions (20 Dec 2019 – 8 Jan 2020) would have made -$212.40 (-0.21%) with 14 purchases.",
  ],
  [
    "a market with one session",
    tried({ saved: null, sessions: 1, from: "2020-02-24", to: "2020-02-24" }),
    "With these settings, which are your saved ones, the last session (24 Feb 2020) would have made -$212.40 (-0.21%) with 14 purchases.",
  ],
])("tried settings: %s", (_, given, sentence) => {
  expect(previewSentence(given)).toBe(`${sentence} ${LIMITS}`);
});

it("says whose money a try begins with, and that an example is one", () => {
  expect(previewBasis(98_000, "your practice account")).toBe(
    "It starts with $98,000.00, the equity of your practice account.",
  );
  expect(previewBasis(100_000, null)).toBe(
    "It starts with $100,000.00 as an example: none of your accounts has money yet.",
  );
});
