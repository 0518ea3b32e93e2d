import pg from "pg";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { limitOrder, marketOrder, openTrader } from "@/lib/proof/practice-trader.ts";
import { type Exchange, startExchange } from "./start.ts";

const databaseUrl = process.env.EXCHANGE_DATABASE_URL as string;
let exchange: Exchange | undefined;

async function close(): Promise<void> {
  const running = exchange;
  exchange = undefined;
  await running?.close();
}

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(async () => {
  await close();
  vi.useRealTimers();
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("drop schema if exists exchange cascade");
  await client.end();
});

it("an exchange that follows the wall clock plays what passed while it was down: expiries, fills, days", async () => {
  vi.setSystemTime("2026-11-19T15:30:20.000Z");
  exchange = await startExchange({ port: 0, start: "now", databaseUrl });
  const trader = await openTrader(exchange);
  const price = await trader.last("SPY");
  const order = (id: string, factor: number, time_in_force: string) => ({
    ...limitOrder("SPY", "buy", "1", (price * factor).toFixed(2)),
    client_order_id: id,
    time_in_force,
  });
  await trader.send("POST", "/v2/orders", marketOrder("SPY", "buy", "3"));
  await trader.send("POST", "/v2/orders", order("day", 0.5, "day"));
  await trader.send("POST", "/v2/orders", order("far", 0.5, "gtc"));
  await trader.send("POST", "/v2/orders", order("near", 0.9995, "gtc"));
  await close();

  // Over a week-end, into Monday's session.
  vi.setSystemTime("2026-11-23T15:00:10.000Z");
  exchange = await startExchange({ port: 0, start: "now", databaseUrl });
  expect(exchange.control.status()).toMatchObject({ now: "2026-11-23T15:00:10.000Z", isOpen: true });
  const { orders, fills, positions } = exchange.control.truth(trader.account.account_number)[0]!;
  const status = Object.fromEntries(orders.map((one) => [one.client_order_id, one.status]));
  expect(status).toMatchObject({ day: "expired", far: "new", near: "filled" });
  const [, filled] = fills;
  // At a time of a session while it was down, at its own price or better.
  expect(filled?.at.slice(0, 10)).toMatch(/2026-11-(19|20|23)/);
  expect(Number(filled?.price)).toBeLessThanOrEqual(Number((price * 0.9995).toFixed(2)));
  expect(positions).toMatchObject([{ symbol: "SPY", qty: "4" }]);
  const headers = { "APCA-API-KEY-ID": trader.account.key_id, "APCA-API-SECRET-KEY": trader.account.secret };
  const history = await fetch(`${exchange.url}/v2/account/portfolio/history?period=5D&timeframe=1D`, { headers });
  const { timestamp } = (await history.json()) as { timestamp: number[] };
  expect(timestamp.length).toBeGreaterThanOrEqual(2);
}, 60_000);

it("a database of a market that follows the wall clock belongs to it, and one of another market does not", async () => {
  vi.setSystemTime("2026-11-20T15:30:20.000Z");
  exchange = await startExchange({ port: 0, start: "now", databaseUrl });
  await close();
  await expect(startExchange({ port: 0, databaseUrl })).rejects.toThrow(
    /follows the wall clock .* database of its own/,
  );
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("drop schema exchange cascade");
  await client.end();
  exchange = await startExchange({ port: 0, paused: true, databaseUrl });
  await close();
  await expect(startExchange({ port: 0, start: "now", databaseUrl })).rejects.toThrow(/does not follow the wall clock/);
}, 60_000);
