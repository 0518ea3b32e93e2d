import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { money, sum, text } from "../money.ts";
import { canonicalJson } from "./canonical.ts";
import { decide } from "./decide.ts";
import {
  EXAMPLE_PRIOR,
  EXAMPLE_TODAY,
  exampleAccount,
  exampleFeatures,
  exampleMarket,
  examplePolicy,
  examplePosition,
  exampleQuote,
  exampleSeat,
  exampleSymbol,
} from "@/lib/proof/example-market.ts";
import { planHolding } from "@/lib/proof/example-plan.ts";
import type { AccountState, MarketView, Plan, SymbolView } from "./plan.ts";

describe("the line", () => {
  it("counts each candidate by its first refusing gate, most first", () => {
    const names = ["A", "B", "C"];
    const soon = { isKnown: true, next: "2020-02-04", last: null };
    const symbols = names.map((name, i) => exampleSymbol(name, i < 2 ? { earnings: soon } : { isHalted: true }));
    const plan = decide(
      exampleAccount(),
      exampleMarket(
        symbols,
        names.map((name, i) => exampleSeat(name, { rank: i + 1 })),
      ),
      examplePolicy,
    );
    expect(plan.line).toBe("10:05: 503 screened, 3 seated, 3 signals, 0 orders: 2 earnings, 1 not tradable");
  });

  it("names the gate of the account when there is no candidate", () => {
    const closed = exampleMarket([], [], { session: { ...exampleMarket([], []).session, isOpen: false } });
    expect(decide(exampleAccount(), closed, examplePolicy).line).toBe(
      "10:05: 503 screened, 0 seated, 0 signals, 0 orders: market hours",
    );
  });
});

describe("what leaves the plan", () => {
  it("is decimal text of at most 9 places and canonical JSON, also after an odd split and for a price of zero", () => {
    const odd = planHolding(
      {
        protectedQty: "0",
        splitBookedOn: EXAMPLE_TODAY,
        review: { ...examplePosition("AAA").review, highestClose: "1" },
      },
      { splitToday: "3", quote: null },
    );
    expect(odd.orders[0]?.decisionPrice).toBe("33.333333333");
    expect(odd.reviews[0]!.review.highestClose).toBe("33.333333333");
    const worthless = exampleMarket([exampleSymbol("AAA", { quote: exampleQuote("0") })], [exampleSeat("AAA")]);
    const plan = decide(exampleAccount(), worthless, examplePolicy);
    expect(plan.orders).toEqual([]);
    expect(() => canonicalJson(plan)).not.toThrow();
  });
});

