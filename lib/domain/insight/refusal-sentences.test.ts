import { describe, expect, it } from "vitest";
import { storyOfExample } from "@/lib/proof/fixtures/insight.ts";
import { exampleAccount, exampleMarket, examplePosition } from "@/lib/proof/example-market.ts";
import type { CandidateVerdict } from "../engine/plan.ts";
import { decisionStorySentences, symbolStorySentences } from "./refusal-sentences.ts";
import type { Sentence } from "./sentence-parts.ts";
import { closestToBuying } from "./what-is-missing.ts";

const words = (sentences: Sentence[] | null) =>
  sentences?.map(({ parts }) => parts.map(({ text }) => text).join("")) ?? null;

const FALLING = storyOfExample({}, { regime: { ...exampleMarket([], []).regime, label: "risk_off", vix: 37.3 } });
const LOOKED =
  "On Mon 3 Feb 2020 10:05 ET Tradewind looked at 503 stocks: 4 were in the Top-50, and 3 gave a reason to buy.";

describe("a decision in words", () => {
  it("that bought says what, at which price and why, and cites each trade", () => {
    const story = storyOfExample();
    expect(words(decisionStorySentences(story))).toEqual([
      LOOKED,
      "The market counted as calm and rising, with the VIX at 13.00.",
      "It decided to buy 19 AAA with the price at $100.00: momentum entry.",
      "It decided to buy 19 BBB with the price at $100.00: momentum entry.",
      "It decided to buy 19 CCC with the price at $100.00: momentum entry.",
    ]);
    expect(
      decisionStorySentences(story)
        .at(-1)
        ?.cites.map(({ href }) => href),
    ).toEqual(["/trade-history/t-CCC", "/decisions/d-1"]);
  });

  it("that bought nothing says what the stocks waited for", () => {
    expect(words(decisionStorySentences(FALLING))).toEqual([
      LOOKED,
      "The market counted as falling or nervous, with the VIX at 37.30.",
      "It ordered nothing.",
      "3 stocks with a reason to buy waited for a calmer market: AAA, BBB and CCC.",
    ]);
  });

  it("says of several stocks what they wait for as theirs, and of one as its own", () => {
    const sold = (...soldByHand: string[]) => words(decisionStorySentences(storyOfExample({ soldByHand })));
    expect(sold("AAA", "BBB")).toContain(
      "2 stocks with a reason to buy waited for their rest after a sale or a refused order to end: AAA and BBB.",
    );
    expect(sold("AAA")).toContain(
      "1 stock with a reason to buy waited for its rest after a sale or a refused order to end: AAA.",
    );
  });

  it("on a closed market names what was nearest, and nothing that is held already", () => {
    const session = { ...exampleMarket([], []).session, isOpen: false };
    const closed = storyOfExample({ positions: [examplePosition("AAA", {})] }, { session });
    expect(words(decisionStorySentences(closed))?.slice(3)).toEqual([
      "3 stocks with a reason to buy waited for the market's trading hours: AAA, BBB and CCC.",
      "One rule kept BBB from being bought; it needs an open market.",
      "One rule kept CCC from being bought; it needs an open market.",
    ]);
  });

  it("names the stocks that the page lists as closest to buying, in its order", () => {
    const refused = (symbol: string, failing: CandidateVerdict["failing"]) => ({
      ...FALLING.candidates[0]!,
      symbol,
      failing,
      nearestFlip: "needs a calmer market",
    });
    const candidates = [
      refused("HELD", ["regime", "duplicate"]),
      refused("BBB", ["max_positions", "gross"]),
      refused("CCC", ["conviction", "size"]),
    ];
    const named = words(decisionStorySentences({ ...FALLING, candidates }))?.flatMap(
      (text) => /kept (\w+) from being bought/.exec(text)?.[1] ?? [],
    );
    expect(named).toEqual(closestToBuying(candidates));
    expect(named).toEqual(["CCC", "BBB"]);
  });

  it.each([
    [1, 1, "looked at 9 stocks: 1 was in the Top-50, and 1 gave a reason to buy."],
    [2, 0, "looked at 9 stocks: 2 were in the Top-50, and 0 gave a reason to buy."],
  ])("a decision of %i seats and %i signals is told in their number", (seats, signals, told) => {
    const line = `10:05: 9 screened, ${seats} seated, ${signals} signals, 0 orders`;
    expect(words(decisionStorySentences({ ...storyOfExample(), line }))?.[0]).toContain(told);
  });

  it("quotes why the automation was off", () => {
    const off = storyOfExample({ automationOff: "paused by you", preferences: exampleAccount().preferences });
    expect(words(decisionStorySentences(off))).toContain("The automation was off. Reason: paused by you.");
  });
});

describe("one stock of a decision", () => {
  it.each([
    [
      "AAA",
      FALLING,
      [
        "AAA waited for a calmer market: the state of the market (its regime) has to allow purchases with this strategy (risk off).",
      ],
    ],
    ["DDD", FALLING, ["DDD gave no reason to buy: momentum percentile 10.0 is below 80.0."]],
    [
      "DDD",
      { ...FALLING, candidates: FALLING.candidates.map((each) => ({ ...each, noSignal: "ADX14 18.0 is below 20.0" })) },
      ["DDD gave no reason to buy: ADX14 18.0 is below 20.0."],
    ],
    ["BBB", storyOfExample(), ["It decided to buy 19 BBB with the price at $100.00: momentum entry."]],
    ["ZZZ", FALLING, null],
  ])("%s", (symbol, story, told) => expect(words(symbolStorySentences(story, symbol))).toEqual(told));
});
