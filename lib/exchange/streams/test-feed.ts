import type { Channel } from "./channels.ts";
import { type Message, stockMessage } from "./messages.ts";

const SYMBOL = "FAKEPACA";
const TICK_EVERY_MS = 1_000;

interface TestFeedOptions {
  nowMs(): number;
  speed(): number;
  isWanted(): boolean;
  publish(channel: Channel, message: Message): void;
}

/** The always-on symbol of `/v2/test`: a trade and a quote each second of wall time, also while the market is closed. */
export function createTestFeed({ nowMs, speed, isWanted, publish }: TestFeedOptions): { stop(): void } {
  let ticks = 0;
  let lastBar = 0;

  function tick(): void {
    if (!isWanted()) return;
    ticks += 1;
    const t = `${new Date(nowMs()).toISOString().slice(0, 19)}Z`;
    const price = Math.round((134 + Math.sin(ticks / 10)) * 100) / 100;
    publish("trades", stockMessage("t", SYMBOL, { i: ticks, x: "N", p: price, s: 100, t, c: [" "], z: "A" }));
    const sides = { bx: "O", bp: price - 0.01, bs: 100, ax: "R", ap: price + 0.01, as: 100 };
    publish("quotes", stockMessage("q", SYMBOL, { ...sides, t, c: ["R"], z: "A" }));
    if ((ticks - lastBar) * TICK_EVERY_MS * Math.max(1, speed()) < 60_000) return;
    lastBar = ticks;
    const bar = { o: price, h: price, l: price, c: price, v: 100, t, n: 1, vw: price };
    publish("bars", stockMessage("b", SYMBOL, bar));
  }

  const timer = setInterval(tick, TICK_EVERY_MS).unref();
  return { stop: () => clearInterval(timer) };
}
