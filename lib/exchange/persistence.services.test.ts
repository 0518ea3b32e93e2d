import pg from "pg";
import { afterEach, expect, it } from "vitest";
import { limitOrder, marketOrder, openTrader } from "@/lib/proof/practice-trader.ts";
import type { Exchange } from "./start.ts";
import { startTestExchange } from "@/lib/proof/market/test-exchange.ts";

const databaseUrl = process.env.EXCHANGE_DATABASE_URL as string;
let exchange: Exchange | undefined;

async function start(): Promise<Exchange> {
  exchange = await startTestExchange({ port: 0, paused: true, seed: 6, databaseUrl });
  return exchange;
}

async function query(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(sql);
  await client.end();
}

afterEach(async () => {
  await exchange?.close();
  await query("drop schema if exists exchange cascade");
});

/** Everything that the wire tells of an account, after a restart compared with before. */
const PATHS = [
  "/v2/account",
  "/v2/account/configurations",
  "/v2/positions",
  "/v2/orders?status=all&nested=true",
  "/v2/account/activities",
  "/v2/account/portfolio/history?period=1D&timeframe=1Min",
  "/v2/watchlists:by_name?name=mine",
  "/v2/assets/SPY",
];

it("a restart keeps margin, shorts, trailing marks, standing, symbols, watchlists and corrected executions", async () => {
  const first = await start();
  const trader = await openTrader(first, "200000", { margin: true, legacy: true, fees: true });
  await trader.send("POST", "/v2/orders", marketOrder("SPY", "sell", "20"));
  const trail = { type: "trailing_stop", trail_percent: "9", time_in_force: "gtc" };
  await trader.send("POST", "/v2/orders", { ...marketOrder("SPY", "buy", "5"), ...trail });
  await trader.send("POST", "/v2/orders", { ...limitOrder("SPY", "buy", "1", "1.00"), extended_hours: true });
  await trader.send("POST", "/v2/watchlists", { name: "mine", symbols: ["SPY"] });
  const { venueActions } = first.control;
  const executionId = trader.truth().fills[0]?.id ?? "";
  const { id } = await venueActions.correct(executionId, { price: "100" });
  await venueActions.setSymbol("SPY", { isHalted: true, easyToBorrow: false });
  await venueActions.changeAccountStatus(trader.account.account_number, { tradingBlocked: true });
  await first.control.clock({ advanceMinutes: 120 });
  const readAll = async () => Promise.all(PATHS.map(async (path) => [path, (await trader.send("GET", path)).body]));
  const before = await readAll();
  const truth = trader.truth();
  await first.close();

  const second = await start();
  const headers = { "APCA-API-KEY-ID": trader.account.key_id, "APCA-API-SECRET-KEY": trader.account.secret };
  const after = PATHS.map(async (path) => [path, await (await fetch(second.url + path, { headers })).json()]);
  expect(await Promise.all(after)).toEqual(before);
  expect(second.control.truth(trader.account.account_number)).toEqual([truth]);
  // The correction can still be taken back by the id that it has given.
  await second.control.venueActions.bust(id);
  await second.control.venueActions.changeAccountStatus(trader.account.account_number, { areKeysRevoked: true });
  await second.close();

  const third = await start();
  expect((await fetch(`${third.url}/v2/account`, { headers })).status).toBe(401);
  expect(third.control.truth(trader.account.account_number)[0]).toMatchObject({
    cash: "200000",
    positions: [],
    fills: [],
  });
});

it("a database from before margin, trails and standing is read as cash accounts in good standing", async () => {
  const first = await start();
  const trader = await openTrader(first);
  await trader.send("POST", "/v2/orders", marketOrder("SPY", "buy", "10"));
  await trader.send("POST", "/v2/orders", { ...limitOrder("SPY", "sell", "4", "9000.00"), time_in_force: "gtc" });
  const orders = (await trader.send("GET", "/v2/orders?status=all")).body;
  const truth = trader.truth();
  await first.close();
  const gone = (table: string, ...fields: string[]) =>
    query(`update exchange.${table} set body = body - array[${fields.map((field) => `'${field}'`).join(",")}]`);
  await gone("accounts", "standing", "isMargin", "isLegacy", "paysFees", "chargedThrough", "lastMaintenance");
  await gone("accounts", "priorEquity", "priorMaintenance");
  await gone("orders", "trailPrice", "trailPercent", "hwm", "intent", "failedAt");
  await gone("fills", "costMoved", "isOpening");

  const second = await start();
  const headers = { "APCA-API-KEY-ID": trader.account.key_id, "APCA-API-SECRET-KEY": trader.account.secret };
  expect(second.control.truth(trader.account.account_number)).toEqual([truth]);
  expect(await (await fetch(`${second.url}/v2/orders?status=all`, { headers })).json()).toEqual(orders);
  const account = (await (await fetch(`${second.url}/v2/account`, { headers })).json()) as Record<string, unknown>;
  expect(account).toMatchObject({ multiplier: "1", status: "ACTIVE", trading_blocked: false });
});

