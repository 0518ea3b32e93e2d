import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { exchanges, marketOrder, openTrader, type PracticeTrader, TAPE } from "@/lib/proof/practice-trader.ts";
import { changedMarket, untraded } from "@/lib/proof/market/changed-market.ts";

// A busy machine needs longer to open a market.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const running = exchanges();
let trader: PracticeTrader;
beforeAll(async () => {
  const exchange = await running.open({ tape: TAPE, start: "2020-02-03" });
  trader = await openTrader(exchange);
  await trader.send("POST", "/v2/orders", marketOrder("FOUR", "buy", "3"));
  await trader.send("POST", "/v2/orders", marketOrder("BROAD", "buy", "3"));
  await exchange.control.clock({ jumpTo: "2020-02-10" });
});
afterAll(() => running.closeAll());

it("shares that were split and have not traded since are worth what they were", async () => {
  const dates = ["2024-01-09", "2024-01-10"];
  const generate = changedMarket((market) => ({
    ...untraded(market, "SPY", dates),
    splits: [{ date: "2024-01-09", symbol: "SPY", ratio: "2" }],
  }));
  const exchange = await running.open({ seed: 3, generate });
  const holder = await openTrader(exchange);
  await holder.send("POST", "/v2/orders", marketOrder("SPY", "buy", "10"));
  await exchange.control.clock({ advanceMinutes: 390 });
  const { equity } = holder.truth();
  for (const date of dates) {
    await exchange.control.clock({ jumpTo: `${date}T16:00:00Z` });
    expect(holder.truth()).toMatchObject({ equity, positions: [{ qty: "20" }] });
    const { body } = await holder.send("GET", "/v2/account/portfolio/history?timeframe=15Min&period=1D");
    expect(new Set(body.equity as number[])).toEqual(new Set([Number(equity)]));
  }
});

const status = async (path: string) => (await trader.send("GET", path)).status;

