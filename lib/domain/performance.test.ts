import fc from "fast-check";
import { expect, it } from "vitest";
import { benchmarkIndex, NO_BENCHMARK } from "./benchmark.ts";
import { calendarReturns } from "./calendar-returns.ts";
import { deepestFall, type EquityAt, growthOf } from "./growth.ts";
import { sessionsBetween } from "./market-calendar.ts";
import { METRICS } from "./metrics-registry.ts";
import { money, ZERO } from "./money.ts";
import { type PerformanceInput, performanceOf } from "./performance.ts";
import { addDays } from "./time.ts";

const at = (session: string, equity: string, netDeposits: string): EquityAt => ({
  session,
  equity: money(equity),
  netDeposits: money(netDeposits),
});
const NO_TRIPS = { wins: 0, losses: 0, scratches: 0, pnl: ZERO, won: ZERO, lost: ZERO, gains: ZERO, falls: ZERO };
const INPUT: PerformanceInput = {
  closes: [],
  before: null,
  running: null,
  benchmark: NO_BENCHMARK,
  benchmarkPrice: null,
  trips: NO_TRIPS,
  traded: ZERO,
  exposures: [],
  fees: ZERO,
  slippageBps: null,
};
const valuesOf = (input: Partial<PerformanceInput>) =>
  Object.fromEntries(performanceOf({ ...INPUT, ...input }).figures.map(({ id, value }) => [id, value]));
const reasonsOf = (input: Partial<PerformanceInput>) =>
  Object.fromEntries(performanceOf({ ...INPUT, ...input }).figures.map(({ id, reason }) => [id, reason]));

it("a deposit is neither gain nor loss: 10,000 to 10,500, 5,000 paid in, 15,190 is 2.90 %", () => {
  const closes = [at("2020-01-02", "10500", "10000"), at("2020-01-03", "15190", "15000")];
  const figures = valuesOf({ closes });
  expect(figures.timeWeightedReturn).toBeCloseTo(1.05 * (15190 / 15500) - 1, 12);
  expect(figures.timeWeightedReturn).toBeCloseTo(0.029, 4);
  expect(figures.periodPnl).toBe(190);
  expect(figures.maxDrawdown).toBeCloseTo(15190 / 15500 - 1, 12);
});

it("a period begins with the close before it", () => {
  const before = at("2020-01-02", "10500", "10000");
  const closes = [at("2020-01-03", "15190", "15000")];
  expect(valuesOf({ closes, before })).toMatchObject({ periodPnl: -310, timeWeightedReturn: -0.02 });
});

it("tells of each session what it began with, what came in and what it made, which add up to its end", () => {
  const closes = [at("2020-01-02", "10500", "10000"), at("2020-01-03", "15190", "15000")];
  const { days } = performanceOf({ ...INPUT, closes, running: at("2020-01-06", "14690.5", "14500") });
  expect(days.map(({ session, ...day }) => [session, ...[day.equity, day.flow, day.pnl].map(String)])).toEqual([
    ["2020-01-02", "10500", "10000", "500"],
    ["2020-01-03", "15190", "5000", "-310"],
    ["2020-01-06", "14690.5", "-500", "0.5"],
  ]);
});

it("the running session counts for the return and the drawdown, not for daily statistics", () => {
  const closes = [at("2020-01-02", "100", "100")];
  const figures = valuesOf({ closes, running: at("2020-01-03", "90", "100") });
  expect(figures.timeWeightedReturn).toBeCloseTo(-0.1, 12);
  expect(figures.maxDrawdown).toBeCloseTo(-0.1, 12);
  expect(figures.periodPnl).toBe(-10);
  expect(reasonsOf({ closes }).volatility).toBe("needs 20 closed sessions; there is 1");
});

it("sessions without money are no sessions, and a start with debts has no return", () => {
  const empty = [at("2020-01-02", "0", "0"), at("2020-01-03", "110", "100")];
  expect(growthOf(empty, null)).toHaveLength(1);
  expect(valuesOf({ closes: empty }).timeWeightedReturn).toBeCloseTo(0.1, 12);
  expect(reasonsOf({ closes: [at("2020-01-02", "5", "-5")] }).timeWeightedReturn).toBe("a session began without money");
});

