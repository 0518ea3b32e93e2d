import { afterEach, describe, expect, it, vi } from "vitest";
import { money } from "../domain/money.ts";
import { exchanges, marketOrder, openTrader } from "@/lib/proof/practice-trader.ts";
import { changedMarket } from "@/lib/proof/market/changed-market.ts";

/** What is told of today between two sessions: from New York's midnight on it is no longer the last session's day. */

// A busy machine needs longer to open a market.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const running = exchanges();
afterEach(() => running.closeAll());

const FRIDAY_SPLIT = { date: "2024-01-12", symbol: "SPY", ratio: "2" };

async function open() {
  const generate = changedMarket(() => ({ splits: [FRIDAY_SPLIT] }));
  const exchange = await running.open({ seed: 3, skipClosed: false, generate });
  const trader = await openTrader(exchange);
  await trader.send("POST", "/v2/orders", marketOrder("SPY", "buy", "100"));
  return { jumpTo: (instant: string) => exchange.control.clock({ jumpTo: instant }), trader };
}

describe("a position's profit of the day", () => {
  it("is what the account has made since its last close, at every hour", async () => {
    const { jumpTo, trader } = await open();
    const instants = ["2024-01-09T22:00:00Z", "2024-01-10T04:59:00Z", "2024-01-10T05:01:00Z", "2024-01-10T13:00:00Z"];
    for (const instant of [...instants, "2024-01-10T15:00:00Z", "2024-01-13T17:00:00Z", "2024-01-16T15:00:00Z"]) {
      await jumpTo(instant);
      const { body: account } = await trader.send("GET", "/v2/account");
      const { body: position } = await trader.send("GET", "/v2/positions/SPY");
      const made = money(String(account.equity)).minus(String(account.last_equity));
      expect([instant, position.unrealized_intraday_pl]).toEqual([instant, made.toFixed()]);
      const perShare = money(String(position.current_price)).minus(String(position.lastday_price));
      expect([instant, perShare.times(String(position.qty)).toFixed()]).toEqual([instant, made.toFixed()]);
    }
  });

  it("is nothing before the opening, measured against the close of the last trading day", async () => {
    const { jumpTo, trader } = await open();
    await jumpTo("2024-01-13T17:00:00Z");
    const { body: position } = await trader.send("GET", "/v2/positions/SPY");
    expect(position).toMatchObject({
      lastday_price: position.current_price,
      change_today: "0",
      unrealized_intraday_pl: "0",
      unrealized_intraday_plpc: "0",
    });
  });
});

describe("the portfolio history ends now where no end is given", () => {
  const first = ({ timestamp }: { timestamp: number[] }) => new Date((timestamp[0] ?? 0) * 1000).toISOString();
  const last = ({ timestamp }: { timestamp: number[] }) => new Date((timestamp.at(-1) ?? 0) * 1000).toISOString();

  it("on a Sunday, in the morning, and before the opening", async () => {
    const { jumpTo, trader } = await open();
    const history = async (query: string) =>
      (await trader.send("GET", `/v2/account/portfolio/history?${query}`)).body as unknown as { timestamp: number[] };
    await jumpTo("2024-01-14T17:30:00Z");
    const continuous = "intraday_reporting=continuous&timeframe=1H";
    expect(last(await history(`${continuous}&period=1W`))).toBe("2024-01-14T17:00:00.000Z");
    expect(last(await history(`${continuous}&start=2024-01-13T17:00:00Z`))).toBe("2024-01-14T17:00:00.000Z");
    await jumpTo("2024-01-16T13:00:00Z");
    const morning = await history("intraday_reporting=extended_hours&timeframe=15Min&period=1D");
    expect([first(morning), last(morning)]).toEqual(["2024-01-16T09:00:00.000Z", "2024-01-16T13:00:00.000Z"]);
    // The hours of trading have not begun: the last day of them is Friday.
    const core = await history("timeframe=15Min&period=1D");
    expect([first(core), last(core)]).toEqual(["2024-01-12T14:30:00.000Z", "2024-01-12T20:45:00.000Z"]);
    expect(last(await history("period=1W&timeframe=1D"))).toBe("2024-01-12T05:00:00.000Z");
  });
});

it("in a session's first minute the latest trade of a thin share is the opening one, or of the session before", async () => {
  const generate = changedMarket((market) => ({
    series(symbol) {
      const series = market.series(symbol);
      if (series === undefined || symbol !== "SPY") return series;
      const { open: opens, high, low, close, volume } = series;
      return { open: opens, high, low, close, volume: Array.from(volume, () => 120) };
    },
  }));
  const exchange = await running.open({ seed: 3, generate });
  const trader = await openTrader(exchange);
  const latest = async () => {
    const { body } = await trader.send("GET", "/v2/stocks/SPY/trades/latest");
    return Date.parse((body.trade as { t: string }).t);
  };
  for (const date of ["2024-01-09", "2024-01-10", "2024-01-11", "2024-01-12", "2024-01-16"]) {
    await exchange.control.clock({ jumpTo: date });
    expect(await latest()).toBeLessThanOrEqual(Date.parse(exchange.control.status().now));
  }
});

describe("what begins today where no start is given", () => {
  it("does not begin with the session before", async () => {
    const { jumpTo, trader } = await open();
    const read = async (path: string) => (await trader.send("GET", path)).body;
    const actions = "/v1/corporate-actions?symbols=SPY&types=forward_split";
    await jumpTo("2024-01-12T17:00:00Z");
    expect((await read("/v2/stocks/SPY/bars?timeframe=1Day")).bars).toHaveLength(1);
    expect(await read(actions)).toMatchObject({ corporate_actions: { forward_splits: [{ symbol: "SPY" }] } });
    await jumpTo("2024-01-13T17:00:00Z");
    expect(await read("/v2/stocks/SPY/bars?timeframe=1Day")).toMatchObject({ bars: [] });
    expect(await read("/v2/stocks/SPY/trades?limit=1")).toMatchObject({ trades: [] });
    expect(await read(actions)).toMatchObject({ corporate_actions: {} });
    // Monday is a holiday.
    expect(await read("/v3/calendar/NYSE")).toMatchObject({ calendar: [{ date: "2024-01-16" }, {}, {}, {}] });
  });
});
