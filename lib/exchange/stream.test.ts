import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { WebSocket } from "ws";
import { marketOrder, openTrader, type PracticeTrader } from "@/lib/proof/practice-trader.ts";
import type { Exchange } from "./start.ts";
import { decode, encode } from "./streams/msgpack.ts";
import { startTestExchange } from "@/lib/proof/market/test-exchange.ts";

const until = (check: () => unknown) => vi.waitFor(check, { interval: 5, timeout: 15_000 });
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

/** The trade_updates websocket as a bare client sees it. */

let exchange: Exchange;
let trader: PracticeTrader;

beforeAll(async () => {
  exchange = await startTestExchange({ port: 0, paused: true, seed: 5 });
  trader = await openTrader(exchange);
  await exchange.control.clock({ advanceMinutes: 5 });
});

afterAll(() => exchange.close());

interface Frame {
  stream: string;
  data: Record<string, unknown>;
}

async function connected() {
  const socket = new WebSocket(`${exchange.url.replace("http", "ws")}/stream`);
  const frames: Frame[] = [];
  const kinds: boolean[] = [];
  socket.on("message", (raw: Buffer, isBinary: boolean) => {
    frames.push(JSON.parse(raw.toString("utf8")) as Frame);
    kinds.push(isBinary);
  });
  await once(socket, "open");
  const ask = async (message: unknown): Promise<Frame> => {
    const before = frames.length;
    socket.send(typeof message === "string" ? message : JSON.stringify(message));
    await until(() => expect(frames.length).toBeGreaterThan(before));
    return frames[before] as Frame;
  };
  return { socket, frames, kinds, ask };
}

const listen = { action: "listen", data: { streams: ["trade_updates"] } };
const signIn = () => ({
  action: "authenticate",
  data: { key_id: trader.account.key_id, secret_key: trader.account.secret },
});

describe("the trade_updates websocket", () => {
  it("refuses to speak before a sign-in, and a sign-in with wrong keys", async () => {
    const { socket, ask } = await connected();
    const unauthorized = (action: string) => ({ stream: "authorization", data: { status: "unauthorized", action } });
    expect(await ask(listen)).toEqual(unauthorized("listen"));
    expect(await ask({ action: "authenticate", data: { key_id: trader.account.key_id, secret_key: "no" } })).toEqual(
      unauthorized("authenticate"),
    );
    expect(await ask("{broken")).toMatchObject({ action: "error" });
    socket.terminate();
  });

  it("takes both forms of sign-in, and listening twice is listening once", async () => {
    const { socket, frames, kinds, ask } = await connected();
    const authorized = { stream: "authorization", data: { status: "authorized", action: "authenticate" } };
    expect(await ask({ action: "auth", key: trader.account.key_id, secret: trader.account.secret })).toEqual(
      authorized,
    );
    expect(await ask(signIn())).toEqual(authorized);
    const listening = { stream: "listening", data: { streams: ["trade_updates"] } };
    expect(await ask(listen)).toEqual(listening);
    expect(await ask(listen)).toEqual(listening);
    expect(await ask({ action: "listen", data: { streams: ["trade_updates", "weather"] } })).toEqual(listening);
    frames.length = 0;
    await trader.send("POST", "/v2/orders", {
      symbol: "SPY",
      side: "buy",
      type: "market",
      time_in_force: "day",
      qty: "1",
    });
    await until(() => expect(frames.map(({ data }) => data.event)).toEqual(["pending_new", "new", "fill"]));
    expect(await ask({ action: "listen", data: { streams: [] } })).toEqual({
      stream: "listening",
      data: { streams: [] },
    });
    await trader.send("POST", "/v2/orders", {
      symbol: "SPY",
      side: "buy",
      type: "market",
      time_in_force: "day",
      qty: "1",
    });
    socket.ping("there?");
    expect(String((await once(socket, "pong"))[0])).toBe("there?");
    expect(frames.filter(({ stream }) => stream === "trade_updates")).toHaveLength(3);
    // The paper broker sends JSON in binary frames.
    expect(kinds.every((isBinary) => isBinary)).toBe(true);
    socket.terminate();
  });

  it("speaks MessagePack both ways where the upgrade asks for it", async () => {
    const socket = new WebSocket(`${exchange.url.replace("http", "ws")}/stream`, {
      headers: { "Content-Type": "application/msgpack" },
    });
    const frames: Frame[] = [];
    socket.on("message", (raw: Buffer) => frames.push(decode(raw) as Frame));
    await once(socket, "open");
    socket.send(encode(signIn()));
    socket.send(encode(listen));
    await until(() => expect(frames.map(({ stream }) => stream)).toEqual(["authorization", "listening"]));
    expect(frames.map(({ data }) => data)).toEqual([
      { status: "authorized", action: "authenticate" },
      { streams: ["trade_updates"] },
    ]);
    await trader.send("POST", "/v2/orders", marketOrder("SPY", "buy", "1"));
    await until(() => expect(frames.at(-1)?.data).toMatchObject({ event: "fill", order: { symbol: "SPY", qty: "1" } }));
    const count = frames.length;
    socket.send("{}");
    await until(() => expect(frames[count]).toMatchObject({ action: "error" }));
    socket.terminate();
  });
});

it("revoked keys read on no websocket that they have opened, and open none", async () => {
  const own = await openTrader(exchange);
  const { key_id: key, secret, account_number } = own.account;
  const open = (path: string, frame: object) => {
    const socket = new WebSocket(exchange.url.replace("http", "ws") + path);
    socket.once("open", () => socket.send(JSON.stringify(frame)));
    const closed = once(socket, "close");
    const authorised = vi.fn<(raw: string) => void>();
    socket.on("message", (raw: Buffer) => authorised(raw.toString("utf8")));
    return { closed, said: (text: string) => until(() => expect(authorised.mock.calls.join("")).toContain(text)) };
  };
  const trades = open("/stream", { action: "authenticate", data: { key_id: key, secret_key: secret } });
  const data = open("/v2/iex", { action: "auth", key, secret });
  const other = await connected();
  await Promise.all([trades.said('"authorized"'), data.said('"authenticated"'), other.ask(signIn())]);
  await exchange.control.venueActions.changeAccountStatus(account_number, { areKeysRevoked: true });
  await Promise.all([trades.closed, data.closed]);
  const again = open("/v2/iex", { action: "auth", key, secret });
  await Promise.all([again.said('"auth failed"'), again.closed]);
  // The others are not disturbed.
  expect(await other.ask(listen)).toMatchObject({ stream: "listening" });
  other.socket.terminate();
});
