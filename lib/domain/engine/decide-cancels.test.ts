import { describe, expect, it } from "vitest";
import { decide } from "./decide.ts";
import { exampleAccount, exampleMarket, exampleOrder, examplePolicy, exampleTime } from "@/lib/proof/example-market.ts";
import type { MarketView } from "./plan.ts";

describe("cancels", () => {
  it("are our own entries that waited more than 30 minutes of market time; all of them under a kill state", () => {
    const openOrders = [
      exampleOrder("OLD", { submittedAt: exampleTime(9, 34) }),
      exampleOrder("NEW", { submittedAt: exampleTime(9, 36) }),
      exampleOrder("EXT", { submittedAt: exampleTime(9, 34), clientOrderId: "by-hand", role: "EXTERNAL" }),
      exampleOrder("STP", { submittedAt: exampleTime(9, 34), role: "STOP", side: "SELL" }),
    ];
    const market = exampleMarket([], []);
    expect(decide(exampleAccount({ openOrders }), market, examplePolicy).cancels).toEqual(["tw-plan-OLD-0-1"]);
    expect(decide(exampleAccount({ openOrders, killState: "NO_NEW_ENTRIES" }), market, examplePolicy).cancels).toEqual([
      "tw-plan-NEW-0-1",
      "tw-plan-OLD-0-1",
    ]);
  });

  it("are those of a symbol whose kill switch is set, and no others", () => {
    const openOrders = [
      exampleOrder("AAA", { submittedAt: exampleTime(9, 36) }),
      exampleOrder("BBB", { submittedAt: exampleTime(9, 36) }),
    ];
    const market = exampleMarket([], []);
    const state = exampleAccount({ openOrders, stoppedSymbols: ["BBB"] });
    expect(decide(state, market, examplePolicy).cancels).toEqual(["tw-plan-BBB-0-1"]);
  });
});

describe("an entry that is good for one session", () => {
  const cancelsOf = (
    open: Parameters<typeof exampleOrder>[1],
    session: Partial<MarketView["session"]>,
    time: string,
  ) => {
    const market = exampleMarket([], []);
    const openOrders = [exampleOrder("AAA", { strategy: "MEAN_REVERSION", ...open })];
    const view = { ...market, at: time, session: { ...market.session, ...session } };
    return decide(exampleAccount({ openOrders }), view, examplePolicy).cancels;
  };

  it("is cancelled from the last minutes on, in which no entry is sent; a part that filled changes nothing", () => {
    const closesAt = exampleTime(16, 0);
    expect(cancelsOf({ submittedAt: exampleTime(15, 45) }, { closesAt }, exampleTime(15, 49))).toEqual([]);
    expect(cancelsOf({ submittedAt: exampleTime(15, 45) }, { closesAt }, exampleTime(15, 50))).toEqual([
      "tw-plan-AAA-0-1",
    ]);
    expect(
      cancelsOf({ submittedAt: exampleTime(15, 45), filledQty: "4" }, { closesAt }, exampleTime(15, 50)),
    ).toHaveLength(1);
    expect(cancelsOf({ submittedAt: exampleTime(15, 45), filledQty: "10" }, { closesAt }, exampleTime(15, 50))).toEqual(
      [],
    );
  });

  it("ends earlier on a half day, and never waits for the next session", () => {
    expect(
      cancelsOf({ submittedAt: exampleTime(12, 45) }, { closesAt: exampleTime(13, 0) }, exampleTime(12, 51)),
    ).toHaveLength(1);
    expect(cancelsOf({ submittedAt: exampleTime(15, 45) }, { isOpen: false }, exampleTime(16, 1))).toHaveLength(1);
  });

  it("is no other strategy's entry", () => {
    const closesAt = exampleTime(16, 0);
    expect(
      cancelsOf({ submittedAt: exampleTime(15, 45), strategy: "BREAKOUT" }, { closesAt }, exampleTime(15, 55)),
    ).toEqual([]);
  });
});
