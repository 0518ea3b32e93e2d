import type { ExchangeState } from "../book/state.ts";
import { averagePrice, isSilent, minuteBarOf, tradeCount } from "../http/bar-rows.ts";
import { midnightOf } from "../http/data-query.ts";
import { newsWire } from "../http/news.ts";
import { printsAt, quoteWire, tapeOf, tradeWire } from "../http/tick-wire.ts";
import type { DayBar } from "../market/minute-path.ts";
import type { NewsItem } from "../market/news.ts";
import { seedOf } from "../market/seeded.ts";
import type { Halt } from "../market/source.ts";
import { encode } from "./msgpack.ts";

/** One data message, written at most once in each of the two codecs however many clients want it. */
export interface Message {
  symbols: readonly string[];
  json(): string;
  packed(): Buffer;
}

/** Fields that are times: text in JSON, timestamps in MessagePack. */
const TIMES = new Set(["t", "created_at", "updated_at"]);

function messageOf(symbols: readonly string[], body: Record<string, unknown>): Message {
  let text: string | undefined;
  let bytes: Buffer | undefined;
  return {
    symbols,
    json: () => (text ??= JSON.stringify(body)),
    packed() {
      bytes ??= encode(
        Object.fromEntries(
          Object.entries(body).map(([key, value]) => [key, TIMES.has(key) ? new Date(String(value)) : value]),
        ),
      );
      return bytes;
    },
  };
}

export function stockMessage(type: string, symbol: string, body: Record<string, unknown>): Message {
  return messageOf([symbol], { T: type, S: symbol, ...body });
}

const isoText = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;

function barBody(t: string, bar: DayBar): Record<string, unknown> {
  return {
    o: bar.open,
    h: bar.high,
    l: bar.low,
    c: bar.close,
    v: bar.volume,
    t,
    n: tradeCount(bar.volume),
    vw: averagePrice(bar),
  };
}

/** Now and then some of a minute's trades are reported late: the bar comes without them, the updated bar with them. */
function lateVolume(state: ExchangeState, symbol: string, index: number, minute: number, volume: number): number {
  return seedOf(state.market.seed, "late", symbol, index, minute) % 100 === 0 ? Math.floor(volume / 50) : 0;
}

export interface MinuteOf {
  index: number;
  minute: number;
  /** The opening of its session. */
  opensAtMs: number;
}

/** The bar of a minute that has just ended, null when nothing was traded. */
export function barMessage(
  state: ExchangeState,
  symbol: string,
  { index, minute, opensAtMs }: MinuteOf,
): Message | null {
  const path = state.view.path(symbol, index);
  if (path === undefined || isSilent(path, minute)) return null;
  const bar = minuteBarOf(path, minute);
  bar.volume -= lateVolume(state, symbol, index, minute, bar.volume);
  return stockMessage("b", symbol, barBody(isoText(opensAtMs + minute * 60_000), bar));
}

/** The bar of a minute that late trades have changed; null where there were none. */
export function updatedBarMessage(
  state: ExchangeState,
  symbol: string,
  { index, minute, opensAtMs }: MinuteOf,
): Message | null {
  const path = state.view.path(symbol, index);
  if (path === undefined || minute < 0) return null;
  const bar = minuteBarOf(path, minute);
  if (lateVolume(state, symbol, index, minute, bar.volume) === 0) return null;
  return stockMessage("u", symbol, barBody(isoText(opensAtMs + minute * 60_000), bar));
}

/** The day so far. */
export function dailyBarMessage(state: ExchangeState, symbol: string, { index, minute }: MinuteOf): Message | null {
  const path = state.view.path(symbol, index);
  if (path === undefined) return null;
  const bar = minuteBarOf(path, 0);
  for (let m = 1; m <= minute; m += 1) {
    bar.high = Math.max(bar.high, path.high[m] as number);
    bar.low = Math.min(bar.low, path.low[m] as number);
    bar.volume += path.volume[m] as number;
  }
  bar.close = path.close[minute] as number;
  return stockMessage("d", symbol, barBody(midnightOf(state, index).text, bar));
}

/** The trades of a minute, or only the last of them. */
export function tradeMessages(state: ExchangeState, symbol: string, at: MinuteOf, isCoalesced: boolean): Message[] {
  const prints = printsAt(state, symbol, at.index, at.minute);
  return (isCoalesced ? prints.slice(-1) : prints).map((print) =>
    stockMessage("t", symbol, tradeWire(state, symbol, print)),
  );
}

export function quoteMessages(state: ExchangeState, symbol: string, at: MinuteOf, isCoalesced: boolean): Message[] {
  const prints = printsAt(state, symbol, at.index, at.minute);
  return (isCoalesced ? prints.slice(-1) : prints).map((print) =>
    stockMessage("q", symbol, quoteWire(state, symbol, print)),
  );
}

const LULD_EVERY_MINUTES = 5;
/** Price bands around the last price: 5 %, twice that in the last 25 minutes. */
const LULD_SHARE = 0.05;

export function luldMessage(
  state: ExchangeState,
  symbol: string,
  at: MinuteOf,
  sessionMinutes: number,
): Message | null {
  if (at.minute % LULD_EVERY_MINUTES !== 0) return null;
  const price = state.view.path(symbol, at.index)?.close[at.minute];
  if (price === undefined) return null;
  const share = at.minute >= sessionMinutes - 25 ? 2 * LULD_SHARE : LULD_SHARE;
  const cents = (value: number) => Math.round(value * 100) / 100;
  return stockMessage("l", symbol, {
    u: cents(price * (1 + share)),
    d: cents(price * (1 - share)),
    i: "B",
    t: isoText(at.opensAtMs + (at.minute + 1) * 60_000),
    z: tapeOf(state, symbol),
  });
}

const REASONS = {
  volatility: { C: ["LUDP", "Volatility Trading Pause"], other: ["M", "Volatility Trading Pause"] },
  news: { C: ["T1", "Halt News Pending"], other: ["P", "News Pending"] },
} as const;

/** A halt's beginning or end, in the words of the tape that reports it. */
export function statusMessage(
  state: ExchangeState,
  halt: Pick<Halt, "symbol" | "reason">,
  isBeginning: boolean,
  atMs: number,
): Message {
  const tape = tapeOf(state, halt.symbol);
  const isNasdaq = tape === "C";
  const [rc, rm] = REASONS[halt.reason][isNasdaq ? "C" : "other"];
  const beginning = isNasdaq ? ["H", "Trading Halt"] : ["2", "Trading Halt"];
  const end = isNasdaq ? ["T", "Trading Resumption"] : ["3", "Resume"];
  const [sc, sm] = isBeginning ? beginning : end;
  const reason = isBeginning ? { rc, rm } : { rc: "", rm: "" };
  return stockMessage("s", halt.symbol, { sc, sm, ...reason, t: isoText(atMs), z: tape });
}

export function newsMessage(item: NewsItem): Message {
  const { images: _, ...article } = newsWire(item);
  return messageOf([item.symbol], { T: "n", ...article });
}
