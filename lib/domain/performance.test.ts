import { expect, it } from "vitest";
import { benchmarkIndex, NO_BENCHMARK } from "./benchmark.ts";
import { calendarReturns } from "./calendar-returns.ts";
import { deepestFall, type EquityAt, growthOf } from "./growth.ts";
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
  // The close of the running session is not known, and no price of now: SPY over the same sessions is not known.
  expect(y2020?.months).toHaveLength(1);
  expect(y2020?.value).toBeCloseTo(0.1, 12);
  expect(y2020?.spy).toBeNull();
  const [withPrice] = calendarReturns(growth, index, { session: "2020-01-03", level: 132 });
  expect(withPrice?.spy).toBeCloseTo(0.2, 12);
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