it("where growth is not defined no figure of it is, and each says so", () => {
  const closes = Array.from({ length: 70 }, (_, i) => at(addDays("2020-01-02", i), "100", "100"));
  const owing = [at("2020-01-01", "10", "-90"), ...closes];
  const [values, reasons] = [valuesOf({ closes: owing }), reasonsOf({ closes: owing })];
  for (const id of ["timeWeightedReturn", "maxDrawdown", "volatility", "sharpe", "sortino", "cagr", "calmar"])
    expect([id, values[id], reasons[id]]).toEqual([id, null, "a session began without money"]);
});

it("an account that lost everything has no growth a year and no Calmar ratio, for nothing is left", () => {
  const lost = Array.from({ length: 253 }, (_, i) => at(addDays("2019-01-01", i), i < 252 ? "100" : "0", "100"));
  expect(valuesOf({ closes: lost })).toMatchObject({ cagr: null, calmar: null, maxDrawdown: -1 });
  expect(reasonsOf({ closes: lost })).toMatchObject({ cagr: "nothing is left", calmar: "nothing is left" });
  const flat = lost.map(({ session }) => at(session, "100", "100"));
  expect(reasonsOf({ closes: flat })).toMatchObject({ cagr: null, calmar: "there was no drawdown" });
  expect(reasonsOf({ closes: flat.slice(0, 2) }).calmar).toBe("needs 252 closed sessions; there are 2");
});

it("every figure is in the registry, and one without a value says why", () => {
  const ids = new Set(METRICS.map(({ id }) => id));
  for (const { id, value, reason } of performanceOf(INPUT).figures) {
    expect(ids, id).toContain(id);
    if (value === null) expect(reason, id).toBeTruthy();
    else expect(reason, id).toBeNull();
  }
});

it("Sharpe and Sortino wait for 60 sessions, volatility and turnover for 20, growth a year for 252", () => {
  const closes = Array.from({ length: 252 }, (_, i) =>
    at(addDays("2019-01-01", i), String(100 + (i % 7) + i / 50), "100"),
  );
  const defined = (count: number) =>
    Object.entries(valuesOf({ closes: closes.slice(0, count), traded: money(50) }))
      .filter(([, value]) => value !== null)
      .map(([id]) => id);
  expect(defined(19)).not.toContain("volatility");
  expect(defined(20)).toEqual(expect.arrayContaining(["volatility", "annualTurnover"]));
  expect(defined(59)).not.toContain("sharpe");
  expect(defined(60)).toEqual(expect.arrayContaining(["sharpe", "sortino"]));
  expect(defined(251)).not.toContain("cagr");
  expect(defined(252)).toEqual(expect.arrayContaining(["cagr", "calmar"]));
});

it("round trips: rates, averages and expectancy, scratches apart", () => {
  const trips = {
    wins: 2,
    losses: 1,
    scratches: 1,
    pnl: money("20.003"),
    won: money(30),
    lost: money(-10),
    gains: money("30.003"),
    falls: money(-10),
  };
  expect(valuesOf({ trips })).toMatchObject({
    winRate: 2 / 3,
    averageWin: 15,
    averageLoss: -10,
    expectancy: 5.00075,
    profitFactor: 3.0003,
  });
  expect(reasonsOf({ trips: { ...trips, losses: 0, falls: ZERO, lost: ZERO } }).profitFactor).toBe(
    "no round trip lost",
  );
});

it("the deepest fall has its dates, and the day it was made good", () => {
  expect(deepestFall([1, 1.1, 1.05, 0.99, 1.2, 1.15])).toEqual({ peak: 1, trough: 3, recovered: 4 });
  expect(deepestFall([1, 0.9, 0.95])).toEqual({ peak: 0, trough: 1, recovered: null });
  expect(deepestFall([1, 1.1])).toBeNull();
  const closes = [at("2020-01-02", "90", "100"), at("2020-01-03", "80", "100"), at("2020-01-06", "101", "100")];
  const { fall } = performanceOf({ ...INPUT, closes });
  expect(fall).toEqual({ peak: null, trough: "2020-01-03", recovered: "2020-01-06" });
});

