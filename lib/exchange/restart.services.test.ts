import pg from "pg";
import { afterEach, expect, it } from "vitest";
import { openTrader } from "@/lib/proof/practice-trader.ts";
import type { Exchange } from "./start.ts";
import { startTestExchange } from "@/lib/proof/market/test-exchange.ts";

const databaseUrl = process.env.EXCHANGE_DATABASE_URL as string;
let exchange: Exchange | undefined;

async function start(): Promise<Exchange> {
  exchange = await startTestExchange({ port: 0, paused: true, seed: 6, databaseUrl });
  return exchange;
}

afterEach(async () => {
  await exchange?.close();
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("drop schema if exists exchange cascade");
  await client.end();
});

it("a restart with the same database continues with the same accounts, orders, fills, cash and market time", async () => {
  const first = await start();
  const trader = await openTrader(first, "200000");
  const { body } = await trader.send("GET", "/v2/stocks/SPY/trades/latest");
  const price = (body.trade as { p: number }).p;
  const order = { symbol: "SPY", side: "buy", time_in_force: "gtc" };
  const exits = {
    take_profit: { limit_price: (price * 1.4).toFixed(2) },
    stop_loss: { stop_price: (price * 0.6).toFixed(2) },
  };
  await trader.send("POST", "/v2/orders", { ...order, qty: "20", type: "market", order_class: "bracket", ...exits });
  await trader.send("POST", "/v2/orders", { ...order, time_in_force: "day", notional: "777.77", type: "market" });
  await trader.send("POST", "/v2/orders", {
    ...order,
    qty: "3",
    type: "limit",
    limit_price: (price * 0.8).toFixed(2),
    client_order_id: "rests",
  });
  await first.control.clock({ advanceMinutes: 1000 });
  const [truth, status] = [trader.truth(), first.control.status()];
  const history = (await trader.send("GET", "/v2/account/portfolio/history")).body;
  await first.close();

  const second = await start();
  expect(second.control.status()).toEqual(status);
  expect(second.control.truth(trader.account.account_number)).toEqual([truth]);
  const headers = { "APCA-API-KEY-ID": trader.account.key_id, "APCA-API-SECRET-KEY": trader.account.secret };
  const again = async (path: string) =>
    (await fetch(second.url + path, { headers })).json() as Promise<Record<string, unknown>>;
  expect(await again("/v2/account/portfolio/history")).toEqual(history);

  // The client id from before the restart is still taken, and the exits still wake the same pair.
  const duplicate = await fetch(`${second.url}/v2/orders`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ ...order, qty: "1", type: "market", client_order_id: "rests" }),
  });
  expect(duplicate.status).toBe(422);
  const leg = truth.orders.find((candidate) => candidate.type === "stop");
  const cancelled = await fetch(`${second.url}/v2/orders/${leg?.id ?? ""}`, { method: "DELETE", headers });
  expect(cancelled.status).toBe(204);
  const open = (await again("/v2/orders")) as unknown as { client_order_id: string }[];
  expect(open.map((candidate) => candidate.client_order_id)).toEqual(["rests"]);
});

it("what happens after a restart at a market time that stands still comes after what happened before", async () => {
  const first = await start();
  await first.control.clock({ advanceMinutes: 10 });
  const trader = await openTrader(first);
  const order = { symbol: "SPY", side: "buy", qty: "1", type: "market", time_in_force: "day" };
  const { body: before } = await trader.send("POST", "/v2/orders", order);
  await first.close();
  const second = await start();
  const headers = { "APCA-API-KEY-ID": trader.account.key_id, "APCA-API-SECRET-KEY": trader.account.secret };
  const body = JSON.stringify(order);
  await fetch(`${second.url}/v2/orders`, { method: "POST", body, headers });
  const path = `${second.url}/v2/orders?status=all&after=${String(before.submitted_at)}`;
  expect(await (await fetch(path, { headers })).json()).toHaveLength(1);
  const fills = second.control.truth(trader.account.account_number)[0]?.fills.map(({ at }) => at) ?? [];
  expect(fills.length).toBe(2);
  expect(fills[1]! > fills[0]!).toBe(true);
});

it("an accepted order is in the database before its reply arrives", async () => {
  const running = await start();
  const trader = await openTrader(running);
  const { body } = await trader.send("POST", "/v2/orders", {
    symbol: "SPY",
    side: "buy",
    qty: "1",
    type: "market",
    time_in_force: "day",
  });
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const stored = await client.query(
    "select body->>'status' as status, body->>'filledQty' as filled from exchange.orders where key = $1",
    [body.id],
  );
  await client.end();
  expect(stored.rows).toEqual([{ status: "filled", filled: "1" }]);
});

it("a database of one market is not continued with another", async () => {
  const first = await start();
  await first.close();
  exchange = undefined;
  await expect(startTestExchange({ port: 0, seed: 7, databaseUrl })).rejects.toThrow(/belongs to generated/);
});
