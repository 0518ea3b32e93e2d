import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decide } from "../engine/decide.ts";
import {
  EXAMPLE_TODAY,
  exampleAccount,
  exampleFeatures,
  exampleMarket,
  examplePolicy,
  examplePosition,
  exampleSeat,
  exampleSessions,
  exampleSymbol,
  exampleTime,
} from "@/lib/proof/example-market.ts";
import { exampleVerdict, type ExampleChange } from "@/lib/proof/example-plan.ts";
import { atLeast, atMost, noSignalOf } from "../strategies/signal.ts";

const today = exampleSessions.indexOf(EXAMPLE_TODAY);
const sessionAt = (offset: number) => exampleSessions[today + offset]!;
const opened = (secondsAfterOpen: number): ExampleChange => {
  const instant = new Date(Date.parse(exampleTime(9, 30)) + secondsAfterOpen * 1000).toISOString();
  return { market: { at: instant }, symbol: { quote: { last: "100", bid: "99.98", ask: "100.02", at: instant } } };
};
const quoteAge = (seconds: number): ExampleChange => ({
  symbol: {
    quote: {
      last: "100",
      bid: "99.98",
      ask: "100.02",
      at: new Date(Date.parse(exampleTime(10, 5)) - seconds * 1000).toISOString(),
    },
  },
});
const holding = (value: number, sector: string): ExampleChange => ({
  account: { positions: [examplePosition("PPP", { qty: "1", protectedQty: "1" })] },
  others: [
    exampleSymbol("PPP", {
      sector,
      quote: { last: value.toFixed(2), bid: null, ask: null, at: exampleTime(10, 4) },
    }),
  ],
});
const held = (count: number) =>
  Array.from({ length: count }, (_, i) => examplePosition(`P${i}`, { qty: "0.01", protectedQty: "0" }));
const stopOuts = (...offsets: number[]) => offsets.map((offset) => ({ symbol: "ZZZ", session: sessionAt(offset) }));

/**
 * For every gate that states a number: refused worlds, and the world after a given amount of what is stated. `unit` is the
 * smallest step of the statement.
 */
const CASES: { gate: string; says: RegExp; unit: number; worlds: ((amount: number) => ExampleChange)[] }[] = [
  {
    gate: "market_hours",
    says: /needs ([\d.]+) minutes? inside/,
    unit: 1,
    worlds: [60, 100, 299].map((s) => (n) => opened(s + 60 * n)),
  },
  {
    gate: "data_stale",
    says: /needs a quote ([\d.]+) s younger/,
    unit: 1,
    worlds: [901, 950, 4000].map((s) => (n) => quoteAge(s - n)),
  },
  {
    gate: "earnings_blackout",
    says: /needs ([\d.]+) more sessions? from the report/,
    unit: 1,
    worlds: [
      ...[0, 1, 2].map((ahead) => (n: number) => ({
        symbol: { earnings: { isKnown: true, next: sessionAt(ahead + n), last: null } },
      })),
      (n) => ({ symbol: { earnings: { isKnown: true, next: null, last: sessionAt(-1 - n) } } }),
    ],
  },
  {
    gate: "conviction",
    says: /needs \+([\d.]+) composite/,
    unit: 0.1,
    worlds: [30, 33.33, 44.95].map((composite) => (n) => ({ seat: { composite: composite + n } })),
  },
  {
    gate: "conviction: families",
    says: /needs \+([\d.]+) liquidity/,
    unit: 0.1,
    worlds: [20.04, 54.99].map((liquidity) => (n) => ({ seat: { liquidity: liquidity + n, sentiment: 10 } })),
  },
  {
    gate: "max_positions",
    says: /needs ([\d.]+) free position slots?/,
    unit: 1,
    worlds: [2, 5].map((most) => (n) => ({ account: { positions: held(5) }, preferences: { maxPositions: most + n } })),
  },
  {
    gate: "position_value",
    says: /needs \+\$([\d.,]+) of position value/,
    unit: 0.01,
    worlds: [50, 100].map((value) => (n) => ({ preferences: { maxPositionValue: (value + n).toFixed(2) } })),
  },
  {
    gate: "sector",
    says: /needs \+\$([\d.,]+) of sector/,
    unit: 0.01,
    worlds: [24_950, 30_000].map((value) => (n) => holding(value - n, "Information Technology")),
  },
  {
    gate: "gross",
    says: /needs \+\$([\d.,]+) of gross exposure/,
    unit: 0.01,
    worlds: [99_950, 120_000].map((value) => (n) => holding(value - n, "Energy")),
  },
  {
    gate: "adv",
    says: /needs \+\$([\d.,]+) of liquidity/,
    unit: 0.01,
    // The room is 1 % of the dollar volume. In so thin a name the cost gate speaks too: only adv itself is asked.
    worlds: [9_000].map((value) => (n) => ({ symbol: { features: exampleFeatures({ adv20: value + 100 * n }) } })),
  },
  {
    gate: "buying_power",
    says: /needs \+\$([\d.,]+) of buying power/,
    unit: 0.01,
    worlds: [100, 2050].map((power) => (n) => ({ account: { buyingPower: (power + n).toFixed(2) } })),
  },
  {
    gate: "cooldown",
    says: /needs ([\d.]+) more sessions? \(cooldown\)/,
    unit: 1,
    worlds: [0, -3].map((at) => (n) => ({ account: { stopOuts: [{ symbol: "AAA", session: sessionAt(at - n) }] } })),
  },
  {
    gate: "stop_guard",
    says: /needs ([\d.]+) more sessions? \(stop guard\)/,
    unit: 1,
    worlds: [(n) => ({ account: { stopOuts: stopOuts(-2 - n, -3 - n, -4 - n) } })],
  },
];

