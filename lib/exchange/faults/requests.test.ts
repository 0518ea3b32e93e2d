import { marketData, OrdersApi, trading } from "@alpacahq/alpaca-trade-api";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { FaultInput } from "../faults.ts";
import { anotherSymbol, openTrader, type PracticeTrader } from "@/lib/proof/practice-trader.ts";
import type { Exchange } from "../start.ts";
import { startTestExchange } from "@/lib/proof/market/test-exchange.ts";

/** Every fault of a request, seen through the official SDK where a caller would see it, and over bare HTTP elsewhere. */

let exchange: Exchange;
let trader: PracticeTrader;
let other: string;
let orders: OrdersApi;
let account: trading.AccountsApi;
let stocks: marketData.StockApi;
let keys: { keyId: string; secret: string };

const config = (timeoutMs = 10_000) => ({ basePath: exchange.url, ...keys, timeoutMs });

beforeAll(async () => {
  exchange = await startTestExchange({ port: 0, paused: true, seed: 3 });
  trader = await openTrader(exchange, "1000000");
  keys = { keyId: trader.account.key_id, secret: trader.account.secret };
  other = await anotherSymbol(trader);
  await exchange.control.clock({ advanceMinutes: 15 });
  orders = new OrdersApi(new trading.Configuration(config()));
  account = new trading.AccountsApi(new trading.Configuration(config()));
  stocks = new marketData.StockApi(new marketData.Configuration(config()));
});
afterEach(() => exchange.control.clearFaults());
afterAll(() => exchange.close());

const POST = { method: "POST", path: "/v2/orders" } as const;
const buy = (clientOrderId: string) => orders.market({ symbol: "SPY", side: "buy", qty: "1", clientOrderId });
const times = (id: string) => trader.truth().orders.filter((order) => order.client_order_id === id).length;
const set = (input: FaultInput) => exchange.control.addFault(input);

/** An error with everything under it. */
function causes(error: unknown): string {
  const parts: string[] = [];
  for (let at = error; at instanceof Error; at = at.cause) parts.push(`${at.name} ${at.message}`);
  return parts.join(" / ");
}
const failure = (work: Promise<unknown>) =>
  work.then(
    () => "served",
    (error: unknown) => causes(error),
  );

describe("the SDK while a POST goes wrong: what it throws, and whether there is an order", () => {
  it.each<[string, FaultInput, RegExp, 0 | 1]>([
    ["dropped before accept", { kind: "drop_before_accept" }, /FetchError.*(socket|closed|terminated|failed)/s, 0],
    ["dropped after accept", { kind: "drop_after_accept" }, /FetchError/, 1],
    ["500 before accept", { kind: "status", status: 500 }, /ApiError.*internal server error/s, 0],
    ["502 of the edge, in HTML, before accept", { kind: "status", status: 502, form: "html" }, /ApiError/, 0],
    ["503 before accept", { kind: "status", status: 503 }, /ApiError/, 0],
    ["504 before accept", { kind: "status", status: 504 }, /ApiError/, 0],
    ["500 after accept", { kind: "status_after_accept", status: 500 }, /ApiError/, 1],
    ["502 after accept", { kind: "status_after_accept", status: 502, form: "html" }, /ApiError/, 1],
    ["503 after accept", { kind: "status_after_accept", status: 503 }, /ApiError/, 1],
    ["504 after accept", { kind: "status_after_accept" }, /ApiError/, 1],
    ["200 with HTML", { kind: "garbage_200" }, /SyntaxError/, 1],
    ["200 with nothing", { kind: "garbage_200", form: "empty" }, /SyntaxError/, 1],
    ["200 with half an answer", { kind: "truncated_200" }, /terminated/, 1],
  ])("%s", async (name, input, thrown, orderCount) => {
    const fault = set({ ...POST, ...input });
    expect(await failure(buy(name))).toMatch(thrown);
    expect(times(name)).toBe(orderCount);
    expect(fault.struck).toBe(1);
  });

  it("late accept: the order comes to stand after the connection broke", async () => {
    set({ kind: "late_accept", ms: 60, ...POST });
    expect(await failure(buy("late"))).toMatch(/FetchError/);
    expect(times("late")).toBe(0);
    await expect.poll(() => times("late")).toBe(1);
  });

  it("a hang before accept and one after look the same to the caller and are not", async () => {
    const hasty = new OrdersApi(new trading.Configuration(config(60)));
    const send = (clientOrderId: string) => hasty.market({ symbol: "SPY", side: "buy", qty: "1", clientOrderId });
    set({ kind: "hang", ms: 300, ...POST });
    expect(await failure(send("hang-before"))).toMatch(/timed out/i);
    set({ kind: "hang_after_accept", ms: 300, ...POST });
    expect(await failure(send("hang-after"))).toMatch(/timed out/i);
    expect([times("hang-before"), times("hang-after")]).toEqual([0, 1]);
  });

  it("a drip of single bytes outlasts the caller's timeout; in larger pieces it arrives whole", async () => {
    const hasty = new OrdersApi(new trading.Configuration(config(80)));
    set({ kind: "drip", ms: 20, ...POST });
    const sent = hasty.market({ symbol: "SPY", side: "buy", qty: "1", clientOrderId: "drip" });
    expect(await failure(sent)).toMatch(/timed out/i);
    set({ kind: "drip", ms: 1, size: 500, ...POST });
    expect((await buy("drip-pieces")).clientOrderId).toBe("drip-pieces");
    expect([times("drip"), times("drip-pieces")]).toEqual([1, 1]);
  });

  it("a delay only delays", async () => {
    set({ kind: "delay", ms: 50, ...POST });
    const from = performance.now();
    expect((await buy("delayed")).status).toBe("pending_new");
    expect(performance.now() - from).toBeGreaterThanOrEqual(48);
  });
});

