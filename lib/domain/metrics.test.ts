import { describe, expect, it } from "vitest";
import {
  cagr,
  calmar,
  dayTradeCount,
  deflatedSharpe,
  equityCurve,
  kurtosis,
  maxDrawdown,
  minTrackRecord,
  periodPnl,
  pnlBySession,
  probabilisticSharpe,
  profitFactor,
  sharpe,
  skewness,
  slippageBps,
  sortino,
  timeWeightedReturn,
  tripOutcome,
  turnover,
  winRate,
} from "./metrics.ts";
import { money, text } from "./money.ts";

/** The 252 daily returns of the shared vectors (metrics.mjs), from the same generator. */
function vectorReturns(): number[] {
  let state = 20260109;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
  return Array.from({ length: 252 }, () => {
    let total = 0;
    for (let k = 0; k < 12; k++) total += random();
    return Math.round((0.0006 + 0.011 * (total - 6)) * 1e6) / 1e6;
  });
}

describe("metrics pinned by the shared vectors", () => {
  const returns = vectorReturns();
  const near = (value: number | null, expected: number, digits = 4) =>
    expect(value?.toFixed(digits)).toBe(expected.toFixed(digits));

  it("generates the same returns", () => {
    expect(returns.slice(0, 5)).toEqual([-0.006159, 0.004045, -0.009097, -0.017663, 0.000213]);
  });
  it("Sharpe, Sortino, Calmar", () => {
    near(sharpe(returns), 1.1796);
    near(sortino(returns), 1.7092);
    near(calmar(returns), 2.1336);
  });
  it("max drawdown and CAGR", () => {
    near(maxDrawdown(equityCurve(returns)), -0.099867, 6);
    near(cagr(returns), 0.213078, 6);
  });
  it("skew, kurtosis, PSR, MinTRL", () => {
    near(skewness(returns), -0.2352);
    near(kurtosis(returns), 2.7558);
    near(probabilisticSharpe(returns), 0.8781);
    near(probabilisticSharpe(returns, 1), 0.5704);
    near(minTrackRecord(returns), 500.7, 1);
  });
  it("one-way turnover 0.30", () => {
    const after = { A: 0.3, B: 0.2, C: 0.25, E: 0.25 };
    near(turnover({ A: 0.25, B: 0.25, C: 0.25, D: 0.25 }, after), 0.3, 9);
  });
  it("deflated Sharpe: one trial is the PSR, more trials and more spread among them deflate it", () => {
    expect(deflatedSharpe(returns, 1, 0.5)).toBe(probabilisticSharpe(returns));
    // The best of 10 worthless trials shows 1.5746 standard deviations by luck (Bailey & López de Prado 2014, eq. 1).
    near(deflatedSharpe(returns, 10, 0.25), probabilisticSharpe(returns, 0.5 * 1.5746)!, 4);
    expect(deflatedSharpe(returns, 100, 0.25)!).toBeLessThan(deflatedSharpe(returns, 10, 0.25)!);
    expect(deflatedSharpe(returns, 10, 1)!).toBeLessThan(deflatedSharpe(returns, 10, 0.25)!);
    expect(deflatedSharpe(returns.slice(0, 59), 10, 1)).toBeNull();
  });
  it("time-weighted return 2.90 % through a deposit", () => {
    near(
      timeWeightedReturn([
        { start: money(10_000), end: money(10_500) },
        { start: money(15_500), end: money(15_190) },
      ]),
      0.029,
      6,
    );
  });
});

describe("what is not defined is null", () => {
  it("Sharpe below 60 returns, CAGR below 252, profit factor without losses, win rate of scratches", () => {
    expect(sharpe(new Array(59).fill(0.01))).toBeNull();
    expect(sharpe(new Array(60).fill(0.01))).toBeNull();
    expect(cagr(new Array(251).fill(0.01))).toBeNull();
    expect(profitFactor([money(3), money(0)])).toBeNull();
    expect(winRate(["SCRATCH"])).toBeNull();
    expect(maxDrawdown([])).toBeNull();
    expect(timeWeightedReturn([{ start: money(0), end: money(1) }])).toBeNull();
  });
});

describe("P&L", () => {
  it("a win rate leaves scratches out", () => {
    expect(winRate(["WIN", "LOSS", "SCRATCH", "WIN"])).toBeCloseTo(2 / 3);
    expect(["0.005", "-0.005", "0.0051", "-0.0051"].map((pnl) => tripOutcome(money(pnl)))).toEqual([
      "SCRATCH",
      "SCRATCH",
      "WIN",
      "LOSS",
    ]);
  });
  it("a deposit is not a profit", () => {
    expect(text(periodPnl(money(10_000), money(15_190), money(5_000)))).toBe("190");
  });
  it("buckets by the New York date of the exit", () => {
    const buckets = pnlBySession([
      { at: "2020-02-04T01:00:00.000Z", realizedPnl: money("1.1") },
      { at: "2020-02-04T15:00:00.000Z", realizedPnl: money("2.2") },
    ]);
    expect([...buckets].map(([date, pnl]) => [date, text(pnl)])).toEqual([
      ["2020-02-03", "1.1"],
      ["2020-02-04", "2.2"],
    ]);
  });
  it("slippage is worse when we pay more or receive less", () => {
    expect(slippageBps("BUY", money(100), money(101))).toBeCloseTo(100);
    expect(slippageBps("SELL", money(100), money(101))).toBeCloseTo(-100);
  });
});

describe("day trades", () => {
  const sessions = ["2020-01-30", "2020-01-31", "2020-02-03", "2020-02-04", "2020-02-05", "2020-02-06"];
  const at = (date: string, minute: number) => `${date}T15:${String(minute).padStart(2, "0")}:00.000Z`;
  it("counts each turn from buying to selling one symbol in one of five sessions", () => {
    const fills = [
      { symbol: "A", side: "BUY" as const, at: at("2020-01-30", 1) },
      { symbol: "A", side: "SELL" as const, at: at("2020-01-30", 2) },
      { symbol: "A", side: "SELL" as const, at: at("2020-02-04", 3) },
      { symbol: "A", side: "BUY" as const, at: at("2020-02-04", 1) },
      { symbol: "A", side: "BUY" as const, at: at("2020-02-04", 2) },
      { symbol: "B", side: "SELL" as const, at: at("2020-02-04", 4) },
      { symbol: "B", side: "BUY" as const, at: at("2020-02-04", 5) },
      { symbol: "B", side: "SELL" as const, at: at("2020-02-05", 4) },
    ];
    expect(dayTradeCount(fills, sessions)).toBe(1);
  });
});
