import { describe, expect, it } from "vitest";
import { exampleMarket } from "@/lib/proof/example-market.ts";
import type { Plan } from "../engine/plan.ts";
import { type RehearsalFacts, rehearsalSentences } from "./rehearsal-sentences.ts";

const { regime } = exampleMarket([], []);
const line = (tail: string, signals: number) => `12:20: 495 screened, 50 seated, ${signals} signals, 0 orders${tail}`;

/** What a rehearsal says that sends nothing. */
function told(change: Partial<RehearsalFacts>, planLine = line("", 0)): string[] {
  const plan: Pick<Plan, "orders" | "cancels" | "latch" | "line"> = {
    orders: [],
    cancels: [],
    latch: null,
    line: planLine,
  };
  return rehearsalSentences({
    decision: { id: "d1", at: "2018-02-06T17:20:00.000Z" },
    vix: null,
    spyChangePct: null,
    changePctOf: {},
    recorded: regime,
    supposed: regime,
    plan: plan as Plan,
    stopsReached: [],
    isUnaltered: false,
    isAsRecorded: false,
    engine: { recorded: "1.0.0", now: "1.1.0" },
    ...change,
  }).map(({ parts }) => parts.map(({ text }) => text).join(""));
}

it.each([
  [{ vix: 32, spyChangePct: -5 }, "the VIX at 32.00 and SPY 5.00% lower"],
  [{ spyChangePct: 0, changePctOf: { HD: 0, KO: 3 } }, "SPY unchanged, HD unchanged and KO 3.00% higher"],
  [{ changePctOf: { HD: -0.004 } }, "HD unchanged"],
])("what is supposed is said as it was given, and no change as none: %j", (change, supposed) =>
  expect(told(change)[0]).toContain(`Supposed, with ${supposed}: the market would count as`),
);

describe("what it would wait for is said of the stocks", () => {
  it.each([
    [
      line(": 26 regime, 4 earnings", 30),
      "Of 30 stocks with a reason to buy, these would wait: 26 for a calmer market; 4 for days clear of their earnings reports.",
    ],
    [
      line(": 2 cooldown, 1 sector", 3),
      "Of 3 stocks with a reason to buy, these would wait: 2 for their rest after a sale or a refused order to end; 1 for room in its sector.",
    ],
    [
      line(": 1 earnings", 1).replace("1 signals", "1 signal"),
      "The one stock with a reason to buy would wait for days clear of its earnings report.",
    ],
    [line(": automation off", 0), "It would buy nothing, and wait for the automation to run again."],
  ])("%s", (planLine, expected) => expect(told({}, planLine).at(-1)).toBe(expected));

  it("nothing where nothing was refused", () =>
    expect(told({})).toEqual([expect.stringMatching(/^Supposed/), "It would send no order."]));
});

describe("with nothing altered", () => {
  it("the plan is the recorded one only where it is the same", () => {
    const first = (change: Partial<RehearsalFacts>) => told({ isUnaltered: true, ...change })[0];
    expect(first({ isAsRecorded: true })).toBe("Nothing is different from the record: the plan is the recorded one.");
    expect(first({})).toBe(
      "The market is the recorded one, but the plan is not: engine 1.0.0 decided then, and this is engine 1.1.0.",
    );
    expect(first({ engine: { recorded: "1.1.0", now: "1.1.0" } })).toBe(
      "The market is the recorded one, but the plan is not.",
    );
  });
});
