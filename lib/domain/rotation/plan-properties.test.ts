import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  exampleAccount,
  exampleFeatures,
  exampleMarket,
  examplePolicy as policy,
  examplePosition,
  exampleSeat,
  exampleSymbol,
} from "@/lib/proof/example-market.ts";
import { plan, rich } from "@/lib/proof/example-rotation.ts";
import { canonicalJson } from "../engine/canonical.ts";
import type { MarketView } from "../engine/plan.ts";
import { sellFees } from "../costs.ts";
import { money, sum } from "../money.ts";

describe("a rotation's plan on any market", () => {
  const names = Array.from({ length: 14 }, (_, i) => `S${i}`);
  const world = fc
    .record({
      prices: fc.tuple(...names.map(() => fc.double({ min: 6, max: 400, noNaN: true }))),
      sigmas: fc.tuple(...names.map(() => fc.oneof(fc.double({ min: 0.1, max: 0.9, noNaN: true }), fc.constant(null)))),
      composites: fc.tuple(...names.map(() => fc.double({ min: 30, max: 99, noNaN: true }))),
      percentiles: fc.tuple(...names.map(() => fc.double({ min: 30, max: 100, noNaN: true }))),
      sectors: fc.tuple(...names.map(() => fc.constantFrom("A", "B", "C", "D", "E", ""))),
      held: fc.subarray(names, { maxLength: 8 }),
      shares: fc.integer({ min: 1, max: 300 }),
      cash: fc.integer({ min: -5_000, max: 100_000 }),
      label: fc.constantFrom("risk_on" as const, "neutral" as const, "risk_off" as const),
      maxPositions: fc.integer({ min: 1, max: 12 }),
      limit: fc.integer({ min: 500, max: 12_000 }),
      cap: fc.integer({ min: 1, max: 60 }),
      strategy: fc.constantFrom("MOMENTUM" as const, "MEAN_REVERSION" as const, "BREAKOUT" as const),
    })
    .map((w) => {
      const symbols = names.map((name, i) =>
        exampleSymbol(name, {
          sector: w.sectors[i]!,
          momentumPercentile: w.percentiles[i]!,
          quote: { ...exampleSymbol(name).quote!, last: w.prices[i]!.toFixed(2), bid: null, ask: null },
          features: exampleFeatures({ close: w.prices[i]!, atr14: w.prices[i]! * 0.02, sigma60: w.sigmas[i]! }),
        }),
      );
      const seats = names
        .slice(0, 10)
        .map((name, i) =>
          exampleSeat(name, { rank: i + 1, composite: w.composites[i]!, momentumPercentile: w.percentiles[i]! }),
        );
      const base = exampleMarket(symbols, seats);
      const market: MarketView = { ...base, regime: { ...base.regime, label: w.label } };
      const positions = w.held.map((symbol) =>
        examplePosition(symbol, { qty: String(w.shares), strategy: w.strategy }),
      );
      const value = sum(positions.map(({ symbol, qty }) => money(qty).times(market.symbols[symbol]!.quote!.last)));
      const equity = value.plus(Math.max(w.cash, 1 - value.toNumber()));
      const state = exampleAccount({
        equity: equity.toFixed(),
        lastEquity: equity.toFixed(),
        highWaterMark: equity.toFixed(),
        cash: String(w.cash),
        buyingPower: String(Math.max(0, w.cash)),
        positions,
        preferences: {
          ...rich,
          strategy: w.strategy,
          maxPositions: w.maxPositions,
          maxPositionValue: String(w.limit),
          defaultOrderSize: String(w.limit),
        },
      });
      return { market, state, cap: w.cap };
    });

  it("never sells more than is held, keeps the cap, the cash buffer and every guardrail of a plan that says so", () => {
    let buys = 0;
    let passed = 0;
    fc.assert(
      fc.property(world, ({ market, state, cap }) => {
        const { legs, metrics, accounts } = plan([state], market, { turnoverCapPctPerPeriod: cap });
        const equity = money(state.equity);
        const limits = policy.portfolio_limits;
        const price = (symbol: string) => money(market.symbols[symbol]!.quote!.last);
        const heldQty = new Map(state.positions.map(({ symbol, qty }) => [symbol, money(qty)]));
        for (const { symbol, side, qty } of legs) {
          expect(money(qty).gt(0)).toBe(true);
          const now = heldQty.get(symbol) ?? money(0);
          const next = side === "SELL" ? now.minus(qty) : now.plus(qty);
          expect(next.gte(0), `${symbol} sold beyond what is held`).toBe(true);
          heldQty.set(symbol, next);
        }
        const notional = sum(legs.map(({ symbol, qty }) => money(qty).times(price(symbol))));
        const elective = legs.some(({ kind }) => kind !== "forced_exit");
        if (elective) expect(notional.div(2).lte(equity.times(cap).div(100))).toBe(true);
        const worstCash = sum(
          legs.map(({ side, qty, priceGuardLow, priceGuardHigh }) =>
            side === "BUY"
              ? money(qty).times(priceGuardHigh).negated()
              : money(qty)
                  .times(priceGuardLow)
                  .minus(sellFees(money(qty).times(priceGuardLow), money(qty), market.session.date)),
          ),
        ).plus(Math.min(Number(state.cash), Number(state.buyingPower)));
        const hasBuys = legs.some(({ side }) => side === "BUY");
        if (hasBuys) expect(worstCash.gte(equity.times(limits.cash_buffer))).toBe(true);
        buys += Number(hasBuys);
        for (const { side, symbol, qty } of legs) {
          if (side !== "BUY") continue;
          expect(money(heldQty.get(symbol)!).times(price(symbol)).lte(state.preferences.maxPositionValue)).toBe(true);
          expect(money(qty).isInteger()).toBe(true);
        }
        expect(canonicalJson(JSON.parse(JSON.stringify(legs)))).toBe(canonicalJson(legs));
        if (!metrics.guardrails.allChecksPassed) return;
        passed++;
        const values = new Map([...heldQty].map(([symbol, qty]) => [symbol, qty.times(price(symbol))]));
        const gross = sum(values.values());
        const grossCap = { risk_on: 1, neutral: 0.6, risk_off: 0.25 }[market.regime.label];
        expect(gross.lte(equity.times(Math.min(grossCap, 1 - limits.cash_buffer)))).toBe(true);
        for (const value of values.values()) expect(value.lte(equity.times(limits.max_name_fraction))).toBe(true);
        const sectors = new Set([...values.keys()].map((symbol) => market.symbols[symbol]!.sector));
        for (const sector of sectors) {
          const own = [...values].filter(([symbol]) => market.symbols[symbol]!.sector === sector).map(([, v]) => v);
          expect(sum(own).lte(equity.times(limits.max_sector_fraction))).toBe(true);
        }
        expect(notional.div(2).lte(equity.times(cap).div(100))).toBe(true);
        expect(worstCash.gte(equity.times(limits.cash_buffer))).toBe(true);
        expect(accounts[0]!.swaps).toBeLessThanOrEqual(policy.selector_top50.max_swaps);
      }),
      { numRuns: 300 },
    );
    expect(buys).toBeGreaterThan(30);
    expect(passed).toBeGreaterThan(30);
  });
});