it("exits that an older database lets outlive their entry end with it", async () => {
  const first = await start();
  const trader = await openTrader(first);
  const last = await trader.last("SPY");
  const exits = {
    take_profit: { limit_price: (last * 1.3).toFixed(2) },
    stop_loss: { stop_price: (last * 0.7).toFixed(2) },
  };
  const entry = { ...limitOrder("SPY", "buy", "10", (last * 0.8).toFixed(2)), order_class: "bracket", ...exits };
  await trader.send("POST", "/v2/orders", entry);
  await first.close();
  const longLife = `'{"timeInForce": "gtc", "expiresAtMs": 4102444800000}'::jsonb`;
  await query(`update exchange.orders set body = body || ${longLife} where body->>'status' = 'held'`);

  const second = await start();
  await second.control.clock({ advanceMinutes: 390 });
  const [truth] = second.control.truth(trader.account.account_number);
  expect(truth?.orders.map(({ status }) => status)).toEqual(["expired", "expired", "expired"]);
});

it("an order that an older database lets end within a session trades no longer than that", async () => {
  const first = await start();
  const trader = await openTrader(first, "1000000000");
  await trader.send("POST", "/v2/orders", { ...marketOrder("SPY", "buy", "1000000"), time_in_force: "gtc" });
  const opensAtMs = Date.parse("2024-01-08T14:30:00Z");
  await first.close();
  await query(`update exchange.orders set body = jsonb_set(body, '{expiresAtMs}', '${opensAtMs + 330_000}')`);

  const second = await start();
  await second.control.clock({ advanceMinutes: 20 });
  const [truth] = second.control.truth(trader.account.account_number);
  const minutes = truth?.fills.map(({ at }) => (Date.parse(at) - opensAtMs) / 60_000) ?? [];
  expect([truth?.orders[0]?.status, Math.max(...minutes)]).toEqual(["expired", 5]);
});

it("a restart keeps registered applications and the tokens that were not revoked", async () => {
  const first = await start();
  const { id, account_number } = await first.control.createAccount({ keys: "alpaca" });
  const client = { client_id: "kept", client_secret: "kept-secret", redirect_uris: ["https://kept.example/back"] };
  await first.control.oauth.registerClient(client);
  const tokenOf = async ({ url }: Exchange) => {
    const redirect_uri = client.redirect_uris[0] ?? "";
    const wish = { response_type: "code", client_id: "kept", redirect_uri, scope: "trading", env: "paper" };
    const form = new URLSearchParams({ ...wish, decision: "allow", paper_account: id });
    const allowed = await fetch(`${url}/oauth/authorize`, { method: "POST", body: form, redirect: "manual" });
    const code = new URL(allowed.headers.get("location") ?? "").searchParams.get("code") ?? "";
    const { client_id, client_secret } = client;
    const asked = { grant_type: "authorization_code", code, client_id, client_secret, redirect_uri };
    const answer = await fetch(`${url}/oauth/token`, { method: "POST", body: new URLSearchParams(asked) });
    return ((await answer.json()) as { access_token: string }).access_token;
  };
  const statusOf = async ({ url }: Exchange, token: string) =>
    (await fetch(`${url}/v2/account`, { headers: { authorization: `Bearer ${token}` } })).status;
  const token = await tokenOf(first);
  await first.close();

  const second = await start();
  expect(await statusOf(second, token)).toBe(200);
  const later = await tokenOf(second);
  expect(await second.control.oauth.revoke({ account_number })).toBe(2);
  await second.close();

  const third = await start();
  expect([await statusOf(third, token), await statusOf(third, later)]).toEqual([401, 401]);
});
