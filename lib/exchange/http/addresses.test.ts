import { afterAll, beforeAll, expect, it } from "vitest";
import { WebSocket } from "ws";
import { startTestExchange } from "@/lib/proof/market/test-exchange.ts";
import type { NewAccount } from "../control.ts";
import type { Exchange } from "../start.ts";

let exchange: Exchange;
let [paper, live, practice]: NewAccount[] = [];
beforeAll(async () => {
  exchange = await startTestExchange({ port: 0, livePort: 0, paused: true });
  paper = await exchange.control.createAccount({ keys: "alpaca" });
  live = await exchange.control.createAccount({ keys: "alpaca", live: true });
  practice = await exchange.control.createAccount();
});
afterAll(() => exchange.close());

const statusAt = async (url: string, { key_id, secret }: NewAccount) => {
  const headers = { "APCA-API-KEY-ID": key_id, "APCA-API-SECRET-KEY": secret };
  return (await fetch(`${url}/v2/account`, { headers })).status;
};

/** What the trade stream answers to the keys. */
const signedIn = (url: string, { key_id: key, secret }: NewAccount) =>
  new Promise<unknown>((resolve, reject) => {
    const socket = new WebSocket(`${url.replace("http", "ws")}/stream`);
    socket.on("error", reject);
    socket.on("open", () => socket.send(JSON.stringify({ action: "auth", key, secret })));
    socket.on("message", (frame: Buffer) => {
      socket.close();
      resolve((JSON.parse(frame.toString()) as { data: { status: unknown } }).data.status);
    });
  });

it("keys begin as Alpaca's do: PK for paper, AK for real money, TP for the practice market", () => {
  expect([paper, live, practice].map((account) => account?.key_id.slice(0, 2))).toEqual(["PK", "AK", "TP"]);
  expect(paper?.account_number).toMatch(/^PA/);
  expect(live?.account_number).toMatch(/^\d{9}$/);
});

it("keys work at their own address alone, for requests and for the trade stream", async () => {
  const liveUrl = exchange.liveUrl!;
  for (const account of [paper!, practice!]) {
    expect([await statusAt(exchange.url, account), await statusAt(liveUrl, account)]).toEqual([200, 401]);
    expect(await signedIn(exchange.url, account)).toBe("authorized");
    expect(await signedIn(liveUrl, account)).toBe("unauthorized");
  }
  expect([await statusAt(exchange.url, live!), await statusAt(liveUrl, live!)]).toEqual([401, 200]);
  expect(await signedIn(exchange.url, live!)).toBe("unauthorized");
  expect(await signedIn(liveUrl, live!)).toBe("authorized");
});

it("an account of real money has Alpaca's keys", async () => {
  await expect(exchange.control.createAccount({ live: true })).rejects.toThrow(/have Alpaca's keys/);
});