describe("429", () => {
  it("without rate headers", async () => {
    set({ kind: "status", status: 429, ...POST });
    const error = await buy("limited").catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ status: 429, code: 42910000, message: "rate limit exceeded" });
    expect(error).not.toHaveProperty("rateLimit.reset", expect.anything());
    expect(times("limited")).toBe(0);
  });

  it.each([30, -30])("with a reset %i seconds away", async (reset_in_s) => {
    set({ kind: "status", status: 429, reset_in_s, headers: { "retry-after": "2" }, ...POST });
    const error = (await buy("limited").catch((thrown: unknown) => thrown)) as { rateLimit: { reset: Date } };
    const ahead = (error.rateLimit.reset.getTime() - Date.now()) / 1000;
    expect(Math.abs(ahead - reset_in_s)).toBeLessThan(3);
  });

  it("fifty in a row, then not", async () => {
    set({ kind: "status", status: 429, count: 50, ...POST });
    const seen = [];
    for (let i = 0; i < 51; i += 1) seen.push((await trader.send("POST", "/v2/orders", { symbol: "SPY" })).status);
    expect(seen).toEqual([...Array<number>(50).fill(429), 422]);
  });

  it("the data side refuses in its own words", async () => {
    set({ kind: "status", status: 429, path: "/v2/stocks" });
    const answer = await trader.send("GET", "/v2/stocks/quotes/latest?symbols=SPY");
    expect(answer).toEqual({ status: 429, body: { message: "too many requests." } });
  });
});

it("any refusal of the broker's can be scripted with its code and fields", async () => {
  const extras = { buying_power: "0.12", cost_basis: "500" };
  set({ kind: "status", status: 403, code: 40310000, message: "insufficient buying power", extras, ...POST });
  const answer = await trader.send("POST", "/v2/orders", {});
  expect(answer).toEqual({ status: 403, body: { code: 40310000, message: "insufficient buying power", ...extras } });
});

describe("answers that say something else", () => {
  const read = async (path = "/v2/account") => (await trader.send("GET", path)).body;

  it("wrong types in every field, or in those named", async () => {
    const good = await read();
    set({ kind: "wrong_types" });
    const bad = await read();
    expect(Object.keys(bad)).toEqual(Object.keys(good));
    for (const key of Object.keys(good))
      expect([key, typeof bad[key] === typeof good[key] && !Array.isArray(bad[key])]).toEqual([key, false]);
    set({ kind: "wrong_types", fields: ["cash"] });
    expect(await read()).toEqual({ ...good, cash: { value: good.cash } });
  });

  it("a share of wrong types is drawn from the seed", async () => {
    const spoiled = async (seed: number) => {
      exchange.control.clearFaults();
      set({ kind: "wrong_types", share: 0.3, seed });
      return read();
    };
    const one = await spoiled(1);
    expect(await spoiled(1)).toEqual(one);
    expect(await spoiled(2)).not.toEqual(one);
  });

  it("missing and additional fields", async () => {
    set({ kind: "missing_fields", fields: ["cash", "multiplier"], path: "/v2/account" });
    const bad = await account.getAccount();
    expect([bad.cash, bad.multiplier, bad.status]).toEqual([undefined, undefined, "ACTIVE"]);
    set({ kind: "extra_fields", path: "/v2/account" });
    expect(await read()).toMatchObject({ status: "ACTIVE", introduced_last_night: { nested: [1, "two", null] } });
  });

  it("an order in an unknown state passes the SDK as it is", async () => {
    const sent = await buy("odd");
    set({ kind: "unknown_status" });
    expect((await orders.getOrderByOrderID({ orderId: sent.id as string })).status).toBe("pending_review");
    set({ kind: "unknown_status", message: "restated" });
    const listed = await orders.getAllOrders({ status: "all" });
    expect(new Set(listed.map(({ status }) => status))).toEqual(new Set(["restated"]));
    expect((await orders.getOrderByOrderID({ orderId: sent.id as string })).status).toBe("filled");
  });

  it("a Date header off by five minutes either way", async () => {
    for (const [form, sign] of [
      ["ahead", 1],
      ["behind", -1],
    ] as const) {
      exchange.control.clearFaults();
      set({ kind: "skewed_date", ms: 300_000, form });
      const { headers } = await fetch(`${exchange.url}/v2/clock`);
      const off = Date.parse(headers.get("date") ?? "") - Date.now();
      expect(Math.abs(off - sign * 300_000)).toBeLessThan(5_000);
    }
  });
});

