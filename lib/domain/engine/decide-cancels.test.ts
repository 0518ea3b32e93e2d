import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { marketHours } from "../gates/market-hours.ts";
import { decide } from "./decide.ts";
import {
  exampleAccount,
  exampleMarket,
  exampleOrder,
  examplePolicy as policy,
  exampleTime,
} from "@/lib/proof/example-market.ts";
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
    expect(decide(exampleAccount({ openOrders }), market, policy).cancels).toEqual(["tw-plan-OLD-0-1"]);
    expect(decide(exampleAccount({ openOrders, killState: "NO_NEW_ENTRIES" }), market, policy).cancels).toEqual([
      "tw-plan-NEW-0-1",
      "tw-plan-OLD-0-1",
    ]);
  });

  it("are purchases of a rotation from REDUCE_ONLY on: it has sold for them, and new entries alone are stopped before", () => {
    const openOrders = [exampleOrder("ROT", { submittedAt: exampleTime(9, 36), isRotation: true })];
    const market = exampleMarket([], []);
    const cancelsUnder = (killState: "NONE" | "NO_NEW_ENTRIES" | "REDUCE_ONLY" | "FLATTEN") =>
      decide(exampleAccount({ openOrders, killState }), market, policy).cancels.length;
    expect(["NONE", "NO_NEW_ENTRIES", "REDUCE_ONLY", "FLATTEN"].map((state) => cancelsUnder(state as "NONE"))).toEqual([
      0, 0, 1, 1,
    ]);
  });

  const RISK_STOPS: [string, Parameters<typeof exampleAccount>[0]][] = [
    ["the day's loss", { equity: "96900" }],
    ["the soft drawdown line", { highWaterMark: "112000" }],
    [
      "the stop guard",
      { stopOuts: ["XXX", "YYY", "ZZZ"].map((symbol) => ({ symbol, session: exampleMarket([], []).session.date })) },
    ],
    ["an unknown prior close", { lastEquity: "0" }],
  ];

  it.each(RISK_STOPS)(
    "are all our entries but a rotation's once %s stops new ones, a bid for its session too",
    (_, change) => {
      const openOrders = [
        exampleOrder("BID", { strategy: "MEAN_REVERSION" }),
        exampleOrder("NEW"),
        exampleOrder("ROT", { isRotation: true }),
        exampleOrder("STP", { role: "STOP", side: "SELL" }),
      ];
      const market = exampleMarket([], []);
      expect(decide(exampleAccount({ openOrders }), market, policy).cancels).toEqual([]);
      expect(decide(exampleAccount({ openOrders, ...change }), market, policy).cancels).toEqual([
        "tw-plan-BID-0-1",
        "tw-plan-NEW-0-1",
      ]);
    },
  );

  it("are none at exactly the lines of loss and drawdown, at which an entry is still sent", () => {
    const openOrders = [exampleOrder("BID", { strategy: "MEAN_REVERSION" })];
    const at = { equity: "97000", highWaterMark: "107777" };
    expect(decide(exampleAccount({ openOrders, ...at }), exampleMarket([], []), policy).cancels).toEqual([]);
  });

  it("are those of a symbol whose kill switch is set, and no others", () => {
    const openOrders = [
      exampleOrder("AAA", { submittedAt: exampleTime(9, 36) }),
      exampleOrder("BBB", { submittedAt: exampleTime(9, 36) }),
    ];
    const market = exampleMarket([], []);
    const state = exampleAccount({ openOrders, stoppedSymbols: ["BBB"] });
    expect(decide(state, market, policy).cancels).toEqual(["tw-plan-BBB-0-1"]);
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
    return decide(exampleAccount({ openOrders }), view, policy).cancels;
  };

  const submittedAt = exampleTime(15, 45);
  const closesAt = exampleTime(16, 0);

  it("stays for its session, however long the policy lets others wait", () => {
    const early = { submittedAt: exampleTime(9, 36) };
    expect(cancelsOf(early, { closesAt }, exampleTime(15, 49))).toEqual([]);
    expect(cancelsOf({ ...early, strategy: "MOMENTUM" }, { closesAt }, exampleTime(15, 49))).toHaveLength(1);
  });

  it("is cancelled in the last minutes, in which no entry is sent; a part that filled changes nothing", () => {
    expect(cancelsOf({ submittedAt }, { closesAt }, exampleTime(15, 49))).toEqual([]);
    expect(cancelsOf({ submittedAt }, { closesAt }, exampleTime(15, 51))).toEqual(["tw-plan-AAA-0-1"]);
    expect(cancelsOf({ submittedAt, filledQty: "4" }, { closesAt }, exampleTime(15, 51))).toHaveLength(1);
    expect(cancelsOf({ submittedAt, filledQty: "10" }, { closesAt }, exampleTime(15, 51))).toEqual([]);
  });

  it("is cancelled at those moments of its session at which its gate sends none for the nearness of the close, to the millisecond", () => {
    const { session } = exampleMarket([], []);
    const isSent = (at: string) =>
      marketHours.check({ market: { ...exampleMarket([], []), at, session: { ...session, closesAt } }, policy }).passed;
    const line = Date.parse(exampleTime(15, 50));
    const ms = fc.oneof(fc.constantFrom(-1, 0, 1), fc.integer({ min: -300_000, max: 599_999 }));
    fc.assert(
      fc.property(ms, (after) => {
        const at = new Date(line + after).toISOString();
        expect(cancelsOf({ submittedAt }, { closesAt }, at)).toHaveLength(isSent(at) ? 0 : 1);
      }),
    );
    expect(isSent(exampleTime(15, 50))).toBe(true);
  });

  it("ends earlier on a half day, and never waits for the next session", () => {
    expect(
      cancelsOf({ submittedAt: exampleTime(12, 45) }, { closesAt: exampleTime(13, 0) }, exampleTime(12, 51)),
    ).toHaveLength(1);
    expect(cancelsOf({ submittedAt: exampleTime(15, 45) }, { isOpen: false }, exampleTime(16, 1))).toHaveLength(1);
  });

  it.each(["BREAKOUT", "MOMENTUM", null] as const)("%s's entry waits no longer than its session either", (strategy) => {
    expect(cancelsOf({ submittedAt, strategy }, { closesAt }, exampleTime(15, 49))).toEqual([]);
    expect(cancelsOf({ submittedAt, strategy }, { closesAt }, exampleTime(15, 51))).toHaveLength(1);
    expect(cancelsOf({ submittedAt, strategy }, { isOpen: false }, exampleTime(16, 1))).toHaveLength(1);
  });
});