describe("properties", () => {
  const names = ["AAA", "BBB", "CCC", "DDD", "EEE", "FFF"];
  const sectors = ["Energy", "Utilities", "Materials"];
  const symbolArb = (name: string) =>
    fc
      .record({
        sector: fc.constantFrom(...sectors),
        close: fc.double({ min: 20, max: 300, noNaN: true }),
        atr: fc.double({ min: 0.005, max: 0.08, noNaN: true }),
        sigma: fc.double({ min: 0.05, max: 0.9, noNaN: true }),
        adv: fc.oneof(fc.double({ min: 1e5, max: 1e7, noNaN: true }), fc.double({ min: 1e7, max: 1e9, noNaN: true })),
        percentile: fc
          .double({ min: 55, max: 100, noNaN: true })
          .map((value) => (value > 70 ? 85 + (value - 70) / 2 : value)),
      })
      .map(({ sector, close, atr, sigma, adv, percentile }) =>
        exampleSymbol(name, {
          sector,
          momentumPercentile: percentile,
          quote: exampleQuote(close.toFixed(2)),
          features: exampleFeatures({
            close,
            sma50: close * 0.9,
            sma200: close * 0.8,
            high252: close * 1.05,
            atr14: close * atr,
            sigma60: sigma,
            adv20: adv,
          }),
        }),
      );
  const world = fc
    .record({
      symbols: fc.tuple(...names.map(symbolArb)),
      composites: fc.tuple(...names.map(() => fc.double({ min: 45, max: 99, noNaN: true }))),
      label: fc.constantFrom("risk_on" as const, "neutral" as const, "risk_off" as const),
      equity: fc.integer({ min: 20_000, max: 2_000_000 }),
      orderSize: fc.integer({ min: 600, max: 200_000 }),
      maxValue: fc.integer({ min: 600, max: 200_000 }),
      maxPositions: fc.integer({ min: 1, max: 8 }),
      held: fc.subarray(names),
      heldQty: fc.integer({ min: 1, max: 400 }),
      isProtected: fc.boolean(),
      buyingPower: fc.integer({ min: 0, max: 2_000_000 }),
      tolerance: fc.constantFrom("LOW" as const, "MEDIUM" as const, "HIGH" as const),
    })
    .map((w) => {
      const base = exampleMarket(
        w.symbols,
        names.map((name, i) =>
          exampleSeat(name, {
            rank: i + 1,
            composite: w.composites[i]!,
            momentumPercentile: w.symbols[i]!.momentumPercentile,
          }),
        ),
      );
      const market: MarketView = { ...base, regime: { ...base.regime, label: w.label } };
      const equity = String(w.equity);
      const account = exampleAccount({
        equity,
        lastEquity: equity,
        highWaterMark: equity,
        buyingPower: String(w.buyingPower),
        positions: w.held.map((name) =>
          examplePosition(name, { qty: String(w.heldQty), protectedQty: w.isProtected ? String(w.heldQty) : "0" }),
        ),
      });
      const state: AccountState = {
        ...account,
        preferences: {
          ...account.preferences,
          defaultOrderSize: String(w.orderSize),
          maxPositionValue: String(w.maxValue),
          maxPositions: w.maxPositions,
          riskTolerance: w.tolerance,
        },
      };
      return { state, market };
    });

  it("the same input gives the same bytes, through JSON too", () => {
    fc.assert(
      fc.property(world, ({ state, market }) => {
        const once = canonicalJson(decide(state, market, examplePolicy));
        const revived = JSON.parse(JSON.stringify({ state, market })) as { state: AccountState; market: MarketView };
        expect(canonicalJson(decide(revived.state, revived.market, examplePolicy))).toBe(once);
      }),
      { numRuns: 60 },
    );
  });

  it("does not depend on the order of seats, symbols, positions and orders, and leaves its input alone", () => {
    fc.assert(
      fc.property(world, fc.constantFrom(1, 2, 3), ({ state, market }, turn) => {
        const turned = <T>(list: T[]) => [...list.slice(turn), ...list.slice(0, turn)].reverse();
        const before = JSON.stringify({ state, market });
        const plan = decide(state, market, examplePolicy);
        expect(JSON.stringify({ state, market })).toBe(before);
        const shuffled = decide(
          { ...state, positions: turned(state.positions), openOrders: turned(state.openOrders) },
          {
            ...market,
            seats: turned(market.seats),
            symbols: Object.fromEntries(turned(Object.entries(market.symbols))),
          },
          examplePolicy,
        );
        expect(canonicalJson(shuffled)).toBe(canonicalJson(plan));
      }),
      { numRuns: 60 },
    );
  });

  it("every entry stays within every cap, alone and together", () => {
    let entries = 0;
    fc.assert(
      fc.property(world, ({ state, market }) => {
        const plan = decide(state, market, examplePolicy);
        const { portfolio_limits: limits } = examplePolicy;
        const equity = money(state.equity);
        const value = (order: Plan["orders"][number]) =>
          money(order.qty).times(order.limitPrice ?? order.decisionPrice);
        const buys = plan.orders.filter(({ purpose }) => purpose === "ENTRY");
        entries += buys.length;
        for (const order of buys) {
          expect(money(order.qty).isInteger() && money(order.qty).gte(1)).toBe(true);
          const cap = { LOW: 0.5, MEDIUM: 1, HIGH: 1.5 }[state.preferences.riskTolerance];
          expect(value(order).lte(money(state.preferences.defaultOrderSize).times(cap))).toBe(true);
          expect(value(order).lte(state.preferences.maxPositionValue)).toBe(true);
          expect(value(order).lte(equity.times(limits.max_name_fraction))).toBe(true);
          expect(
            value(order).lte(money(market.symbols[order.symbol]!.features!.adv20!).times(limits.max_adv_fraction)),
          ).toBe(true);
          expect(
            money(order.stopLossPrice!).lt(order.limitPrice!) && money(order.takeProfitPrice!).gt(order.limitPrice!),
          ).toBe(true);
          expect(order.gates.every(({ passed, isWarning }) => passed || isWarning)).toBe(true);
          expect(state.positions.some(({ symbol }) => symbol === order.symbol)).toBe(false);
        }
        if (buys.length === 0) return;
        const heldValue = (filter: (symbol: string) => boolean) =>
          sum(
            state.positions
              .filter(({ symbol }) => filter(symbol))
              .map(({ symbol, qty }) => money(qty).times(market.symbols[symbol]!.quote!.last)),
          );
        const total = sum(buys.map(value));
        expect(total.lte(money(state.buyingPower).minus(equity.times(limits.cash_buffer)))).toBe(true);
        const cap = { risk_on: 1, neutral: 0.6, risk_off: 0.25 }[market.regime.label];
        expect(
          heldValue(() => true)
            .plus(total)
            .lte(equity.times(cap)),
        ).toBe(true);
        for (const sector of new Set(buys.map(({ symbol }) => market.symbols[symbol]!.sector))) {
          const within = (symbol: string) => market.symbols[symbol]!.sector === sector;
          const used = heldValue(within).plus(sum(buys.filter(({ symbol }) => within(symbol)).map(value)));
          expect(used.lte(equity.times(limits.max_sector_fraction))).toBe(true);
        }
        expect(state.positions.length + buys.length).toBeLessThanOrEqual(state.preferences.maxPositions);
      }),
      { numRuns: 300 },
    );
    expect(entries).toBeGreaterThan(100);
  });

  it("legs are numbered exits first, and candidates point at their legs", () => {
    let legs = 0;
    fc.assert(
      fc.property(world, ({ state, market }) => {
        const plan = decide(state, market, examplePolicy);
        expect(plan.orders.map(({ leg }) => leg)).toEqual(plan.orders.map((_, i) => i));
        const sides = plan.orders.map(({ side }) => side);
        expect(sides).toEqual([...sides].sort().reverse());
        for (const { symbol, leg } of plan.candidates) {
          if (leg === null) continue;
          legs += 1;
          expect(plan.orders[leg]!.symbol).toBe(symbol);
        }
        expect(plan.candidates).toHaveLength(market.seats.length);
        for (const { symbol, purpose, qty } of plan.orders) {
          if (purpose === "ENTRY") continue;
          expect(money(qty).lte(state.positions.find((position) => position.symbol === symbol)!.qty)).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
    expect(legs).toBeGreaterThan(50);
  });

  it("whatever stops entries never stops an exit", () => {
    fc.assert(
      fc.property(world, ({ state, market }) => {
        const sells = (plan: Plan) =>
          plan.orders
            .filter(({ side }) => side === "SELL")
            .map(({ symbol, purpose, qty, reason }) => [symbol, purpose, qty, reason]);
        const stopped: AccountState = {
          ...state,
          automationOff: "paused by you",
          killState: "REDUCE_ONLY",
          haltReason: "halted",
          buyingPower: "0",
          ordersLastMinute: 999,
          ordersToday: 9999,
          dayTrades: 9,
          lastEquity: text(money(state.equity).times(2)),
          highWaterMark: text(money(state.equity).times(2)),
          stopOuts: names.map((symbol) => ({ symbol, session: EXAMPLE_PRIOR })),
        };
        const plan = decide(stopped, market, examplePolicy);
        expect(sells(plan)).toEqual(sells(decide(state, market, examplePolicy)));
        expect(plan.orders.filter(({ side }) => side === "BUY")).toEqual([]);
      }),
    );
  });

  it("removing evidence never adds an entry or makes one larger", () => {
    const bought = (plan: Plan) =>
      new Map(plan.orders.filter(({ side }) => side === "BUY").map(({ symbol, qty }) => [symbol, money(qty)]));
    fc.assert(
      fc.property(
        world,
        fc.constantFrom(...names),
        fc.constantFrom("features", "quote", "earnings", "atr14", "sigma60", "adv20", "sma200", "high252", "sessions"),
        ({ state, market }, name, what) => {
          const only: MarketView = { ...market, seats: market.seats.filter(({ symbol }) => symbol === name) };
          const view = only.symbols[name]!;
          const poorer: SymbolView =
            what === "features"
              ? { ...view, features: null }
              : what === "quote"
                ? { ...view, quote: null }
                : what === "earnings"
                  ? { ...view, earnings: { isKnown: false, next: null, last: null } }
                  : what === "sessions"
                    ? view
                    : { ...view, features: { ...view.features!, [what]: null } };
          const less: MarketView = {
            ...only,
            symbols: { ...only.symbols, [name]: poorer },
            sessions: what === "sessions" ? [] : only.sessions,
          };
          const rich = bought(decide(state, only, examplePolicy));
          for (const [symbol, qty] of bought(decide(state, less, examplePolicy)))
            expect(rich.get(symbol)?.gte(qty)).toBe(true);
        },
      ),
      { numRuns: 150 },
    );
  });
});