describe.each(CASES)("$gate", ({ gate, says, unit, worlds }) => {
  it("what it states flips the decision, and one step less does not", () => {
    for (const world of worlds) {
      const refused = exampleVerdict(world(0));
      const amount = Number(says.exec(refused.nearestFlip ?? "")?.[1]?.replaceAll(",", ""));
      expect(amount, refused.nearestFlip ?? "nothing stated").toBeGreaterThan(0);
      const code = gate.split(":")[0]!;
      const isFlipped = (n: number) => {
        const after = exampleVerdict(world(n));
        return gate === "adv" ? !after.failing.includes("adv") : after.leg !== null;
      };
      expect(refused.failing).toContain(code);
      expect(isFlipped(amount), `${amount} of ${refused.nearestFlip}`).toBe(true);
      expect(isFlipped(amount - unit), `${amount - unit} of ${refused.nearestFlip}`).toBe(false);
    }
  });
});

describe("a signal's conditions", () => {
  it("state what is enough to the digits shown, and one digit less is not", () => {
    const number = fc.oneof(
      fc.double({ min: -100, max: 100, noNaN: true }),
      fc.integer({ min: -1000, max: 1000 }).map((n) => n / 10),
    );
    fc.assert(
      fc.property(number, number, fc.integer({ min: 0, max: 4 }), fc.boolean(), (value, line, digits, isStrict) => {
        for (const [condition, sign] of [
          [atLeast, 1],
          [atMost, -1],
        ] as const) {
          const asked = condition("x", value, line, digits, isStrict);
          if (asked.isMet) continue;
          const amount = Number(/([\d.]+)$/.exec(noSignalOf([asked]).nearestFlip!)![1]);
          expect(condition("x", value + sign * amount, line, digits, isStrict).isMet).toBe(true);
          const less = amount - 10 ** -digits;
          // One step less than nothing would be a step the other way.
          if (less > 1e-9)
            expect(condition("x", value + sign * (less - 1e-9), line, digits, isStrict).isMet).toBe(false);
        }
      }),
    );
  });
});

describe("nearest flip", () => {
  it("is enough, and a tenth less is not", () => {
    for (const composite of [30, 33.33, 41.27, 44.95]) {
      const refused = exampleVerdict({ seat: { composite } });
      const needed = Number(/^needs \+([\d.]+) composite$/.exec(refused.nearestFlip ?? "")?.[1]);
      expect(needed).toBeGreaterThan(0);
      expect(exampleVerdict({ seat: { composite: composite + needed } }).leg).toBe(0);
      expect(exampleVerdict({ seat: { composite: composite + needed - 0.1 } }).leg).toBeNull();
    }
  });

  it("asks for confidence where no composite would be enough, or the policy gives it no weight", () => {
    const lacking = (composite: number, composite_weight: number) => {
      const momentumPercentile = 85;
      const signals_confidence = { ...examplePolicy.signals_confidence, min_confidence: 0.9, composite_weight };
      const market = exampleMarket([exampleSymbol("AAA")], [exampleSeat("AAA", { composite, momentumPercentile })]);
      const seated = { ...market, symbols: { AAA: { ...market.symbols.AAA!, momentumPercentile } } };
      const { candidates } = decide(exampleAccount(), seated, { ...examplePolicy, signals_confidence });
      return candidates[0]!.nearestFlip;
    };
    expect(lacking(20, 0.2)).toBe("needs +0.180 of confidence");
    expect(lacking(20, 0)).toBe("needs +0.050 of confidence");
    // 0.6 × 0.6 + 0.4 × 0.85 = 0.70
    expect(lacking(60, 0.6)).toBe("needs +33.4 composite");
    expect(lacking(20, 0.6)).toBe("needs +73.4 composite");
  });

  it("names what a seat without a signal lacks", () => {
    const verdict = exampleVerdict({ seat: { momentumPercentile: 74.1 } });
    expect(verdict).toMatchObject({
      hasSignal: false,
      noSignal: "momentum percentile 74.1 is below 80.0",
      nearestFlip: "needs momentum percentile +5.9",
    });
  });
});