describe("lookups", () => {
  it("a young order is not found by its client id, and with lists not listed; then it is", async () => {
    set({ kind: "lookup_lag", ms: 150, form: "lists" });
    const sent = await buy("young");
    const found = async () => failure(orders.getOrderByClientOrderId({ clientOrderId: "young" }));
    const listed = async () => (await orders.getAllOrders({ status: "all" })).some(({ id }) => id === sent.id);
    expect([await found(), await listed()]).toEqual([expect.stringMatching(/NotFoundError/), false]);
    await expect.poll(async () => [await found(), await listed()]).toEqual(["served", true]);
  });

  it("uniqueness can be off for one account alone", async () => {
    const second = await openTrader(exchange);
    const body = { symbol: "SPY", side: "buy", qty: "1", type: "market", time_in_force: "day", client_order_id: "two" };
    set({ kind: "uniqueness_off", account: second.account.account_number });
    const statuses = [];
    for (const who of [trader, trader, second, second])
      statuses.push((await who.send("POST", "/v2/orders", body)).status);
    expect(statuses).toEqual([200, 422, 200, 200]);
  });
});

describe("an account", () => {
  it("whose keys are revoked gets nothing more; others are not affected", async () => {
    const second = await openTrader(exchange);
    set({ kind: "keys_revoked", account: trader.account.account_number });
    await expect(account.getAccount()).rejects.toMatchObject({ status: 401 });
    await expect(buy("revoked")).rejects.toMatchObject({ status: 401 });
    await expect(stocks.stockLatestTradeSingle({ symbol: "SPY" })).rejects.toMatchObject({ status: 401 });
    expect((await second.send("GET", "/v2/account")).status).toBe(200);
    exchange.control.clearFaults();
    expect((await account.getAccount()).status).toBe("ACTIVE");
  });

  it.each(["account_blocked", "trading_blocked", "trade_suspended_by_user"])(
    "that is %s says so and refuses orders, but cancels",
    async (form) => {
      const resting = await orders.limit({ symbol: "SPY", side: "buy", qty: "1", limitPrice: "1.00" });
      set({ kind: "account_blocked", form });
      expect((await trader.send("GET", "/v2/account")).body[form]).toBe(true);
      await expect(buy(`blocked ${form}`)).rejects.toMatchObject({ status: 403, code: 40310000 });
      await orders.deleteOrderByOrderID({ orderId: resting.id as string });
      expect((await orders.getOrderByOrderID({ orderId: resting.id as string })).status).toBe("canceled");
    },
  );

  it("whose positions are stale shows what was before the fault, until it ends", async () => {
    const { qty } = await new trading.PositionsApi(new trading.Configuration(config())).getOpenPosition({
      symbolOrAssetId: "SPY",
    });
    const { cash } = await account.getAccount();
    const fault = set({ kind: "stale_positions", account: trader.account.id });
    await buy("unseen");
    const positions = new trading.PositionsApi(new trading.Configuration(config()));
    expect((await positions.getOpenPosition({ symbolOrAssetId: "SPY" })).qty).toBe(qty);
    expect((await positions.getAllOpenPositions()).find(({ symbol }) => symbol === "SPY")?.qty).toBe(qty);
    expect((await account.getAccount()).cash).toBe(cash);
    expect(fault.struck).toBe(3);
    exchange.control.clearFaults();
    expect((await positions.getOpenPosition({ symbolOrAssetId: "SPY" })).qty).toBe(String(Number(qty) + 1));
  });
});

