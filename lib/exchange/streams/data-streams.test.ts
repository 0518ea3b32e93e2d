import { once } from "node:events";
import type { Socket } from "node:net";
import { afterEach, beforeAll, afterAll, describe, expect, it, vi } from "vitest";
import { WebSocket } from "ws";
import { generateMarket } from "../market/generated.ts";
import type { Halt } from "../market/source.ts";
import type { Exchange } from "../start.ts";
import { decode, encode } from "./msgpack.ts";
import { startTestExchange } from "@/lib/proof/market/test-exchange.ts";

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

type Frame = Record<string, unknown>;

let exchange: Exchange;
let keys: { key: string; secret: string };
const opened: WebSocket[] = [];

beforeAll(async () => {
  exchange = await startTestExchange({
    port: 0,
    paused: true,
    seed: 5,
    controlToken: "a-control-token-of-the-test",
    dataPlan: { connections: 2, symbols: 3, withoutFeeds: ["delayed_sip"] },
  });
  const account = await exchange.control.createAccount();
  keys = { key: account.key_id, secret: account.secret };
});

afterEach(async () => {
  const open = opened.splice(0).filter((socket) => socket.readyState !== WebSocket.CLOSED);
  await Promise.all(
    open.map((socket) => {
      const closed = once(socket, "close");
      socket.terminate();
      return closed;
    }),
  );
  exchange.control.clearFaults();
});

afterAll(() => exchange.close());

const until = (check: () => unknown, timeout = 15_000) => vi.waitFor(check, { interval: 5, timeout });

/** A JSON client that keeps every message. */
function client(path: string, headers: Record<string, string> = {}, on = exchange) {
  const socket = new WebSocket(on.url.replace("http", "ws") + path, { headers });
  opened.push(socket);
  const frames: Frame[] = [];
  socket.on("message", (raw: Buffer) => frames.push(...(JSON.parse(raw.toString("utf8")) as Frame[])));
  const closed = new Promise<void>((resolve) => socket.on("close", () => resolve()));
  return {
    socket,
    frames,
    closed,
    say: (message: unknown) => socket.send(typeof message === "string" ? message : JSON.stringify(message)),
    /** Waits until so many messages are there and returns the last. */
    async message(count: number): Promise<Frame> {
      await until(() => expect(frames.length).toBeGreaterThanOrEqual(count));
      return frames[count - 1] as Frame;
    },
  };
}

async function signedIn(path: string) {
  const it = client(path);
  await it.message(1);
  it.say({ action: "auth", ...keys });
  expect(await it.message(2)).toEqual({ T: "success", msg: "authenticated" });
  return it;
}

const error = (code: number, msg: string) => ({ T: "error", code, msg });

