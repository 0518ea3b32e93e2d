import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { POLICY_2_9_0 as policy } from "../policy.ts";
import { addDays } from "../time.ts";
import { dayReturn, labelOf, readRegime, type RegimeInput, type RegimeMemory, votesOf } from "./regime.ts";

const flat = (last: number) => [...new Array<number>(249).fill(100), last];
const UP: RegimeInput = { spyCloses: flat(103), vix: 12, spyDayReturn: 0.001 };
const DOWN: RegimeInput = { spyCloses: flat(97), vix: 28, spyDayReturn: -0.01 };
const CALM: RegimeInput = { spyCloses: flat(100), vix: 20, spyDayReturn: 0 };

function run(inputs: RegimeInput[], from: RegimeMemory | null = null) {
  let memory = from;
  return inputs.map((input, i) => {
    const reading = readRegime(input, memory, addDays("2020-01-01", i), policy);
    memory = reading.memory;
    return reading;
  });
}

const labels = (inputs: RegimeInput[]) => run(inputs).map(({ view }) => view.label);

describe("the vote table", () => {
  const order = [-1, 0, 1];
  const cases = order.flatMap((ma20) => order.flatMap((ma50) => order.map((vix) => [ma20, ma50, vix] as const)));
  it.each(cases)("SMA20 %i, SMA50 %i, VIX %i", (ma20, ma50, vix) => {
    const sum = ma20 + ma50 + vix;
    const expected = sum >= 2 ? "risk_on" : sum <= -2 ? "risk_off" : "neutral";
    expect(labelOf({ ma20, ma50, vix, isShock: false, isVixKnown: true }, policy)).toBe(expected);
    expect(labelOf({ ma20, ma50, vix, isShock: true, isVixKnown: true }, policy)).toBe("risk_off");
  });

  it("reads the votes with a band of half a percent and the VIX lines 15 and 25", () => {
    const votes = (close: number, vix: number) =>
      readRegime({ spyCloses: flat(close), vix, spyDayReturn: 0 }, null, "2020-01-02", policy).view.votes;
    expect(votes(103, 14.99)).toBe(3);
    expect(votes(103, 15)).toBe(2);
    expect(votes(103, 25)).toBe(2);
    expect(votes(103, 25.01)).toBe(1);
    expect(votes(100.4, 20)).toBe(0);
    expect(votes(97, 20)).toBe(-2);
  });
});