it("months and years are compounded, with SPY over the very same sessions", () => {
  // A reading holds the close before its session.
  const index = benchmarkIndex([
    { session: "2019-12-31", close: 100 },
    { session: "2020-01-02", close: 110 },
    { session: "2020-01-03", close: 121 },
  ]);
  const growth = growthOf(
    [at("2019-12-31", "110", "100"), at("2020-01-02", "121", "100"), at("2020-01-03", "121", "100")],
    null,
  );
  const [y2020, y2019] = calendarReturns(growth, index);
  expect(y2019).toMatchObject({ year: 2019, months: [{ month: 12 }] });
  expect(y2019?.value).toBeCloseTo(0.1, 12);
  expect(y2019?.spy).toBeCloseTo(0.1, 12);
  // The close of the running session is not known, and no price of now: both end with the close before it.
  expect(y2020?.months).toMatchObject([{ month: 1, spy: expect.closeTo(0.1, 12) as number }]);
  expect(y2020?.value).toBeCloseTo(0.1, 12);
  expect(y2020?.spy).toBeCloseTo(0.1, 12);
  // A first session of its own has no close yet.
  expect(
    calendarReturns(growth.slice(0, 2), benchmarkIndex([{ session: "2019-12-31", close: 100 }]))[0]?.spy,
  ).toBeNull();
  const [withPrice] = calendarReturns(growth, index, { session: "2020-01-03", level: 132 });
  expect(withPrice?.spy).toBeCloseTo(0.2, 12);
});

/** SPY rises by 0.1 from 250 with each session of 2019 and 2020. */
const SESSIONS = sessionsBetween("2019-01-02", "2020-06-30");
const RISING = benchmarkIndex(SESSIONS.map((session, i) => ({ session, close: 250 + i / 10 })));
/** Of SPY on the day of a session. */
const spyOn = (session: string) => {
  const place = SESSIONS.indexOf(session);
  return (250 + (place + 1) / 10) / (250 + place / 10);
};
const compounded = (factors: readonly number[]) => factors.reduce((all, factor) => all * factor, 1) - 1;

it("while nothing is held SPY does not grow either: 10,000 withdrawn from March to May 2019", () => {
  const equityAt = (session: string) => (session >= "2019-03-01" && session < "2019-06-03" ? "0" : "10000");
  const closes = SESSIONS.slice(0, -1).map((session) => at(session, equityAt(session), equityAt(session)));
  const { comparison, calendar } = performanceOf({ ...INPUT, closes, benchmark: RISING });
  const held = closes.filter(({ equity }) => !equity.isZero()).map(({ session }) => session);
  const y2019 = calendar.at(-1);
  expect(y2019?.months.map(({ month }) => month)).toEqual([1, 2, 6, 7, 8, 9, 10, 11, 12]);
  const in2019 = held.filter((session) => session < "2020");
  expect(y2019?.spy).toBeCloseTo(compounded(in2019.map(spyOn)), 12);
  expect(y2019?.spy).toBeCloseTo(compounded(y2019!.months.map(({ spy }) => 1 + spy!)), 12);
  expect(comparison?.spy).toBeCloseTo(compounded(held.map(spyOn)), 12);
});

it("SPY is held over exactly the sessions of the account's growth: months make the years, years the whole", () => {
  const stretch = fc.record({
    equity: fc.constantFrom("0", "0", "10000", "12500.5"),
    length: fc.integer({ min: 1, max: 45 }),
    isRead: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(stretch, { minLength: 1, maxLength: 12 }), fc.boolean(), (stretches, isEveryRead) => {
      const equities = stretches.flatMap(({ equity, length, isRead }) =>
        new Array<string | null>(length).fill(isRead || isEveryRead ? equity : null),
      );
      const closes = SESSIONS.slice(0, -1).flatMap((session, i) => {
        const equity = equities[i] ?? null;
        return equity === null ? [] : [at(session, equity, equity)];
      });
      const { comparison, calendar, days } = performanceOf({ ...INPUT, closes, benchmark: RISING });
      const years = calendar.map(({ spy }) => spy!);
      for (const { spy, months } of calendar)
        expect(spy).toBeCloseTo(compounded(months.map((month) => 1 + month.spy!)), 10);
      if (days.length === 0) expect(comparison).toBeNull();
      else expect(comparison?.spy).toBeCloseTo(compounded(years.map((spy) => 1 + spy)), 10);
      if (isEveryRead && days.length > 0)
        expect(comparison?.spy).toBeCloseTo(compounded(days.map(({ session }) => spyOn(session))), 10);
    }),
  );
});

