import { marketData, OrdersApi, streaming, trading } from "@alpacahq/alpaca-trade-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Exchange } from "./start.ts";
import { startTestExchange } from "@/lib/proof/market/test-exchange.ts";

/** The official SDK drives the exchange over the wire and cannot tell it from the broker. */

let exchange: Exchange;
let keys: { keyId: string; secret: string };
let orders: OrdersApi;
/** A liquid symbol, so that small orders fill at once. */
const symbol = "SPY";
let price: number;

function configuration() {
  return new trading.Configuration({ basePath: exchange.url, ...keys });
}

beforeAll(async () => {
  exchange = await startTestExchange({ port: 0, paused: true, seed: 5 });
  const account = await exchange.control.createAccount({ cash: "250000" });
  keys = { keyId: account.key_id, secret: account.secret };
  orders = new OrdersApi(configuration());
  await exchange.control.clock({ advanceMinutes: 15 });
  const stocks = new marketData.StockApi(new marketData.Configuration({ basePath: exchange.url, ...keys }));
  price = (await stocks.stockLatestTradeSingle({ symbol })).trade.p as number;
});

afterAll(() => exchange.close());

describe("reading", () => {
  it("account, clock, calendar and assets parse", async () => {
    const account = await new trading.AccountsApi(configuration()).getAccount();
    expect([account.status, account.cash, account.multiplier]).toEqual(["ACTIVE", "250000", "1"]);
    const clock = await new trading.ClockApi(configuration()).legacyClock();
    expect(clock.isOpen).toBe(true);
    const now = Date.parse(exchange.control.status().now);
    expect(clock.timestamp?.getTime()).toBe(now);
    const days = await new trading.CalendarApi(configuration()).legacyCalendar({
      start: new Date("2024-11-25"),
      end: new Date("2024-12-02"),
    });
    expect(days.map((day) => [day.date.toISOString().slice(0, 10), day.close])).toEqual([
      ["2024-11-25", "16:00"],
      ["2024-11-26", "16:00"],
      ["2024-11-27", "16:00"],
      ["2024-11-29", "13:00"],
      ["2024-12-02", "16:00"],
    ]);
    const asset = await new trading.AssetsApi(configuration()).getV2AssetsSymbolOrAssetId({ symbolOrAssetId: symbol });
    expect([asset.symbol, asset.tradable, asset.fractionable]).toEqual(["SPY", true, true]);
  });

  it("bars, snapshots and news parse", async () => {
    const config = new marketData.Configuration({ basePath: exchange.url, ...keys });
    const stocks = new marketData.StockApi(config);
    const bars = await stocks.stockBars({
      symbols: symbol,
      timeframe: "1Day",
      start: new Date("2023-12-01"),
      limit: 10,
    });
    expect(bars.bars[symbol]).toHaveLength(10);
    expect(bars.nextPageToken).not.toBeNull();
    const snapshots = await stocks.stockSnapshots({ symbols: symbol });
    expect(snapshots[symbol]?.latestTrade?.p).toBe(price);
    const news = await new marketData.NewsApi(config).news({ limit: 5 });
    expect(news.news.map((item) => item.source)).toEqual(Array(5).fill("practice-market (made up)"));
  });
});

