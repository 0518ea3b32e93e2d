import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { money, sum } from "../money.ts";
import { addDays } from "../time.ts";
import { readRegime, type RegimeMemory } from "../screening/regime.ts";
import { decide } from "./decide.ts";
import {
  EXAMPLE_TODAY,
  exampleAccount,
  exampleFeatures,
  exampleMarket,
  examplePolicy as policy,
  examplePosition,
  exampleSeat,
  exampleSymbol,
} from "@/lib/proof/example-market.ts";
import type { AccountState, MarketView, Plan, RegimeView, SymbolView } from "./plan.ts";

/**
 * Missing evidence never raises gross exposure (engine.md §1): with an input of the market taken away, what a plan buys is
 * no more than with it. Documented exceptions, none of which buys anything:
 * - a plan without evidence may keep what it would have sold: exits and trims are never made up. Without SPY or VIX the label
 *   may be risk_off as a precaution only, so entries stop but nothing is trimmed.
 * - within one plan a refused candidate leaves its room to the next, so the whole is compared, not each name.
 */
const names = ["AAA", "BBB", "CCC", "DDD"];

const world = fc
  .record({
    percentiles: fc.tuple(...names.map(() => fc.double({ min: 60, max: 100, noNaN: true }))),
    composites: fc.tuple(...names.map(() => fc.double({ min: 50, max: 99, noNaN: true }))),
    closes: fc.array(fc.double({ min: 0.97, max: 1.03, noNaN: true }), { minLength: 230, maxLength: 230 }),
    vix: fc.double({ min: 10, max: 40, noNaN: true }),
    strategy: fc.constantFrom("MOMENTUM" as const, "MEAN_REVERSION" as const, "BREAKOUT" as const),
    held: fc.subarray(names, { maxLength: 2 }),
    limit: fc.integer({ min: 1_000, max: 9_000 }),
  })
  .map((w) => {
    let price = 100;
    const spyCloses = w.closes.map((factor, i) => (price *= factor * (i % 3 === 0 ? 1.004 : 1)));
    const account = exampleAccount({ positions: w.held.map((name) => examplePosition(name, { protectedQty: "20" })) });
    const state: AccountState = {
      ...account,
      preferences: {
        ...account.preferences,
        strategy: w.strategy,
        defaultOrderSize: String(w.limit),
        maxPositionValue: String(w.limit),
      },
    };
    const symbols = names.map((name, i) =>
      exampleSymbol(name, {
        momentumPercentile: w.percentiles[i]!,
        features: exampleFeatures(w.strategy === "MEAN_REVERSION" ? { sma5: 103, rsi2: 4 } : {}),
      }),
    );
    const seats = names.map((name, i) =>
      exampleSeat(name, { rank: i + 1, composite: w.composites[i]!, momentumPercentile: w.percentiles[i]! }),
    );
    return { state, spyCloses, vix: w.vix, symbols, seats };
  });

/** The regime after five sessions of the same machine, the last of which may miss an input. */
function regimeOf(spyCloses: number[], vix: number, without: "vix" | "spy" | null): RegimeView {
  let memory: RegimeMemory | null = null;
  let view: RegimeView | null = null;
  for (let back = 4; back >= 0; back--) {
    const closes = spyCloses.slice(0, spyCloses.length - back);
    const isLast = back === 0;
    const reading = readRegime(
      {
        spyCloses: isLast && without === "spy" ? [] : closes,
        vix: isLast && without === "vix" ? null : vix,
        spyDayReturn: isLast && without === "spy" ? null : closes.at(-1)! / closes.at(-2)! - 1,
      },
      memory,
      addDays(EXAMPLE_TODAY, -back),
      policy,
    );
    [memory, view] = [reading.memory, reading.view];
  }
  return view!;
}

const bought = (plan: Plan) =>
  sum(plan.orders.filter(({ side }) => side === "BUY").map(({ qty, limitPrice }) => money(qty).times(limitPrice!)));
const SOURCES = ["vix", "spy", "calendar", "earnings", "quotes", "features", "seats' sentiment"] as const;

describe("missing evidence never raises gross exposure", () => {
  it.each(SOURCES)("with %s taken away nothing more is bought", (source) => {
    let withEntries = 0;
    fc.assert(
      fc.property(world, ({ state, spyCloses, vix, symbols, seats }) => {
        const whole: MarketView = { ...exampleMarket(symbols, seats), regime: regimeOf(spyCloses, vix, null) };
        const each = (change: Partial<SymbolView>) =>
          Object.fromEntries(symbols.map((view) => [view.symbol, { ...view, ...change }]));
        const without: Record<(typeof SOURCES)[number], Partial<MarketView>> = {
          vix: { regime: regimeOf(spyCloses, vix, "vix") },
          spy: { regime: regimeOf(spyCloses, vix, "spy") },
          calendar: { sessions: [] },
          earnings: { symbols: each({ earnings: { isKnown: false, next: null, last: null } }) },
          quotes: { symbols: each({ quote: null }) },
          features: { symbols: each({ features: null, momentumPercentile: null }) },
          "seats' sentiment": {
            // As the screen makes them: a missing factor contributes 0 to the composite.
            seats: seats.map((seat) => ({
              ...seat,
              sentiment: null,
              composite: Math.max(0, seat.composite - policy.selector_top50.weight_sentiment * (seat.sentiment ?? 0)),
            })),
          },
        };
        const rich = bought(decide(state, whole, policy));
        const poor = bought(decide(state, { ...whole, ...without[source] }, policy));
        withEntries += Number(rich.gt(0));
        expect(poor.lte(rich)).toBe(true);
      }),
      { numRuns: 150 },
    );
    expect(withEntries).toBeGreaterThan(10);
  });
});

describe("the hard drawdown", () => {
  const market = exampleMarket([exampleSymbol("AAA")], [exampleSeat("AAA")]);
  const at = (highWaterMark: string, change: Partial<AccountState> = {}) =>
    decide(exampleAccount({ highWaterMark, ...change }), market, policy);

  it("asks for a latch at 15 % below the high-water mark, with the reason, and enters nothing", () => {
    const plan = at("117647.06");
    expect(plan.latch).toMatchObject({ killState: "REDUCE_ONLY" });
    expect(plan.latch!.reason).toContain("the hard line is 15.0 %");
    expect(plan.orders).toEqual([]);
    expect(at("117000").latch).toBeNull();
    expect(at("0").latch).toBeNull();
  });

  it("asks once: an account that is already latched or flattened needs none, a mere stop of entries does", () => {
    expect(at("120000", { killState: "REDUCE_ONLY" }).latch).toBeNull();
    expect(at("120000", { killState: "FLATTEN" }).latch).toBeNull();
    expect(at("120000", { killState: "NO_NEW_ENTRIES" }).latch).not.toBeNull();
  });
});
