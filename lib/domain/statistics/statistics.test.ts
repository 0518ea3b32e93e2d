import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TripOutcome } from "../enums.ts";
import { probabilisticSharpe, sharpe } from "../metrics.ts";
import { POLICY_2_9_0 } from "../policy.ts";
import { exampleAccount } from "@/lib/proof/example-market.ts";
import type { BacktestDay, BacktestResult, BacktestTrade } from "../backtest/result.ts";
import { annualTurnover, sharpeAfterTrials, statisticsOf, withNeighbours } from "./statistics.ts";
import { monthlyReturns, tablesOf } from "./tables.ts";

function day(session: string, equity: string, change: Partial<BacktestDay> = {}): BacktestDay {
  return {
    session,
    equity,
    cash: equity,
    gross: "0",
    exposure: 0,
    drawdown: 0,
    regime: "risk_on",
    positions: 0,
    realised: "0",
    unrealised: "0",
    dividends: "0",
    fees: "0",
    flows: "0",
    traded: "0",
    indexClose: null,
    indexReturn: null,
    universeReturn: null,
    refusals: {},
    line: "",
    ...change,
  };
}

function result(days: BacktestDay[], trades: BacktestTrade[] = []): BacktestResult {
  return {
    market: "hand-made",
    config: {
      cash: "100",
      preferences: exampleAccount().preferences,
      policyVersion: POLICY_2_9_0.version,
      engineVersion: "1.0.0",
      from: days[0]?.session ?? "",
      to: days.at(-1)?.session ?? "",
      seed: 1,
      earningsGate: "on",
    },
    symbolCount: 1,
    days,
    orders: [],
    fills: [],
    trades,
    openPositions: [],
    halted: null,
  };
}

const trade = (outcome: TripOutcome, pnl: string): BacktestTrade => ({
  symbol: "AAA",
  name: "AAA",
  sector: null,
  strategy: "MOMENTUM",
  opened: "2020-01-02",
  closed: "2020-01-03",
  sessionsHeld: 1,
  qty: "1",
  entryPrice: "10",
  exitPrice: "10",
  fees: "0",
  pnl,
  pnlFraction: Number(pnl) / 10,
  outcome,
  entryReason: "entry_momentum",
  exitReason: "time_stop",
  entryRegime: "risk_on",
});

const waves = Array.from({ length: 120 }, (_, i) => 0.001 + 0.01 * Math.sin(i * 1.7));

describe("deflated Sharpe ratio", () => {
  it("100 trials with a variance of ½ need an annual Sharpe ratio of 0.1132·√250 for an even chance, as in the paper", () => {
    // Bailey & López de Prado (2014), numerical example: SR0 = 0.1132 a day. Returns whose own ratio is that have even odds.
    const half = Math.sqrt(0.5) * Math.sqrt(99 / 100) * Math.sqrt(252 / 250);
    const sharpes = Array.from({ length: 100 }, (_, i) => (i % 2 === 0 ? half : -half));
    const noise = Array.from({ length: 500 }, (_, i) => (i % 2 === 0 ? 1 : -1));
    const deviation = Math.sqrt(500 / 499);
    const returns = noise.map((value) => (value / deviation + 0.1132) / 100);
    expect(sharpeAfterTrials(returns, { count: 100, sharpes })).toBeCloseTo(0.5, 2);
  });
  it("one trial deflates nothing, more trials deflate more", () => {
    const one = sharpeAfterTrials(waves, { count: 1, sharpes: [2] })!;
    const ten = sharpeAfterTrials(waves, { count: 10, sharpes: [0, 1, 2] })!;
    const many = sharpeAfterTrials(waves, { count: 1000, sharpes: [0, 1, 2] })!;
    expect(one).toBe(probabilisticSharpe(waves, 0));
    expect(ten).toBeLessThan(one);
    expect(many).toBeLessThan(ten);
  });
  it("several trials without Sharpe ratios leave it undefined, with the reason", () => {
    expect(sharpeAfterTrials(waves, { count: 3, sharpes: [1] })).toBeNull();
    const statistics = statisticsOf(result([day("2020-01-02", "101")]), { count: 3, sharpes: [] });
    const found = statistics.find(({ id }) => id === "deflated_sharpe");
    expect(found).toMatchObject({ value: null, reason: "the trials so far left fewer than two Sharpe ratios" });
  });
});

