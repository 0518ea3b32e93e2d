import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { WebSocket } from "ws";
import type { Exchange } from "../start.ts";
import { startTestExchange } from "@/lib/proof/market/test-exchange.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

interface Bar {
  T: string;
  S: string;
  t: string;
  v: number;
}

const LAST_MINUTE = "2024-01-08T20:59:00Z";
let exchange: Exchange;
let headers: Record<string, string>;
beforeAll(async () => {
  exchange = await startTestExchange({ port: 0, paused: true, seed: 5 });
  const account = await exchange.control.createAccount();
  headers = { "APCA-API-KEY-ID": account.key_id, "APCA-API-SECRET-KEY": account.secret };
  await exchange.control.clock({ jumpTo: "2024-01-08T20:55:00Z" });
});
afterAll(() => exchange.close());

async function barsOf(path: string): Promise<Bar[]> {
  const frames: Bar[] = [];
  const socket = new WebSocket(exchange.url.replace("http", "ws") + path, { headers });
  socket.on("message", (raw: Buffer) => frames.push(...(JSON.parse(raw.toString("utf8")) as Bar[])));
  await vi.waitFor(() => expect(frames).toHaveLength(2), { interval: 5, timeout: 15_000 });
  socket.send(JSON.stringify({ action: "subscribe", bars: ["*"], updatedBars: ["*"] }));
  await vi.waitFor(() => expect(frames).toHaveLength(3), { interval: 5, timeout: 15_000 });
  return frames;
}

it("late trades of a session's last minute are told on every feed, so that its last bars agree with REST", async () => {
  const feeds = await Promise.all(["/v2/sip", "/v2/delayed_sip"].map(barsOf));
  // The close, and the next opening, at which the delayed feed tells the rest of the session.
  await exchange.control.clock({ advanceMinutes: 7 });
  for (const frames of feeds) {
    const ofLastMinute = (type: string) => frames.filter(({ T, t }) => T === type && t === LAST_MINUTE);
    await vi.waitFor(() => expect(ofLastMinute("u").length).toBeGreaterThan(0), { interval: 5, timeout: 15_000 });
    const late = ofLastMinute("u");
    const told = new Map([...ofLastMinute("b"), ...late].map(({ S, v }) => [S, v]));
    expect(told.size).toBeGreaterThan(400);
    const symbols = late.map(({ S }) => S).join(",");
    const path = `/v2/stocks/bars?symbols=${symbols}&timeframe=1Min&start=${LAST_MINUTE}&end=${LAST_MINUTE}`;
    const { bars } = (await (await fetch(exchange.url + path, { headers })).json()) as { bars: Record<string, Bar[]> };
    for (const { S } of late) expect([S, told.get(S)]).toEqual([S, bars[S]?.[0]?.v]);
  }
});