describe("portfolio history", () => {
  interface History {
    timestamp: number[];
    equity: number[];
    profit_loss: number[];
    profit_loss_pct: number[];
    base_value: number;
    base_value_asof?: string;
    timeframe: string;
    cashflow: Record<string, number[]>;
  }
  const history = async (query: string) =>
    (await trader.send("GET", `/v2/account/portfolio/history?${query}`)).body as unknown as History;
  const open = (date: string) => Date.parse(`${date}T14:30:00Z`) / 1000;

  it("days: one point a session and the running one, profit against what the account began with", async () => {
    const { equity, timestamp, profit_loss, profit_loss_pct, base_value, ...rest } = await history("period=1M");
    expect(timestamp.map((at) => new Date(at * 1000).toISOString().slice(0, 13))).toEqual(
      ["03", "04", "05", "06", "07", "10"].map((day) => `2020-02-${day}T05`),
    );
    expect(base_value).toBe(100_000);
    expect(rest).toEqual({ timeframe: "1D", cashflow: {} });
    expect(profit_loss.map((gain, i) => gain - ((equity[i] ?? 0) - 100_000)).every((gap) => Math.abs(gap) < 1e-6)).toBe(
      true,
    );
    expect(profit_loss_pct[3]).toBeCloseTo((profit_loss[3] ?? 0) / 100_000, 12);
  });

  it("steps of a day: the last window is worth what the day closed with, and every step what the marks say", async () => {
    const days = await history("period=1M");
    for (const timeframe of ["1Min", "5Min", "15Min", "1H"]) {
      const line = await history(`timeframe=${timeframe}&start=2020-02-05T12:00:00Z&end=2020-02-05T22:00:00Z`);
      const minutes = { "1Min": 1, "5Min": 5, "15Min": 15, "1H": 60 }[timeframe] ?? 0;
      expect(line.timestamp).toHaveLength(Math.ceil(390 / minutes));
      expect([line.timestamp[0], line.timestamp[1]]).toEqual([open("2020-02-05"), open("2020-02-05") + minutes * 60]);
      expect(line.equity.at(-1)).toBe(days.equity[2]);
      expect([line.base_value, line.base_value_asof]).toEqual([days.equity[1], "2020-02-04"]);
    }
  });

  it("a step's equity is cash and shares at the minute's price", async () => {
    const line = await history("timeframe=1Min&start=2020-02-06T12:00:00Z&end=2020-02-06T22:00:00Z");
    const bars = async (symbol: string) => {
      const path = `/v2/stocks/${symbol}/bars?timeframe=1Min&start=2020-02-06&limit=390`;
      return (await trader.send("GET", path)).body.bars as { c: number }[];
    };
    const [four, broad] = [await bars("FOUR"), await bars("BROAD")];
    // Nothing was traded that day, and the dividend came on the next.
    const cash =
      100_000 - trader.truth().fills.reduce((total, fill) => total + Number(fill.price) * Number(fill.qty), 0);
    for (const i of [0, 100, 389])
      expect(line.equity[i]).toBeCloseTo(cash + 3 * (four[i]?.c ?? 0) + 3 * (broad[i]?.c ?? 0), 6);
  });

  it("profit begins anew every day unless it is told not to", async () => {
    const range = "timeframe=1H&start=2020-02-04T12:00:00Z&end=2020-02-06T22:00:00Z";
    const [reset, kept] = [await history(range), await history(`${range}&pnl_reset=no_reset`)];
    expect(reset.equity).toEqual(kept.equity);
    expect(kept.profit_loss.at(-1)).toBeCloseTo((kept.equity.at(-1) ?? 0) - kept.base_value, 6);
    expect(reset.profit_loss.at(-1)).toBeCloseTo((reset.equity.at(-1) ?? 0) - (reset.equity[13] ?? 0), 6);
  });

  it("extended hours last from 04:00 to 20:00, continuous time goes round the clock", async () => {
    const range = "timeframe=1H&start=2020-02-08T12:00:00Z&end=2020-02-08T22:00:00Z&intraday_reporting=";
    expect((await history(`${range}market_hours`)).timestamp).toEqual([]);
    // From 07:00 to 17:00 of a Saturday, both included.
    expect((await history(`${range}continuous`)).timestamp).toHaveLength(11);
    const day = "timeframe=1H&start=2020-02-05T12:00:00Z&end=2020-02-06T04:00:00Z&intraday_reporting=extended_hours";
    const { timestamp } = await history(day);
    expect(timestamp[0]).toBe(Date.parse("2020-02-05T09:00:00Z") / 1000);
  });

  it.each([
    ["market_hours", "2020-02-05T21:00:00Z", "2020-02-05T14:30:00.000Z"],
    ["market_hours", "2020-02-05T22:10:00Z", "2020-02-06T14:30:00.000Z"],
    ["extended_hours", "2020-02-05T22:10:00Z", "2020-02-05T09:00:00.000Z"],
    ["extended_hours", "2020-02-06T01:10:00Z", "2020-02-06T09:00:00.000Z"],
    ["continuous", "2020-02-05T22:10:00Z", "2020-02-05T22:00:00.000Z"],
  ])("in %s a start of %s begins at %s", async (reporting, start, first) => {
    const range = `timeframe=1H&start=${start}&end=2020-02-06T22:00:00Z&intraday_reporting=${reporting}`;
    const { timestamp } = await history(range);
    expect(new Date((timestamp[0] ?? 0) * 1000).toISOString()).toBe(first);
  });

  it("tells the money that moved, added up", async () => {
    const { cashflow, timestamp } = await history("period=1M&cashflow_types=ALL");
    expect(cashflow.DIV).toEqual(timestamp.map((_, i) => (i < 4 ? 0 : 2.31)));
    expect(cashflow.CSD).toEqual(timestamp.map(() => 100_000));
    expect(Object.keys((await history("period=1M&cashflow_types=DIV")).cashflow)).toEqual(["DIV"]);
  });

  it("without a timeframe: minutes under a week, quarter hours under a month, days beyond", async () => {
    const frames = [];
    for (const period of ["1D", "1W", "3M", "1A"]) frames.push((await history(`period=${period}`)).timeframe);
    expect(frames).toEqual(["1Min", "15Min", "1D", "1D"]);
  });

  it("ends with the day that date_end names, unless an end is given", async () => {
    const dates = ({ timestamp }: History) => timestamp.map((at) => new Date(at * 1000).toISOString().slice(0, 10));
    const asked = await history("period=1W&timeframe=1D&date_end=2020-02-06");
    expect(dates(asked)).toEqual(["2020-02-03", "2020-02-04", "2020-02-05", "2020-02-06"]);
    const hours = await history("period=1D&timeframe=1H&date_end=2020-02-06");
    expect([hours.timestamp[0], hours.timestamp.length]).toEqual([open("2020-02-06"), 7]);
    const both = "start=2020-02-03&timeframe=1D&end=2020-02-05T22:00:00Z&date_end=2020-02-06";
    expect(dates(await history(both))).toEqual(["2020-02-03", "2020-02-04", "2020-02-05"]);
  });

  it("a period of days is as long as it says, whatever days without a session lie in between", async () => {
    for (const period of ["23D", "30D"])
      expect(await status(`/v2/account/portfolio/history?period=${period}&timeframe=1H`)).toBe(200);
    expect(await status("/v2/account/portfolio/history?period=31D&timeframe=1H")).toBe(422);
    const frames = [];
    for (const period of ["6D", "7D", "29D", "30D"]) frames.push((await history(`period=${period}`)).timeframe);
    expect(frames).toEqual(["1Min", "15Min", "15Min", "1D"]);
  });

  it.each([
    "period=1X",
    "timeframe=toString",
    "date_end=2020-02-30",
    "period=1D&start=2020-02-03&date_end=2020-02-04",
    "timeframe=2Min",
    "period=1D&start=2020-02-03&end=2020-02-04",
    "period=3M&timeframe=1H",
    "intraday_reporting=night",
    "pnl_reset=weekly",
    "start=yesterday",
  ])("%s is refused", async (query) => expect(await status(`/v2/account/portfolio/history?${query}`)).toBe(422));
});