describe("trading", () => {
  it("a market order fills at the ask and shows as order, position and activity", async () => {
    const sent = await orders.market({ symbol, side: "buy", qty: "10", clientOrderId: "sdk-1" });
    expect(sent.status).toBe("pending_new");
    const order = await orders.getOrderByClientOrderId({ clientOrderId: "sdk-1" });
    expect([order.status, order.filledQty]).toEqual(["filled", "10"]);
    expect(Number(order.filledAvgPrice)).toBeGreaterThan(price);
    const position = await new trading.PositionsApi(configuration()).getOpenPosition({ symbolOrAssetId: symbol });
    expect([position.qty, position.avgEntryPrice]).toEqual(["10", order.filledAvgPrice]);
    const activities = await new trading.AccountActivitiesApi(configuration()).getAccountActivities({
      activityTypes: ["FILL"],
    });
    expect(activities).toHaveLength(1);
    expect(activities[0]).toMatchObject({ order_id: order.id, cum_qty: "10", leaves_qty: "0" });
  });

  it("a client order id that was used before is refused forever", async () => {
    const again = orders.market({ symbol, side: "buy", qty: "1", clientOrderId: "sdk-1" });
    await expect(again).rejects.toMatchObject({ status: 422, code: 40010001 });
  });

  it("a bracket lives: legs held until the entry fills, then one exit takes the other with it", async () => {
    const sent = await orders.bracket({
      symbol,
      side: "buy",
      qty: "5",
      timeInForce: "gtc",
      takeProfit: { limitPrice: (price * 1.5).toFixed(2) },
      stopLoss: { stopPrice: (price * 0.5).toFixed(2) },
    });
    expect(sent.legs?.map((leg) => leg.status)).toEqual(["held", "held"]);
    const live = await orders.getOrderByOrderID({ orderId: sent.id as string, nested: true });
    expect([live.status, live.legs?.map((leg) => leg.status)]).toEqual(["filled", ["new", "new"]]);
    const position = await new trading.PositionsApi(configuration()).getOpenPosition({ symbolOrAssetId: symbol });
    expect([position.qty, position.qtyAvailable]).toEqual(["15", "10"]);
    await orders.deleteOrderByOrderID({ orderId: live.legs?.[0]?.id as string });
    const after = await orders.getOrderByOrderID({ orderId: sent.id as string, nested: true });
    expect(after.legs?.map((leg) => leg.status)).toEqual(["canceled", "canceled"]);
  });

  it("refusals carry the broker's codes", async () => {
    await expect(orders.market({ symbol, side: "buy", qty: "100000" })).rejects.toMatchObject({
      status: 403,
      code: 40310000,
    });
    await expect(orders.market({ symbol, side: "sell", qty: "100" })).rejects.toMatchObject({
      status: 403,
      code: 40310000,
    });
    const subPenny = orders.limit({ symbol, side: "buy", qty: "1", limitPrice: "290.123" });
    await expect(subPenny).rejects.toMatchObject({ status: 422, code: 42210000 });
    await expect(orders.getOrderByOrderID({ orderId: "nope" })).rejects.toMatchObject({ status: 404, code: 40410000 });
    const stranger = new OrdersApi(new trading.Configuration({ basePath: exchange.url, keyId: "TPX", secret: "no" }));
    await expect(stranger.getAllOrders({})).rejects.toMatchObject({ status: 401 });
  });

  it("a replaced order points to its successor and cannot be replaced again", async () => {
    const old = await orders.limit({ symbol, side: "buy", qty: "2", limitPrice: "1.00", timeInForce: "gtc" });
    const fresh = await orders.patchOrderByOrderId({ orderId: old.id as string, patchOrderRequest: { qty: "3" } });
    expect(fresh.replaces).toBe(old.id);
    const seen = await orders.getOrderByOrderID({ orderId: old.id as string });
    expect([seen.status, seen.replacedBy]).toEqual(["replaced", fresh.id]);
    const again = orders.patchOrderByOrderId({ orderId: old.id as string, patchOrderRequest: { qty: "4" } });
    await expect(again).rejects.toMatchObject({ status: 422, code: 42210000 });
    await orders.deleteOrderByOrderID({ orderId: fresh.id as string });
    expect((await orders.getOrderByOrderID({ orderId: fresh.id as string })).status).toBe("canceled");
  });
});

describe("the trade_updates stream", () => {
  it("tells an order's life in order, after the rows are safe", async () => {
    const stream = new streaming.TradingStream({
      credentials: keys,
      url: `${exchange.url.replace("http", "ws")}/stream`,
      maxReconnectAttempts: 0,
    });
    const seen: { event: string; qty: unknown; status: unknown }[] = [];
    const listening = new Promise<void>((resolve) => stream.on("subscription", () => resolve()));
    stream.onConnect(() => stream.subscribeTradeUpdates());
    stream.onTradeUpdate((update) => seen.push({ event: update.event, qty: update.qty, status: update.order.status }));
    stream.connect();
    await stream.waitForAuthenticationResult(5_000);
    await listening;
    await orders.market({ symbol, side: "buy", qty: "1", clientOrderId: "sdk-stream" });
    await expect.poll(() => seen.map((update) => update.event)).toEqual(["pending_new", "new", "fill"]);
    expect(seen[2]).toEqual({ event: "fill", qty: "1", status: "filled" });
    stream.disconnect();
  });
});

