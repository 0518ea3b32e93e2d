import { describe, expect, it } from "vitest";
import { runGatesOfExample } from "@/lib/proof/fixtures/insight.ts";
import { EXIT_REASONS } from "../engine/reasons.ts";
import { GATE_CODES } from "../gates/gates.ts";
import { type TradeStory, tradeSentences } from "./trade-sentences.ts";

const ENTRY: TradeStory = {
  tradeId: "t-1",
  symbol: "HD",
  side: "BUY",
  origin: "OURS",
  role: "ENTRY",
  reason: "entry_momentum",
  qty: "29",
  filledQty: "29",
  filledAvgPrice: "199.78",
  filledValue: "5793.62",
  endedAs: null,
  at: "2020-02-18T15:05:00.000Z",
  intent: {
    strategy: "MOMENTUM",
    decisionPrice: "199.7",
    stopPrice: "189.71",
    targetPrice: "219.67",
    gates: runGatesOfExample(),
  },
  decision: {
    id: "d-1",
    at: "2020-02-18T15:05:00.000Z",
    regime: "risk_on",
    rank: 3,
    composite: 81.24,
    confidence: 0.873,
  },
  isOfRotation: false,
  slippageBps: 4.006,
  stopRaisedTo: null,
  closed: null,
};
const EXIT: TradeStory = {
  ...ENTRY,
  side: "SELL",
  role: "EXIT",
  reason: "protective_stop",
  intent: null,
  decision: null,
  slippageBps: null,
  stopRaisedTo: null,
  closed: { pnl: "-29.24", entryValue: "2924" },
};

const told = (change: Partial<TradeStory>, of = ENTRY) =>
  tradeSentences({ ...of, ...change }).map(({ parts }) => parts.map(({ text }) => text).join(""));

describe("why this trade", () => {
  it("an entry: what was bought, on what, by which rules, and what protects it", () => {
    expect(told({})).toEqual([
      "Bought 29 shares of HD at $199.78 on Tue 18 Feb 2020 10:05 ET.",
      "The Momentum strategy found a reason to buy while the market was calm and rising.",
      "HD was number 3 of the Top-50 at 10:05 ET, with 81.2 points and a score of 87.3 of 100.",
      `It passed ${GATE_CODES.length} of ${GATE_CODES.length} rules before it was sent.`,
      "It filled 0.04% worse than the price that it was decided on, $199.70.",
      "It was sent with a stop at $189.71 and a target at $219.67.",
    ]);
  });

  it.each<[string, Partial<TradeStory>, string]>([
    ["a raised stop", { stopRaisedTo: "201.5" }, "Its stop was raised to $201.50."],
    [
      "a better price",
      { slippageBps: -1.26 },
      "It filled 0.01% better than the price that it was decided on, $199.70.",
    ],
    ["the very price", { slippageBps: 0.01 }, "It filled at the price that it was decided on, $199.70."],
    ["a part", { filledQty: "10" }, "Bought 10 shares of HD of the 29 ordered at $199.78 on Tue 18 Feb 2020 10:05 ET."],
    ["one share", { qty: "1", filledQty: "1" }, "Bought 1 share of HD at $199.78 on Tue 18 Feb 2020 10:05 ET."],
    [
      "nothing yet",
      { filledQty: "0", filledAvgPrice: null },
      "The order of Tue 18 Feb 2020 10:05 ET to buy 29 shares of HD has not filled yet.",
    ],
    [
      "a rejection",
      { filledQty: "0", filledAvgPrice: null, endedAs: "REJECTED" },
      "The order of Tue 18 Feb 2020 10:05 ET to buy 29 shares of HD was rejected by the broker before anything filled.",
    ],
    [
      "a stranger's order",
      { origin: "EXTERNAL" },
      "It was placed at the broker outside of Tradewind: nothing here decided it.",
    ],
    ["a rotation's leg", { isOfRotation: true }, "It is a leg of a rotation plan."],
    ["no reason", { reason: null }, "Recorded reason: no reason is recorded."],
  ])("says %s", (_, change, sentence) => expect(told(change)).toContain(sentence));

  it("an exit: why, and what the round trip came to", () => {
    expect(told({}, EXIT)).toEqual([
      "Sold 29 shares of HD at $199.78 on Tue 18 Feb 2020 10:05 ET.",
      "It was sold because the price reached its protective stop.",
      "The round trip in HD closed with -$29.24 (-1.00%) on $2,924.00 paid, before fees that the broker charges apart.",
    ]);
  });

  it.each(["BUY", "SELL"] as const)(
    "an exit that never filled is not told as done, whatever its reason: %s",
    (side) => {
      const done = side === "BUY" ? "bought" : "sold";
      let checked = 0;
      for (const endedAs of [null, "CANCELED", "REJECTED"] as const) {
        for (const reason of EXIT_REASONS) {
          const open = { side, reason, endedAs, filledQty: "0", filledAvgPrice: null, closed: null };
          const words = told(open, EXIT).join(" ");
          expect(words).not.toMatch(/^(Bought|Sold)|It was (bought|sold)/);
          if (words.includes("Recorded reason")) continue;
          checked += 1;
          expect(words).toContain(`It was to be ${done} because `);
        }
      }
      expect(checked).toBeGreaterThan(EXIT_REASONS.length);
      expect(told({ side, reason: "time_stop", filledQty: "10" }, EXIT)).toContain(
        `It was ${done} because it had been held for as long as the strategy holds a stock.`,
      );
    },
  );

  it.each([
    ["STOP", "protective_stop", "reaches its protective stop"],
    ["STOP", "trailing_stop", "falls back to its trailing stop"],
    ["TARGET", "profit_target", "reaches its profit target"],
  ] as const)("no price has reached a %s of %s that is not filled", (role, reason, waitsFor) => {
    const resting = { role, reason, filledQty: "0", filledAvgPrice: null, closed: null };
    expect(told(resting, EXIT)).toEqual([
      "The order of Tue 18 Feb 2020 10:05 ET to sell 29 shares of HD has not filled yet.",
      `It is to sell if the price ${waitsFor}.`,
    ]);
    expect(told({ ...resting, endedAs: "REPLACED" }, EXIT)).toEqual([
      "The order of Tue 18 Feb 2020 10:05 ET to sell 29 shares of HD was replaced at the broker before anything filled.",
      `It was to sell if the price ${waitsFor}.`,
    ]);
  });

  it("every sentence cites the trade or its decision", () => {
    for (const { cites } of [...tradeSentences(ENTRY), ...tradeSentences(EXIT)])
      expect(cites.map(({ href }) => href).join(" ")).toMatch(/\/(trade-history\/t-1|decisions\/d-1)/);
  });
});