describe("a data websocket", () => {
  it("greets, signs in by message, and refuses a second sign-in", async () => {
    const it = client("/v2/iex");
    expect(await it.message(1)).toEqual({ T: "success", msg: "connected" });
    it.say({ action: "subscribe", bars: ["SPY"] });
    expect(await it.message(2)).toEqual(error(401, "not authenticated"));
    it.say({ action: "auth", ...keys });
    expect(await it.message(3)).toEqual({ T: "success", msg: "authenticated" });
    it.say({ action: "auth", ...keys });
    expect(await it.message(4)).toEqual(error(403, "already authenticated"));
  });

  it("signs in by the upgrade's headers, with the product's data keys too", async () => {
    const headers = { "APCA-API-KEY-ID": keys.key, "APCA-API-SECRET-KEY": keys.secret };
    expect(await client("/v2/sip", headers).message(2)).toEqual({ T: "success", msg: "authenticated" });
    const data = { "APCA-API-KEY-ID": "TPDATA", "APCA-API-SECRET-KEY": "a-control-token-of-the-test" };
    expect(await client("/v1beta1/news", data).message(2)).toEqual({ T: "success", msg: "authenticated" });
  });

  it("refuses wrong keys and hangs up", async () => {
    const wrong = client("/v2/iex");
    await wrong.message(1);
    wrong.say({ action: "auth", key: keys.key, secret: "wrong" });
    expect(await wrong.message(2)).toEqual(error(402, "auth failed"));
    await wrong.closed;
  });

  it("hangs up on a client that does not sign in in time", async () => {
    const impatient = await startTestExchange({ port: 0, paused: true, seed: 5, dataPlan: { authTimeoutMs: 50 } });
    try {
      const silent = client("/v2/iex", {}, impatient);
      expect(await silent.message(2)).toEqual(error(404, "auth timeout"));
      await silent.closed;
    } finally {
      await impatient.close();
    }
  });

  it("holds the plan: connections of a key to one feed, symbols, and feeds", async () => {
    const first = await signedIn("/v2/iex");
    await signedIn("/v2/iex");
    await signedIn("/v2/sip");
    const third = client("/v2/iex");
    await third.message(1);
    third.say({ action: "auth", ...keys });
    expect(await third.message(2)).toEqual(error(406, "connection limit exceeded"));
    await third.closed;

    first.say({ action: "subscribe", trades: ["A", "B"], quotes: ["C", "D"] });
    expect(await first.message(3)).toEqual(error(405, "symbol limit exceeded"));
    first.say({ action: "subscribe", bars: ["*"], trades: ["A"] });
    expect(await first.message(4)).toMatchObject({ T: "subscription", bars: ["*"], trades: ["A"], quotes: [] });

    const delayed = client("/v2/delayed_sip");
    await delayed.message(1);
    delayed.say({ action: "auth", ...keys });
    expect(await delayed.message(2)).toEqual(error(409, "insufficient subscription"));
  });

  it("acknowledges every change with the full lists", async () => {
    const it = await signedIn("/v2/sip");
    it.say({ action: "subscribe", trades: ["SPY"], bars: ["*"] });
    const lists = { quotes: [], updatedBars: [], dailyBars: [], statuses: [], lulds: [], imbalances: [] };
    const first = { T: "subscription", trades: ["SPY"], bars: ["*"], ...lists };
    expect(await it.message(3)).toEqual({ ...first, corrections: ["SPY"], cancelErrors: ["SPY"] });
    it.say({ action: "subscribe", quotes: ["SPY"] });
    const second = { ...first, quotes: ["SPY"] };
    expect(await it.message(4)).toEqual({ ...second, corrections: ["SPY"], cancelErrors: ["SPY"] });
    it.say({ action: "unsubscribe", trades: ["SPY"], bars: ["SPY"] });
    const third = { ...second, trades: [], corrections: [], cancelErrors: [] };
    expect(await it.message(5)).toEqual(third);
  });

  it("refuses what is not a message, and a channel that the feed does not have", async () => {
    const it = await signedIn("/v2/iex");
    it.say("{no json");
    expect(await it.message(3)).toEqual(error(400, "invalid syntax"));
    it.say({ action: "subscribe", bars: "SPY" });
    expect(await it.message(4)).toEqual(error(400, "invalid syntax"));
    it.say({ action: "dance" });
    expect(await it.message(5)).toEqual(error(400, "invalid syntax"));
    it.say({ action: "subscribe", news: ["*"] });
    expect(await it.message(6)).toEqual(error(410, "invalid subscribe action for this feed"));
    expect(it.socket.readyState).toBe(WebSocket.OPEN);
  });

  it.each([
    ["null", null],
    ["an empty list", []],
  ])("passes over a field that names nothing with %s, of other feeds too", async (_, nothing) => {
    const it = await signedIn("/v2/iex");
    const others = { trades: nothing, quotes: nothing, orderbooks: nothing, news: nothing, pricing: nothing };
    it.say({ action: "subscribe", bars: ["SPY"], ...others });
    expect(await it.message(3)).toMatchObject({ T: "subscription", bars: ["SPY"], trades: [], quotes: [] });
    it.say({ action: "unsubscribe", bars: nothing, ...others });
    expect(await it.message(4)).toMatchObject({ T: "subscription", bars: ["SPY"] });
    it.say({ action: "subscribe" });
    expect(await it.message(5)).toEqual(error(400, "invalid syntax"));
  });

  it("passes over corrections and cancellations, which some clients ask for by name and which come with the trades", async () => {
    const it = await signedIn("/v2/iex");
    it.say({ action: "subscribe", trades: ["SPY"], corrections: ["SPY"], cancelErrors: ["SPY"] });
    expect(await it.message(3)).toMatchObject({ T: "subscription", trades: ["SPY"], corrections: ["SPY"] });
    it.say({ action: "unsubscribe", trades: ["SPY"], corrections: ["SPY"], cancelErrors: ["SPY"] });
    expect(await it.message(4)).toMatchObject({ T: "subscription", trades: [], corrections: [] });
    const news = await signedIn("/v1beta1/news");
    news.say({ action: "subscribe", corrections: ["SPY"] });
    expect(await news.message(3)).toEqual(error(410, "invalid subscribe action for this feed"));
  });

  it("speaks with the Go client: MessagePack, keys in a message, and every field of every feed each time", async () => {
    const socket = new WebSocket(`${exchange.url.replace("http", "ws")}/v2/sip`, {
      headers: { "Content-Type": "application/msgpack" },
    });
    opened.push(socket);
    const frames: Frame[] = [];
    socket.on("message", (raw: Buffer) => frames.push(...(decode(raw) as Frame[])));
    const message = async (count: number) => {
      await until(() => expect(frames.length).toBeGreaterThanOrEqual(count));
      return frames[count - 1];
    };
    await message(1);
    socket.send(encode({ action: "auth", ...keys }));
    expect(await message(2)).toEqual({ T: "success", msg: "authenticated" });
    const fields = "trades quotes bars updatedBars dailyBars statuses imbalances lulds cancelErrors corrections".split(
      " ",
    );
    const nothing = Object.fromEntries([...fields, "orderbooks", "news", "pricing"].map((field) => [field, null]));
    socket.send(encode({ action: "subscribe", ...nothing, trades: ["SPY"], dailyBars: ["*"] }));
    expect(await message(3)).toMatchObject({ T: "subscription", trades: ["SPY"], dailyBars: ["*"], bars: [] });
    socket.send(encode({ action: "unsubscribe", ...nothing, trades: ["SPY"] }));
    expect(await message(4)).toMatchObject({ T: "subscription", trades: [], dailyBars: ["*"] });
  });

  it("does not exist on other paths", async () => {
    const socket = new WebSocket(`${exchange.url.replace("http", "ws")}/v2/crypto`);
    const [problem] = (await once(socket, "error")) as [Error];
    expect(problem.message).toContain("404");
  });

  it("answers pings", async () => {
    const it = await signedIn("/v2/iex");
    it.socket.ping("still there?");
    expect(String((await once(it.socket, "pong"))[0])).toBe("still there?");
  });

  it("speaks of FAKEPACA at any time on the test feed", async () => {
    const it = await signedIn("/v2/test");
    it.say({ action: "subscribe", trades: ["FAKEPACA"], quotes: ["*"] });
    await until(() => expect(it.frames.map(({ T }) => T)).toEqual(expect.arrayContaining(["t", "q"])));
    expect(it.frames.filter(({ T }) => T === "t" || T === "q").every(({ S }) => S === "FAKEPACA")).toBe(true);
  });
});