describe("a close exactly on a line of the regime is on neither side of it", () => {
  const voteOf = (spyClose: number, average: number) =>
    votesOf({ vix: 20, spyClose, spyMa20: average, spyMa50: null, spyDayReturn: 0 }, policy).ma20;

  it("at every average of SPY to the cent, and a hundred-thousandth of a dollar beyond it on its own side", () => {
    const wrong: number[] = [];
    for (let cents = 10_000; cents < 80_000; cents += 7) {
      const average = cents / 100;
      const at = (line: number, more: number) => voteOf((cents * line + more) / 100_000, average);
      const votes = [at(1005, 0), at(1005, 1), at(995, 0), at(995, -1)];
      if (votes.join() !== "0,1,0,-1") wrong.push(average);
    }
    expect(wrong).toEqual([]);
  });

  it("a fall of exactly the shock is one, whatever the close before", () => {
    const line = policy.signals_confidence.regime_spy_shock;
    const falls = Array.from({ length: 3_000 }, (_, i) => (10_000 + 25 * i) / 100);
    expect(falls.filter((before) => dayReturn(Math.round(before * 96) / 100, before) !== line)).toEqual([]);
    expect(dayReturn(96.01, 100)).toBeGreaterThan(line);
    expect([dayReturn(null, 100), dayReturn(100, undefined), dayReturn(100, Number.NaN), dayReturn(1, 0)]).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
});

describe("the machine", () => {
  it("begins neutral and needs two closes for risk_on", () => {
    expect(labels([UP, UP, UP])).toEqual(["neutral", "risk_on", "risk_on"]);
  });

  it("needs one close for risk_off, whatever the dwell", () => {
    expect(labels([UP, UP, DOWN])).toEqual(["neutral", "risk_on", "risk_off"]);
  });

  it("is in force for five sessions, its first included, before it leaves upwards", () => {
    const fiveOff = new Array<string>(5).fill("risk_off");
    expect(labels([DOWN, UP, UP, UP, UP, UP, UP])).toEqual([...fiveOff, "risk_on", "risk_on"]);
  });

  it("whatever the closes: no label but by way of risk_off is in force for fewer than five sessions", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(UP, DOWN, CALM), { minLength: 1, maxLength: 60 }), (inputs) => {
        const runs: { label: string; sessions: number }[] = [];
        for (const label of labels(inputs)) {
          const last = runs.at(-1);
          if (last?.label === label) last.sessions++;
          else runs.push({ label, sessions: 1 });
        }
        // The machine begins neutral without having entered it, and the last label may not be over yet.
        for (const [i, { sessions }] of runs.slice(0, -1).entries())
          if (i > 0 && runs[i + 1]?.label !== "risk_off") expect(sessions).toBeGreaterThanOrEqual(5);
      }),
    );
  });

  it("one close in between does not make a regime", () => {
    expect(labels([UP, CALM, UP, CALM])).toEqual(["neutral", "neutral", "neutral", "neutral"]);
  });

  it("a VIX of 35 or an SPY day of −4 % is risk_off at once", () => {
    expect(labels([{ ...UP, vix: 35 }])).toEqual(["risk_off"]);
    expect(labels([{ ...UP, spyDayReturn: -0.04 }])).toEqual(["risk_off"]);
  });

  it("a shock waits for no second close, whatever the policy asks for a fall", () => {
    const patient = { ...policy, signals_confidence: { ...policy.signals_confidence, regime_risk_off_closes: 3 } };
    const after = (input: RegimeInput) => readRegime(input, null, "2020-01-02", patient).view.label;
    expect(after(DOWN)).toBe("neutral");
    expect(after({ ...UP, vix: 35 })).toBe("risk_off");
    expect(after({ ...UP, spyDayReturn: -0.04 })).toBe("risk_off");
  });

  it("a missing VIX is no better than one of fear where no label has a dwell", () => {
    const undwelling = { ...policy, signals_confidence: { ...policy.signals_confidence, regime_dwell_sessions: 0 } };
    // Below its average of 20 days, on that of 50.
    const spyCloses = [...new Array<number>(230).fill(99), ...new Array<number>(19).fill(101.6), 100];
    const of = (vix: number | null) =>
      readRegime({ spyCloses, spyDayReturn: 0, vix }, null, "2020-01-02", undwelling).view.label;
    expect([of(28), of(null)]).toEqual(["risk_off", "risk_off"]);
  });

  it("without VIX there is no risk_on and no way out of risk_off", () => {
    const blind = { ...UP, vix: null };
    expect(labels([blind, blind, blind])).toEqual(["neutral", "neutral", "neutral"]);
    expect(labels([UP, UP, blind])).toEqual(["neutral", "risk_on", "neutral"]);
    expect(new Set(labels([DOWN, ...new Array<RegimeInput>(10).fill(blind)]))).toEqual(new Set(["risk_off"]));
  });

  it("without VIX it is risk_off as a precaution where its fear would have made it so, and the memory waits", () => {
    // Below the band of SMA20 and within that of SMA50: one average votes.
    const falling = [...new Array<number>(230).fill(100), ...new Array<number>(20).fill(102)];
    const weak = { spyCloses: [...falling.slice(0, -1), 101], vix: 20, spyDayReturn: -0.01 };
    expect(readRegime(weak, null, "2020-01-02", policy).view).toMatchObject({ label: "neutral", votes: -1 });
    expect(labels([{ ...weak, vix: 26 }])).toEqual(["risk_off"]);
    expect(labels([{ ...weak, vix: null }, weak])).toEqual(["risk_off", "neutral"]);
    // As long as the label that a VIX of fear had made would have been in force.
    const calm = { ...CALM, vix: null };
    const off = new Array<string>(5).fill("risk_off");
    expect(labels([{ ...weak, vix: null }, calm, calm, calm, calm, calm])).toEqual([...off, "neutral"]);
  });

  it("without VIX no session has a higher label than with one below its line of shock", () => {
    const order = ["risk_off", "neutral", "risk_on"];
    // With averages that are one, and with ones between which a close lies: there a single average votes, and the VIX decides.
    const apart = (before: number, last: number) => [
      ...flat(100).slice(0, -20),
      ...new Array<number>(19).fill(before),
      last,
    ];
    const series = [...[97, 99.4, 100, 100.6, 103].map(flat), apart(102, 101), apart(98, 99)];
    const closes = fc.array(fc.constantFrom(...series), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(closes, fc.constantFrom(13, 20, 28), (readings, vix) => {
        const inputs = readings.map((spyCloses) => ({ spyCloses, vix, spyDayReturn: 0 }));
        const seen = labels(inputs);
        for (const [i, label] of labels(inputs.map((input) => ({ ...input, vix: null }))).entries())
          expect(order.indexOf(label)).toBeLessThanOrEqual(order.indexOf(seen[i]!));
      }),
    );
  });

  it("without SPY it is risk_off as a precaution, and the memory waits", () => {
    const away = { spyCloses: [], vix: 12, spyDayReturn: null };
    expect(labels([UP, UP, away, UP])).toEqual(["neutral", "risk_on", "risk_off", "risk_on"]);
  });

  it("a session without SPY neither ends nor shortens the precaution of a VIX that is missing", () => {
    const falling = [...new Array<number>(230).fill(100), ...new Array<number>(20).fill(102)];
    const weak = { spyCloses: [...falling.slice(0, -1), 101], vix: null, spyDayReturn: -0.01 };
    const away = { spyCloses: [], vix: null, spyDayReturn: null };
    const calm = { ...CALM, vix: null };
    const off = new Array<string>(6).fill("risk_off");
    expect(labels([weak, away, calm, calm, calm, calm, calm])).toEqual([...off, "neutral"]);
  });

  it("a session without SPY is a flip where it is a fall, and none where the market was falling", () => {
    const away = { spyCloses: [], vix: 12, spyDayReturn: null };
    const flips = (inputs: RegimeInput[]) => run(inputs).map(({ hasFlipped }) => hasFlipped);
    expect(flips([UP, UP, away, away, UP])).toEqual([false, true, true, false, true]);
    expect(flips([DOWN, away])).toEqual([true, false]);
    expect(flips([away])).toEqual([true]);
  });

  it("the same session asked twice gives the same answer and the same memory", () => {
    const first = readRegime(UP, null, "2020-01-02", policy);
    const second = readRegime(DOWN, first.memory, "2020-01-02", policy);
    expect(second).toEqual(first);
  });

  it("says when it flips", () => {
    expect(run([UP, UP, UP, DOWN]).map(({ hasFlipped }) => hasFlipped)).toEqual([false, true, false, true]);
  });

  it("memory survives JSON", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(UP, DOWN, CALM, { ...UP, vix: null }), { minLength: 1, maxLength: 30 }),
        (inputs) => {
          let memory: RegimeMemory | null = null;
          const plain = run(inputs).map(({ view }) => view);
          const revived = inputs.map((input, i) => {
            const reading = readRegime(input, memory, addDays("2020-01-01", i), policy);
            memory = JSON.parse(JSON.stringify(reading.memory)) as RegimeMemory;
            return reading.view;
          });
          expect(revived).toEqual(plain);
        },
      ),
    );
  });
});