describe("every REST class that the product or a user of the paper account can need", () => {
  const start = () => new Date(Date.parse(exchange.control.status().now) - 20 * 86_400_000);
  const range = () => ({ start: start(), limit: 5 });
  const data = () => new marketData.Configuration({ basePath: exchange.url, ...keys });
  const stocks = () => new marketData.StockApi(data());
  const lists = () => new trading.WatchlistsApi(configuration());

  it.each<[string, () => Promise<unknown>, object]>([
    [
      "AccountsApi",
      () => new trading.AccountsApi(configuration()).getAccount(),
      { currency: "USD", tradingBlocked: false },
    ],
    [
      "AccountConfigurationsApi",
      () =>
        new trading.AccountConfigurationsApi(configuration()).patchAccountConfig({
          accountConfigurations: { noShorting: true },
        }),
      { noShorting: true, suspendTrade: false },
    ],
    [
      "AccountActivitiesApi",
      () =>
        new trading.AccountActivitiesApi(configuration()).getAccountActivitiesByActivityType({ activityType: "CSD" }),
      [{ activityType: "CSD", netAmount: "250000" }],
    ],
    ["ClockApi", () => new trading.ClockApi(configuration()).clock(), { clocks: expect.any(Array) as unknown }],
    [
      "CalendarApi",
      () => new trading.CalendarApi(configuration()).calendar({ market: "NYSE" }),
      { calendar: expect.any(Array) as unknown },
    ],
    [
      "AssetsApi",
      async () =>
        (await new trading.AssetsApi(configuration()).getV2Assets({ status: "active" })).find(
          (asset) => asset.symbol === symbol,
        ),
      { tradable: true },
    ],
    [
      "CorporateActionsApi of the trading side",
      () =>
        new trading.CorporateActionsApi(configuration()).getV2CorporateActionsAnnouncements({
          caTypes: "dividend",
          since: "2024-01-01",
          until: "2024-03-01",
        }),
      expect.any(Array) as object,
    ],
    [
      "PortfolioHistoryApi",
      () =>
        new trading.PortfolioHistoryApi(configuration()).getAccountPortfolioHistory({ period: "1M", timeframe: "1D" }),
      { timeframe: "1D" },
    ],
    [
      "StockApi bars of one",
      () => stocks().stockBarSingle({ symbol, timeframe: "1Day", ...range() }),
      { symbol, bars: { length: 5 } },
    ],
    [
      "StockApi trades",
      () => stocks().stockTrades({ symbols: symbol, ...range() }),
      { trades: { [symbol]: { length: 5 } } },
    ],
    ["StockApi trades of one", () => stocks().stockTradeSingle({ symbol, ...range() }), { trades: { length: 5 } }],
    [
      "StockApi quotes",
      () => stocks().stockQuotes({ symbols: symbol, ...range() }),
      { quotes: { [symbol]: { length: 5 } } },
    ],
    ["StockApi quotes of one", () => stocks().stockQuoteSingle({ symbol, ...range() }), { quotes: { length: 5 } }],
    [
      "StockApi auctions",
      () => stocks().stockAuctions({ symbols: symbol, ...range() }),
      { auctions: { [symbol]: expect.any(Array) as unknown } },
    ],
    [
      "StockApi latest bars",
      () => stocks().stockLatestBars({ symbols: symbol }),
      { bars: { [symbol]: { c: expect.any(Number) as unknown } } },
    ],
    [
      "StockApi latest trades",
      () => stocks().stockLatestTrades({ symbols: symbol }),
      { trades: { [symbol]: { p: expect.any(Number) as unknown } } },
    ],
    [
      "StockApi latest quotes",
      () => stocks().stockLatestQuotes({ symbols: symbol }),
      { quotes: { [symbol]: { ap: expect.any(Number) as unknown } } },
    ],
    [
      "StockApi latest quote of one",
      () => stocks().stockLatestQuoteSingle({ symbol }),
      { symbol, quote: { bp: expect.any(Number) as unknown } },
    ],
    [
      "StockApi latest bar of one",
      () => stocks().stockLatestBarSingle({ symbol }),
      { symbol, bar: { o: expect.any(Number) as unknown } },
    ],
    [
      "StockApi snapshot of one",
      () => stocks().stockSnapshotSingle({ symbol }),
      { prevDailyBar: { c: expect.any(Number) as unknown } },
    ],
    ["StockApi codes", () => stocks().stockMetaExchanges(), { V: expect.any(String) as unknown }],
    [
      "ScreenerApi most actives",
      () => new marketData.ScreenerApi(data()).mostActives({ top: 3 }),
      { mostActives: { length: 3 } },
    ],
    [
      "ScreenerApi movers",
      () => new marketData.ScreenerApi(data()).movers({ marketType: "stocks", top: 3 }),
      { gainers: { length: 3 }, losers: { length: 3 } },
    ],
    [
      "CorporateActionsApi of the data side",
      () => new marketData.CorporateActionsApi(data()).corporateActions({ types: "cash_dividend", limit: 3 }),
      { corporateActions: expect.any(Object) as unknown },
    ],
  ])("%s", async (_, call, shape) => {
    expect(await call()).toMatchObject(shape);
  });

  it("WatchlistsApi: made, filled, read, renamed, emptied and deleted", async () => {
    const made = await lists().postWatchlist({ createWatchlistRequest: { name: "sdk", symbols: [symbol] } });
    const watchlistId = made.id;
    expect((await lists().getWatchlists()).map(({ name }) => name)).toEqual(["sdk"]);
    expect((await lists().getWatchlistByName({ name: "sdk" })).assets?.map((asset) => asset.symbol)).toEqual([symbol]);
    await lists().removeAssetFromWatchlist({ watchlistId, symbol });
    expect((await lists().getWatchlistById({ watchlistId })).assets).toEqual([]);
    await lists().deleteWatchlistById({ watchlistId });
    expect(await lists().getWatchlists()).toEqual([]);
  });

  it("OrdersApi: every type and class is taken, listed and cancelled together", async () => {
    const at = (factor: number) => (price * factor).toFixed(2);
    const base = { symbol, side: "buy", qty: "1", timeInForce: "gtc" } as const;
    const sent = [
      await orders.limit({ ...base, limitPrice: at(0.5) }),
      await orders.stop({ ...base, stopPrice: at(1.4) }),
      await orders.stopLimit({ ...base, stopPrice: at(1.4), limitPrice: at(1.5) }),
      await orders.trailingStop({ ...base, trailPercent: "20" }),
      await orders.oto({ ...base, limitPrice: at(0.5), stopLoss: { stopPrice: at(0.4) } }),
      await orders.bracket({
        ...base,
        limitPrice: at(0.5),
        takeProfit: { limitPrice: at(0.9) },
        stopLoss: { stopPrice: at(0.4) },
      }),
      await orders.submit({ ...base, type: "limit", limitPrice: at(0.5) }),
    ];
    const open = await orders.getAllOrders({ status: "open", nested: true, symbols: symbol });
    const ids = new Set(open.map(({ id }) => id));
    expect(sent.filter(({ id }) => !ids.has(id))).toEqual([]);
    const answers = await orders.deleteAllOrders();
    expect(answers.length).toBeGreaterThanOrEqual(sent.length);
    expect(await orders.getAllOrders({ status: "open" })).toEqual([]);
  });

  it("PositionsApi: a part is closed, then all", async () => {
    const positions = new trading.PositionsApi(configuration());
    await orders.market({ symbol, side: "buy", qty: "4" });
    const before = await positions.getOpenPosition({ symbolOrAssetId: symbol });
    const part = await positions.deleteOpenPosition({ symbolOrAssetId: symbol, qty: 1 });
    expect([part.side, part.qty]).toEqual(["sell", "1"]);
    expect((await positions.getOpenPosition({ symbolOrAssetId: symbol })).qty).toBe(String(Number(before.qty) - 1));
    const closed = await positions.deleteAllOpenPositions({ cancelOrders: true });
    expect(closed.map(({ symbol: of, status }) => [of, String(status)])).toEqual([[symbol, "200"]]);
    expect(await positions.getAllOpenPositions()).toEqual([]);
  });
});