describe("what a data websocket tells", () => {
  it("with bars, updated bars and daily bars agrees with REST at every minute", async () => {
    const it = await signedIn("/v2/sip");
    it.say({ action: "subscribe", bars: ["*"], updatedBars: ["*"], dailyBars: ["SPY"], lulds: ["SPY"] });
    await it.message(3);
    await exchange.control.clock({ advanceMinutes: 20 });
    await until(() => expect(it.frames.filter(({ T }) => T === "d")).toHaveLength(20));
    const headers = { "APCA-API-KEY-ID": keys.key, "APCA-API-SECRET-KEY": keys.secret };
    const ask = async (path: string) => (await (await fetch(exchange.url + path, { headers })).json()) as Frame;
    const day = (await ask("/v2/stocks/SPY/snapshot")).dailyBar as Frame;
    expect(it.frames.findLast(({ T }) => T === "d")).toEqual({ T: "d", S: "SPY", ...day });
    // A late trade changes the bar: first heard without it, then with it.
    const updated = it.frames.filter(({ T }) => T === "u");
    expect(updated.length).toBeGreaterThan(10);
    for (const update of updated) {
      const heard = it.frames.find(({ T, S, t }) => T === "b" && S === update.S && t === update.t) as Frame;
      expect(Number(heard.v)).toBeLessThan(Number(update.v));
      const path = `/v2/stocks/${String(update.S)}/bars?timeframe=1Min&start=${String(update.t)}&limit=1`;
      const [bar] = (await ask(path)).bars as Frame[];
      expect({ T: "u", S: update.S, ...bar }).toEqual(update);
    }
    const band = it.frames.find(({ T }) => T === "l") as { u: number; d: number };
    expect(band.u / band.d).toBeCloseTo(1.05 / 0.95, 3);
  });

  it("tells of a halt when it begins and when it ends, and there are no trades in between", async () => {
    const market = generateMarket({ seed: 9, start: "2024-01-08" });
    market.extendTo("2024-03-01");
    const halt = market.halts.find(({ date }) => date >= "2024-01-08") as Halt;
    const quiet = await startTestExchange({ port: 0, paused: true, seed: 9 });
    await quiet.control.clock({ jumpTo: halt.date });
    try {
      const account = await quiet.control.createAccount();
      const headers = { "APCA-API-KEY-ID": account.key_id, "APCA-API-SECRET-KEY": account.secret };
      const it = client("/v2/iex", headers, quiet);
      await it.message(2);
      it.say({ action: "subscribe", statuses: ["*"], bars: [halt.symbol] });
      await it.message(3);
      await quiet.control.clock({ advanceMinutes: halt.fromMinute + halt.minutes + 10 });
      const last = new Date(Date.parse(quiet.control.status().now) - 60_000).toISOString().slice(0, 19);
      await until(() => expect(it.frames.some(({ t }) => t === `${last}Z`)).toBe(true));
      const ofSymbol = it.frames.filter(({ T, S }) => T === "s" && S === halt.symbol);
      expect(ofSymbol.map(({ sc }) => sc)).toEqual(ofSymbol[0]?.z === "C" ? ["H", "T"] : ["2", "3"]);
      const [from, to] = ofSymbol.map(({ t }) => Date.parse(String(t))) as [number, number];
      expect((to - from) / 60_000).toBe(halt.minutes);
      const heard = it.frames.filter(({ T }) => T === "b").map(({ t }) => Date.parse(String(t)));
      expect(heard.filter((t) => t >= from && t < to)).toEqual([]);
      expect(heard).toEqual(expect.arrayContaining([from - 60_000, to]));
    } finally {
      await quiet.close();
    }
  });

  it("tells of a halt that was made by hand, and of its end", async () => {
    const it = await signedIn("/v2/iex");
    it.say({ action: "subscribe", statuses: ["SPY"] });
    await it.message(3);
    await exchange.control.venueActions.setSymbol("SPY", { isHalted: true });
    await exchange.control.clock({ advanceMinutes: 3 });
    await exchange.control.venueActions.setSymbol("SPY", { isHalted: false });
    await exchange.control.clock({ advanceMinutes: 2 });
    expect(await it.message(5)).toMatchObject({ T: "s", S: "SPY", sc: "3", sm: "Resume", z: "B" });
    expect(it.frames.slice(3)).toMatchObject([{ sc: "2", rc: "P", rm: "News Pending" }, { sc: "3" }]);
  });

  it("is cut off for a client that does not read, and the market continues for the others", async () => {
    const small = await startTestExchange({
      port: 0,
      paused: true,
      seed: 5,
      // A busy machine takes longer than clients are given to read the last frame.
      dataPlan: { connections: 2, bufferBytes: 400_000, farewellMs: 60_000 },
    });
    try {
      const account = await small.control.createAccount();
      const headers = { "APCA-API-KEY-ID": account.key_id, "APCA-API-SECRET-KEY": account.secret };
      const [slow, quick] = [client("/v2/sip", headers, small), client("/v2/sip", headers, small)];
      for (const each of [slow, quick]) {
        await each.message(2);
        each.say({ action: "subscribe", bars: ["*"], trades: ["*"], quotes: ["*"] });
        await each.message(3);
      }
      (slow.socket as unknown as { _socket: Socket })._socket.pause();
      for (let step = 0; step < 4; step += 1) {
        await small.control.clock({ advanceMinutes: 10 });
        const last = new Date(Date.parse(small.control.status().now) - 60_000).toISOString().slice(0, 19);
        await until(() => expect(quick.frames.at(-1)).toMatchObject({ T: "b", t: `${last}Z` }));
        quick.frames.length = 0;
      }
      (slow.socket as unknown as { _socket: Socket })._socket.resume();
      await slow.closed;
      expect(slow.frames.at(-1)).toEqual(error(407, "slow client"));
      expect(quick.socket.readyState).toBe(WebSocket.OPEN);
    } finally {
      await small.close();
    }
  });

  it("falls silent while a fault says so, and speaks again afterwards", async () => {
    const it = await signedIn("/v2/sip");
    it.say({ action: "subscribe", bars: ["SPY"] });
    await it.message(3);
    exchange.control.addFault({ kind: "mute_socket", path: "/v2/sip" });
    await exchange.control.clock({ advanceMinutes: 2 });
    exchange.control.clearFaults();
    await exchange.control.clock({ advanceMinutes: 1 });
    const after = await it.message(4);
    const now = Date.parse(exchange.control.status().now);
    expect(Date.parse(String(after.t))).toBe(now - 60_000);
    expect(it.frames).toHaveLength(4);
  });
});
