import { expect, it } from "vitest";
import { POLICY_2_9_0 } from "../policy.ts";
import { assumptionsOf } from "./assumptions.ts";
import type { HistoryFacts } from "./history.ts";
import { recordOf } from "./record.ts";
import type { BacktestDay, BacktestResult } from "./result.ts";
import { exampleAccount } from "@/lib/proof/example-market.ts";
import { definitionOf } from "../statistics/definitions.ts";
import { dailyReturns, returnsOf, statisticsOf } from "../statistics/statistics.ts";
import { indexMonths, monthlyReturns } from "../statistics/tables.ts";

const day = (session: string, equity: string, change: Partial<BacktestDay> = {}): BacktestDay => ({
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
  indexClose: 100,
  indexReturn: 0,
  universeReturn: 0.01,
  refusals: {},
  line: "",
  ...change,
});

const result: BacktestResult = {
  market: "example",
  config: {
    cash: "1000",
    preferences: exampleAccount().preferences,
    policyVersion: "2.9.0",
    engineVersion: "1.0.0",
    from: "2020-01-30",
    to: "2020-02-04",
    seed: 1,
    earningsGate: "on",
  },
  symbolCount: 2,
  days: [
    day("2020-01-30", "1010", { indexClose: null, indexReturn: null, refusals: { sector: 2 } }),
    day("2020-01-31", "1020", { refusals: { regime: 1, sector: 1 } }),
    day("2020-02-03", "999.9", { indexClose: 110, indexReturn: 0.1 }),
    day("2020-02-04", "1050", { indexClose: 120, indexReturn: 1 / 11 }),
  ],
  orders: [],
  fills: [],
  trades: [],
  openPositions: [],
  halted: null,
};

it("a record keeps the days as columns and adds up what the gates refused", () => {
  const record = recordOf(result);
  expect(record.days).toEqual({
    sessions: ["2020-01-30", "2020-01-31", "2020-02-03", "2020-02-04"],
    equity: ["1010", "1020", "999.9", "1050"],
    exposure: [0, 0, 0, 0],
    index: [null, 1000, expect.closeTo(1100, 9), expect.closeTo(1200, 9)],
    universe: [1010, 1020.1, 1030.301, 1040.60401].map((value) => expect.closeTo(value, 9)),
  });
  expect(record.refusals).toEqual([
    { gate: "regime", count: 1 },
    { gate: "sector", count: 3 },
  ]);
  expect(record.tables.monthly).toEqual(monthlyReturns(result));
  expect(JSON.parse(JSON.stringify(record))).toEqual(record);
});

it("the returns of a record are those of its result, to the last digit", () => {
  expect(returnsOf("1000", recordOf(result).days.equity)).toEqual(dailyReturns(result));
});

it("the index grows month by month to what holding it gave", () => {
  const months = indexMonths(recordOf(result).days, "1000");
  expect(months.map(({ year, month, value }) => [year, month, Number(value.toFixed(12))])).toEqual([
    [2020, 1, 0],
    [2020, 2, 0.2],
  ]);
  expect(indexMonths({ sessions: ["2020-01-30"], index: [null] }, "1000")).toEqual([]);
});

it("an index figure of a time without dividends keeps the definition that it was made with", () => {
  const { definition } = definitionOf({ id: "index_return", name: "SPY buy and hold, price only" });
  expect(definition).toContain("dividends and costs left out");
  expect(definitionOf({ id: "index_return", name: "SPY total return" }).definition).toContain("lists reinvested");
});

it("every figure of a run has a definition, and a figure without one is refused", () => {
  for (const figure of statisticsOf(result, { count: 1, sharpes: [] }))
    expect([figure.id, definitionOf(figure).definition]).not.toEqual([figure.id, ""]);
  expect(() => definitionOf({ id: "luck", name: "Luck" })).toThrow(RangeError);
});

it("what a run takes for granted is said with the policy's own numbers", () => {
  const text = assumptionsOf(POLICY_2_9_0).join(" ");
  expect(text).toContain(`${POLICY_2_9_0.pretrade_filters.open_minutes} minutes after the open`);
  expect(text).toContain(`${POLICY_2_9_0.orders_execution.default_spread_bps} bps`);
});

it("a real market's past says under labels what it lacks", () => {
  const facts = {
    stocks: 4_312,
    untraded: 1,
    sectorsBy: "SEC",
    withoutSector: 312,
    calendar: null,
    withoutReports: 41,
  } as const;
  const labelled = (change: Partial<HistoryFacts>, label: string) =>
    assumptionsOf(POLICY_2_9_0, { facts: { ...facts, ...change } }).find((text) => text.startsWith(`${label}: `));
  expect(labelled({}, "Survivorship")).toContain("the 4,312 stocks of it are listed today");
  expect(labelled({}, "Small stocks")).toContain(
    "1 stock without a single session of $20,000,000 in turnover has no part",
  );
  expect(labelled({ untraded: 0 }, "Small stocks")).toBeUndefined();
  expect(labelled({}, "Sectors")).toContain("312 stocks have none");
  expect(labelled({ sectorsBy: "none" }, "Sectors")).toContain("none are known");
  expect(labelled({}, "Report dates")).toContain("estimated for each session");
  expect(labelled({ calendar: "Finnhub" }, "Report dates")).toContain("as the calendar by Finnhub lists them now");
});