describe("statistics of a run", () => {
  it("every undefined figure says why, every defined one gives no reason", () => {
    for (const days of [[], [day("2020-01-02", "101")]]) {
      for (const { value, reason } of statisticsOf(result(days), { count: 1, sharpes: [] })) {
        expect(value === null).toBe(reason !== null && reason !== "");
      }
    }
  });
  const reasonsOf = (run: BacktestResult) =>
    Object.fromEntries(statisticsOf(run, { count: 1, sharpes: [] }).map(({ id, reason }) => [id, reason]));
  it("says of trades what they lack: none was closed, or none won or lost", () => {
    const days = [day("2020-01-02", "101")];
    const none = reasonsOf(result(days));
    expect(none).toMatchObject({ win_rate: "no trade was closed", profit_factor: "no trade was closed" });
    const even = reasonsOf(result(days, [trade("SCRATCH", "0")]));
    expect(even).toMatchObject({ win_rate: "only even round trips", profit_factor: "no losses", mean_held: null });
    const won = reasonsOf(result(days, [trade("WIN", "5")]));
    expect(won).toMatchObject({ win_rate: null, profit_factor: "no losses" });
  });
  it("of an account that lost everything says that nothing is left, not that the run was too short", () => {
    const dates = Array.from({ length: 252 }, (_, i) => new Date(Date.UTC(2020, 0, 2 + i)).toISOString().slice(0, 10));
    const lost = reasonsOf(result(dates.map((date, i) => day(date, i < 251 ? "100" : "0"))));
    expect(lost).toMatchObject({ cagr: "nothing is left", calmar: "nothing is left" });
    const flat = reasonsOf(result(dates.map((date) => day(date, "100"))));
    expect(flat).toMatchObject({ cagr: null, calmar: "no drawdown" });
    const short = reasonsOf(result([day("2020-01-02", "90")]));
    expect(short).toMatchObject({ cagr: "fewer than 252 sessions", calmar: "fewer than 252 sessions" });
  });
  it("the Sharpe ratio is the metrics' own, of returns from the starting cash on", () => {
    let equity = 100;
    const days = waves.map((value, i) => {
      equity *= 1 + value;
      return day(new Date(Date.UTC(2020, 0, 2 + i)).toISOString().slice(0, 10), equity.toFixed(9));
    });
    const found = statisticsOf(result(days), { count: 1, sharpes: [] }).find(({ id }) => id === "sharpe");
    expect(found?.value).toBeCloseTo(sharpe(waves)!, 6);
  });
  it("turnover is half the traded value over mean equity, a year of 252 sessions", () => {
    const days = [day("2020-01-02", "100", { traded: "60" }), day("2020-01-03", "100", { traded: "20" })];
    expect(annualTurnover(result(days))).toBeCloseTo((40 / 100) * (252 / 2), 9);
  });
});

describe("tables of a run", () => {
  const days = [
    day("2020-01-30", "110"),
    day("2020-01-31", "120", { regime: "neutral" }),
    day("2020-02-03", "90", { regime: "risk_off" }),
  ];
  it("months chain from the starting cash", () => {
    const months = monthlyReturns(result(days));
    expect(months.map(({ year, month }) => `${year}-${month}`)).toEqual(["2020-1", "2020-2"]);
    expect(months[0]!.value).toBeCloseTo(0.2, 12);
    expect(months[1]!.value).toBeCloseTo(-0.25, 12);
  });
  it("the P&L of the regimes adds up to the change of equity", () => {
    const { regimeDays } = tablesOf(result(days));
    expect(regimeDays.map(({ regime, pnl }) => `${regime} ${pnl}`)).toEqual([
      "risk_on 10",
      "neutral 10",
      "risk_off -30",
    ]);
  });
});

describe("runs of varied settings", () => {
  const returns = Array.from({ length: 250 }, (_, i) => 0.001 + 0.01 * Math.sin(i * 1.7));
  const ratios = fc.array(fc.double({ min: -3, max: 3, noNaN: true }), { maxLength: 30 });

  it("are counted, and never make the best look better than without them", () => {
    let compared = 0;
    fc.assert(
      fc.property(ratios, ratios, fc.nat(5), (own, varied, without) => {
        const trials = { count: own.length + 1, sharpes: own };
        const all = withNeighbours(trials, { count: varied.length + without, sharpes: varied });
        expect(all.count).toBe(own.length + 1 + varied.length + without);
        const [before, after] = [sharpeAfterTrials(returns, trials), sharpeAfterTrials(returns, all)];
        if (before === null || after === null) return;
        compared += 1;
        expect(after).toBeLessThanOrEqual(before + 1e-12);
      }),
    );
    expect(compared).toBeGreaterThan(20);
  });

  it("that resemble each other do not narrow the spread of different tries", () => {
    const trials = { count: 2, sharpes: [-1, 2] };
    const alike = { count: 24, sharpes: Array.from({ length: 24 }, () => 0.5) };
    expect(withNeighbours(trials, alike)).toEqual({ count: 26, sharpes: [-1, 2] });
    expect(withNeighbours({ count: 1, sharpes: [0.4] }, alike).sharpes).toHaveLength(25);
  });
});
