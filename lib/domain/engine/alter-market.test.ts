import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  exampleAccount,
  exampleMarket,
  examplePolicy,
  examplePosition,
  exampleSeat,
  exampleSymbol,
} from "@/lib/proof/example-market.ts";
import type { RegimeMemory } from "../screening/regime.ts";
import { type Alteration, alterAccount, alterMarket, stopsReached } from "./alter-market.ts";
import { canonicalJson } from "./canonical.ts";
import { decide } from "./decide.ts";

const market = exampleMarket([exampleSymbol("AAA"), exampleSymbol("BBB")], [exampleSeat("AAA")]);
const NOTHING: Alteration = { vix: null, spyChangePct: null, changePctOf: {} };
const CALM: RegimeMemory = {
  sessionDate: "2020-01-31",
  label: "risk_on",
  candidate: "risk_on",
  closes: 9,
  dwellLeft: 0,
  view: market.regime,
  hasFlipped: false,
};
const alter = (change: Partial<Alteration>, memory: RegimeMemory | null = CALM) =>
  alterMarket(market, memory, { ...NOTHING, ...change }, examplePolicy);

describe("the market that is supposed", () => {
  it.each([{}, { vix: 13 }, { spyChangePct: 0 }, { vix: 13, spyChangePct: 0, changePctOf: { AAA: 0, ZZZ: 9 } }])(
    "is the very same value where nothing is different: %o",
    (change) => expect(alter(change)).toBe(market),
  );

  it("a fall of SPY of 5 % turns the regime at once, and takes every price with it", () => {
    const supposed = alter({ spyChangePct: -5 });
    expect(supposed.regime).toMatchObject({ label: "risk_off", spyClose: 313.5, spyMa20: 324.175, spyMa50: 319.67 });
    expect(supposed.symbols.AAA?.quote).toMatchObject({ last: "95", bid: "94.981", ask: "95.019" });
  });

  it("a VIX of shock turns the regime, and leaves the prices", () => {
    const supposed = alter({ vix: 40 });
    expect(supposed.regime).toMatchObject({ label: "risk_off", vix: 40, spyClose: 330 });
    expect(supposed.symbols).toEqual(market.symbols);
  });

  it("a change of one stock goes before that of SPY, and alone it leaves the regime", () => {
    const both = alter({ spyChangePct: 2, changePctOf: { BBB: -10 } });
    expect([both.symbols.AAA?.quote?.last, both.symbols.BBB?.quote?.last]).toEqual(["102", "90"]);
    expect(alter({ changePctOf: { BBB: -10 } }).regime).toBe(market.regime);
  });

  it("without an earlier reading the machine begins neutral, as it does in the product", () => {
    expect(alter({ vix: 14 }, null).regime.label).toBe("neutral");
  });

  it("a shock that was recorded stays one when only the VIX is supposed", () => {
    const before = { ...CALM, view: { ...market.regime, spyClose: 350 } };
    expect(alter({ vix: 14 }, before).regime.label).toBe("risk_off");
  });
});

describe("the account on it", () => {
  const state = exampleAccount({ positions: [examplePosition("AAA", { qty: "10", stopPrice: "95.5" })] });

  it("gains or loses what its positions do; buying power only falls", () => {
    const down = alterAccount(state, market, alter({ spyChangePct: -5 }));
    expect(down).toMatchObject({ equity: "99950", buyingPower: "99950", highWaterMark: "100000", cash: state.cash });
    const up = alterAccount(state, market, alter({ spyChangePct: 5 }));
    expect(up).toMatchObject({ equity: "100050", buyingPower: "100000", highWaterMark: "100050" });
    expect(alterAccount(state, market, market)).toBe(state);
  });

  it("names the positions whose stop the price reaches, to the cent", () => {
    const reached = (spyChangePct: number) =>
      stopsReached(state, market, alter({ spyChangePct })).map(({ symbol }) => symbol);
    expect(reached(-4.49)).toEqual([]);
    expect(reached(-4.5)).toEqual(["AAA"]);
    expect(stopsReached(state, market, market)).toEqual([]);
  });
});

it("the recorded market is never changed, and the same supposition has the same plan", () => {
  const before = canonicalJson(market);
  const change = fc.record({
    vix: fc.option(fc.integer({ min: 5, max: 150 }), { nil: null }),
    spyChangePct: fc.option(fc.integer({ min: -50, max: 50 }), { nil: null }),
    changePctOf: fc.dictionary(fc.constantFrom("AAA", "BBB"), fc.integer({ min: -50, max: 50 })),
  });
  const state = exampleAccount({ positions: [examplePosition("AAA", {})] });
  fc.assert(
    fc.property(change, (supposed) => {
      const plan = () => {
        const on = alterMarket(market, CALM, supposed, examplePolicy);
        return canonicalJson(decide(alterAccount(state, market, on), on, examplePolicy));
      };
      expect(plan()).toBe(plan());
      expect(canonicalJson(market)).toBe(before);
    }),
    { numRuns: 40 },
  );
});