it("a session that was not read is in the account's growth and in SPY's", () => {
  const closes = ["2020-01-30", "2020-01-31", "2020-02-04"].map((session) => at(session, "10000", "10000"));
  const before = at("2020-01-28", "10000", "10000");
  const { comparison, calendar } = performanceOf({ ...INPUT, closes, before, benchmark: RISING });
  const over = (from: string, to: string) => compounded(sessionsBetween(from, to).map(spyOn));
  expect(comparison?.spy).toBeCloseTo(over("2020-01-29", "2020-02-04"), 12);
  expect(comparison?.hasOwnStart).toBe(false);
  expect(calendar[0]?.months.map(({ spy }) => spy)).toEqual([
    expect.closeTo(over("2020-01-29", "2020-01-31"), 12),
    expect.closeTo(over("2020-02-03", "2020-02-04"), 12),
  ]);
});

/** The account leads while its own figure runs a day further than SPY's; over the same sessions it trails. */
const AHEAD = {
  closes: [at("2018-01-29", "1010", "1000"), at("2018-01-30", "1023.6", "1000")],
  running: at("2018-01-31", "1028.6", "1000"),
  benchmark: benchmarkIndex([
    { session: "2018-01-29", close: 1000 },
    { session: "2018-01-30", close: 1020 },
    { session: "2018-01-31", close: 1026.3 },
  ]),
};

it("the account and SPY end together: where SPY's price of now is not known, both at the last close", () => {
  const { comparison } = performanceOf({ ...INPUT, ...AHEAD });
  expect(comparison).toMatchObject({ firstSession: "2018-01-29", lastSession: "2018-01-30", isRunning: false });
  expect(comparison?.hasOwnStart).toBe(true);
  expect(comparison?.value).toBeCloseTo(0.0236, 12);
  expect(comparison?.spy).toBeCloseTo(0.0263, 12);
  expect(valuesOf(AHEAD).timeWeightedReturn).toBeCloseTo(0.0286, 12);
  expect(valuesOf(AHEAD).benchmarkReturn).toBe(comparison?.spy);
});

it("with SPY's price of now both end now", () => {
  const { comparison } = performanceOf({ ...INPUT, ...AHEAD, benchmarkPrice: 1030 });
  expect(comparison).toMatchObject({ lastSession: "2018-01-31", isRunning: true });
  expect(comparison?.value).toBeCloseTo(0.0286, 12);
  expect(comparison?.spy).toBeCloseTo(0.03, 12);
});

it("a close of SPY that has not come yet takes the account back to the close before, and none at all says so", () => {
  const { closes } = AHEAD;
  const early = benchmarkIndex([
    { session: "2018-01-29", close: 1000 },
    { session: "2018-01-30", close: 1020 },
  ]);
  const { comparison } = performanceOf({ ...INPUT, closes, benchmark: early });
  expect(comparison).toMatchObject({ lastSession: "2018-01-29", spy: expect.closeTo(0.02, 12) as number });
  expect(comparison?.value).toBeCloseTo(0.01, 12);
  expect(performanceOf({ ...INPUT, closes }).comparison).toBeNull();
  expect(reasonsOf({ closes }).benchmarkReturn).toBe("SPY's closes of these sessions are not known");
});

it("the results of the sessions add up to the P&L of the period, to the cent, without what was paid in", () => {
  const closes = [at("2020-01-02", "100.10", "100"), at("2020-01-03", "649.37", "600"), at("2020-01-06", "0", "0")];
  const { days, figures } = performanceOf({ ...INPUT, closes });
  expect(days.map(({ session, pnl }) => [session, pnl.toString()])).toEqual([
    ["2020-01-02", "0.1"],
    ["2020-01-03", "49.27"],
    ["2020-01-06", "-49.37"],
  ]);
  expect(days.reduce((sum, { pnl }) => sum.plus(pnl), ZERO).toNumber()).toBe(
    figures.find(({ id }) => id === "periodPnl")?.value,
  );
});
