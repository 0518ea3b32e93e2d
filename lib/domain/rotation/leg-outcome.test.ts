import { describe, expect, it } from "vitest";
import type { IntentStatusName, SideName } from "../enums.ts";
import { isSettled, type LegIntent, type LegOutcome, legsToSend, outcomeOfIntent } from "./leg-outcome.ts";

const intent = (status: IntentStatusName, change: Partial<LegIntent> = {}): LegIntent => ({
  status,
  lastError: "why",
  isUnsent: false,
  filledQty: 3,
  qty: 10,
  ...change,
});

describe("what became of a leg", () => {
  it.each<[IntentStatusName, LegOutcome, string | null]>([
    ["PLANNED", "waiting", null],
    ["GATED", "waiting", null],
    ["SUBMITTING", "submitted", "The broker has not answered yet; it is being asked."],
    ["UNKNOWN", "submitted", "The broker has not answered yet; it is being asked."],
    ["LIVE", "submitted", null],
    ["FILLED", "filled", null],
    ["PARKED", "parked", "why"],
    ["DENIED", "refused", "why"],
    ["REJECTED", "refused", "why"],
    ["HALTED", "refused", "why"],
    ["CANCELED", "expired", "The order was cancelled: 3 of 10 shares were traded."],
    ["EXPIRED", "expired", "The order expired: 3 of 10 shares were traded."],
  ])("%s reads %s", (status, outcome, reason) => {
    expect(outcomeOfIntent(intent(status))).toEqual({ outcome, reason });
  });

  it("one that was given up before anything was sent waits for another attempt; an order that traded nothing says so", () => {
    expect(outcomeOfIntent(intent("HALTED", { isUnsent: true })).outcome).toBe("waiting");
    expect(outcomeOfIntent(intent("EXPIRED", { filledQty: 0 })).reason).toBe("The order expired: no share was traded.");
  });
});

describe("which legs go out now", () => {
  const leg = (place: number, side: SideName, outcome: LegOutcome) => ({ leg: place, side, outcome });

  it("sells in their order, then nothing until each is settled, then purchases", () => {
    const plan = (first: LegOutcome, second: LegOutcome) => [
      leg(2, "BUY", "waiting"),
      leg(1, "SELL", second),
      leg(0, "SELL", first),
    ];
    const sent = (first: LegOutcome, second: LegOutcome) => legsToSend(plan(first, second)).map((one) => one.leg);
    expect(sent("waiting", "waiting")).toEqual([0, 1]);
    expect(sent("submitted", "waiting")).toEqual([1]);
    expect(sent("submitted", "filled")).toEqual([]);
    expect(sent("parked", "filled")).toEqual([]);
    expect(sent("refused", "filled")).toEqual([2]);
    expect(sent("expired", "filled")).toEqual([2]);
  });

  it("a leg that is settled or on its way is never among them", () => {
    for (const outcome of ["submitted", "filled", "refused", "expired", "parked"] as const) {
      expect(legsToSend([leg(0, "BUY", outcome)])).toEqual([]);
      expect(isSettled(outcome)).toBe(["filled", "refused", "expired"].includes(outcome));
    }
  });
});
