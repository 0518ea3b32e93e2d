import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { POLICY_2_9_0 as policy } from "../policy.ts";
import { addDays } from "../time.ts";
import { regimeDistance } from "./regime-distance.ts";
import { type RegimeFacts, type RegimeMemory, regimeOf } from "./regime.ts";

const FEAR: RegimeFacts = {
  vix: 37.32,
  spyClose: 265,
  spyMa20: 270,
  spyMa50: 266,
  spyMa200: 250,
  spyDayReturn: -0.042,
};

function memoryAfter(readings: RegimeFacts[]): RegimeMemory {
  let memory: RegimeMemory | null = null;
  for (const [i, facts] of readings.entries())
    memory = regimeOf(facts, memory, addDays("2018-02-01", i), policy).memory;
  return memory!;
}

const OPEN = ["risk_on", "neutral"] as const;

describe("how far a calmer market is", () => {
  it("tells the VIX of a shock, the close that spares the rest, and the sessions that the label stays at least", () => {
    const distance = regimeDistance(memoryAfter([FEAR]), OPEN, policy);
    // Above the 50-day average and its band one vote is won, which outweighs the 20-day average that is still above.
    expect(distance).toEqual({
      ways: [
        { spyAbove: 266 * 1.005, vixBelow: 35 },
        { spyAbove: null, vixBelow: 25 },
      ],
      sessions: 5,
      closes: 2,
    });
  });

  it("asks for both at once where neither alone is enough", () => {
    const below = { ...FEAR, vix: 30, spyClose: 260, spyDayReturn: 0 };
    expect(regimeDistance(memoryAfter([below]), OPEN, policy)?.ways).toEqual([
      { spyAbove: 266 * 1.005, vixBelow: null },
      { spyAbove: 266 * 0.995, vixBelow: 25 },
      { spyAbove: null, vixBelow: 15 },
    ]);
  });

  it("asks for nothing more where the market has calmed and only the time is left", () => {
    const calm = { ...FEAR, vix: 18, spyClose: 271, spyDayReturn: 0.02 };
    expect(regimeDistance(memoryAfter([FEAR, calm, calm]), OPEN, policy)).toEqual({
      ways: [{ spyAbove: null, vixBelow: null }],
      sessions: 3,
      closes: 1,
    });
  });

  it("is not known without the VIX or SPY, and there is none where the label is in force", () => {
    expect(regimeDistance(memoryAfter([FEAR, { ...FEAR, vix: null }]), OPEN, policy)).toBeNull();
    expect(regimeDistance(memoryAfter([FEAR, { ...FEAR, spyClose: null, spyMa50: null }]), OPEN, policy)).toBeNull();
    expect(regimeDistance(memoryAfter([FEAR]), ["risk_off"], policy)).toBeNull();
  });
});

const level = (around: number) => fc.double({ min: around * 0.9, max: around * 1.1, noNaN: true });
const anyFacts = fc.record<RegimeFacts>({
  vix: fc.double({ min: 9, max: 60, noNaN: true }),
  spyClose: level(265),
  spyMa20: level(265),
  spyMa50: level(265),
  spyMa200: fc.constant(250),
  spyDayReturn: fc.constant(0),
});

it("whatever the market was: with a way's closes the machine turns in the session that was told, and just short of them it never does", () => {
  fc.assert(
    fc.property(fc.array(anyFacts, { minLength: 1, maxLength: 12 }), fc.boolean(), (before, isStrict) => {
      const wanted = isStrict ? (["risk_on"] as const) : OPEN;
      const memory = memoryAfter(before);
      const distance = regimeDistance(memory, wanted, policy);
      if (distance === null) return;
      const { vix, spyClose } = memory.view;
      const turnsAfter = (facts: Partial<RegimeFacts>) => {
        let next = memory;
        for (let session = 1; session <= 15; session++) {
          const closes = { ...before.at(-1)!, ...facts };
          next = regimeOf(closes, next, addDays(memory.sessionDate, session), policy).memory;
          if ((wanted as readonly string[]).includes(next.view.label)) return session;
        }
        return null;
      };
      expect(distance.ways.length).toBeGreaterThan(0);
      for (const { spyAbove, vixBelow } of distance.ways) {
        const there = {
          spyClose: spyAbove === null ? spyClose : spyAbove * 1.000001,
          vix: vixBelow === null ? vix : vixBelow * 0.999999,
        };
        expect(turnsAfter(there)).toBe(distance.sessions);
        if (spyAbove !== null) expect(turnsAfter({ ...there, spyClose: spyAbove * 0.999999 })).toBeNull();
        if (vixBelow !== null) expect(turnsAfter({ ...there, vix: vixBelow * 1.000001 })).toBeNull();
      }
    }),
  );
});