describe("market data and calendar", () => {
  const barsUrl = () => `${exchange.url}/v2/stocks/bars?symbols=SPY,${other}&timeframe=1Day&start=2023-12-01&limit=20`;
  const headers = () => ({ "APCA-API-KEY-ID": keys.keyId, "APCA-API-SECRET-KEY": keys.secret });
  const text = async () => (await fetch(barsUrl(), { headers: headers() })).text();
  type Bars = { bars: Record<string, { t: string; c: unknown; o: unknown }[]> };
  const bars = async () => (JSON.parse(await text()) as Bars).bars;

  it("the calendar is down while the clock runs", async () => {
    set({ kind: "calendar_down" });
    expect((await fetch(`${exchange.url}/v2/calendar`, { headers: headers() })).status).toBe(503);
    expect((await trader.send("GET", "/v2/clock")).status).toBe(200);
  });

  it("NaN in bars is written as such, which is no JSON; other bad values are JSON", async () => {
    const good = await bars();
    set({ kind: "nan_bars" });
    const bad = await text();
    expect(bad).toContain(":NaN");
    expect(() => JSON.parse(bad) as unknown).toThrow(SyntaxError);
    const wanted: [string, (value: unknown) => boolean][] = [
      ["null", (value) => value === null],
      ["text", (value) => value === "n/a"],
      ["zero", (value) => value === 0],
      ["negative", (value) => Number(value) < 0],
      ["huge", (value) => value === 1e308],
    ];
    for (const [form, isBad] of wanted) {
      set({ kind: "nan_bars", form, fields: ["c"] });
      const spoiled = await bars();
      const struck = Object.entries(spoiled).flatMap(([symbol, list]) =>
        list.filter((bar, i) => {
          expect(bar.o).toBe(good[symbol]?.[i]?.o);
          return bar.c !== good[symbol]?.[i]?.c;
        }),
      );
      expect(struck.length).toBeGreaterThan(0);
      expect(struck.every((bar) => isBad(bar.c))).toBe(true);
    }
  });

  it("the last bar, whole symbols, or some bars are missing", async () => {
    const good = await bars();
    const [first] = Object.keys(good) as [string];
    set({ kind: "missing_bars" });
    expect((await bars())[first]).toEqual(good[first]?.slice(0, -1));
    set({ kind: "missing_bars", form: "symbols", share: 1 });
    expect(await bars()).toEqual({});
    set({ kind: "missing_bars", form: "some", share: 0.5 });
    const some = (await bars())[first]?.length ?? 0;
    expect(some).toBeGreaterThan(0);
    expect(some).toBeLessThan(good[first]?.length ?? 0);
  });

  it("bars come twice, backwards, or from the future", async () => {
    const good = await bars();
    const [first] = Object.keys(good) as [string];
    const list = good[first] ?? [];
    set({ kind: "disordered_bars" });
    expect((await bars())[first]).toEqual(list.flatMap((bar) => [bar, bar]));
    set({ kind: "disordered_bars", form: "reversed" });
    expect((await bars())[first]).toEqual([...list].reverse());
    set({ kind: "disordered_bars", form: "future" });
    const last = (await bars())[first]?.at(-1);
    expect(Date.parse(last?.t ?? "")).toBeGreaterThan(Date.parse(exchange.control.status().now));
  });

  it.each<[string, string, RegExp | ((body: string) => boolean)]>([
    ["html", "text/html", /We will be right back/],
    ["empty", "text/csv", /^$/],
    ["truncated", "text/csv", /^DATE,OPEN/],
    ["limit_note", "application/json", /Information.*rate limit/],
    ["wrong_types", "text/csv", /n\/a/],
    ["stale", "text/csv", /^DATE,OPEN.*\n$/s],
    ["huge", "text/csv", (body) => body.length > 30_000],
  ])("a vendor sends %s", async (form, type, body) => {
    const ask = () => fetch(`${exchange.url}/vendors/cboe/VIX_History.csv`);
    const good = await (await ask()).text();
    set({ kind: "vendor_garbage", vendor: "cboe", form });
    const answer = await ask();
    const bad = await answer.text();
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, expect.stringContaining(type)]);
    expect(typeof body === "function" ? body(bad) : body.test(bad)).toBe(true);
    expect(bad).not.toBe(good);
    if (form === "stale") expect(good.startsWith(bad.trimEnd())).toBe(true);
    expect(await (await ask()).text()).toBe(good);
  });

  it("a vendor's garbage leaves the other vendors alone", async () => {
    set({ kind: "vendor_garbage", vendor: "finnhub", count: 0 });
    expect(await (await fetch(`${exchange.url}/vendors/cboe/VIX_History.csv`)).text()).toMatch(/^DATE,OPEN/);
    const calendar = await fetch(`${exchange.url}/vendors/finnhub/api/v1/calendar/earnings`);
    expect(await calendar.text()).toMatch(/^<html>/);
  });
});
