import { addDays, newYork, newYorkInstant } from "../../domain/time.ts";
import type { ExchangeState } from "../book/state.ts";
import { Refusal } from "../book/refusal.ts";
import { dateOf, instantOf } from "./dates.ts";

/** The data API refuses with 400 and a message, without a code. */
export function badQuery(message: string): Refusal {
  return new Refusal(400, 0, message);
}

export function symbolsOf(query: URLSearchParams): string[] {
  const symbols = (query.get("symbols") ?? "")
    .split(",")
    .map((symbol) => symbol.trim())
    .filter((symbol) => symbol !== "");
  if (symbols.length === 0) throw badQuery("symbols is required");
  const bad = symbols.find((symbol) => !/^[A-Z][A-Z0-9./-]*$/.test(symbol));
  if (bad !== undefined) throw badQuery(`invalid symbol: ${bad}`);
  return [...new Set(symbols)];
}

/** An instant, or a New York date: its first millisecond as a start, its last as an end. */
export function boundMs(query: URLSearchParams, name: "start" | "end"): number | null {
  const value = query.get(name);
  if (value === null || value === "") return null;
  const date = dateOf(value);
  if (date !== null)
    return name === "start"
      ? Date.parse(newYorkInstant(date, 0, 0))
      : Date.parse(newYorkInstant(addDays(date, 1), 0, 0)) - 1;
  const ms = instantOf(value);
  if (ms === null) throw badQuery(`invalid ${name}: ${value}`);
  return ms;
}

export function limitOf(query: URLSearchParams, fallback: number, most: number): number {
  const value = query.get("limit");
  if (value === null || value === "") return fallback;
  const limit = Number(value);
  if (!Number.isInteger(limit) || limit < 1 || limit > most) throw badQuery(`limit must be between 1 and ${most}`);
  return limit;
}

/** True for newest first. */
export function isDescending(query: URLSearchParams): boolean {
  const sort = (query.get("sort") ?? "").toLowerCase();
  if (sort !== "" && sort !== "asc" && sort !== "desc") throw badQuery(`invalid sort: ${query.get("sort") ?? ""}`);
  return sort === "desc";
}

const PAST = ["iex", "sip", "otc", "boats"];
/** The feeds that each kind of answer can be asked of. */
const FEEDS = {
  auctions: ["sip"],
  bars: PAST,
  trades: PAST,
  quotes: PAST,
  latest: [...PAST, "delayed_sip", "overnight"],
};
export type FeedUse = keyof typeof FEEDS;

/** All feeds show the same market here; what is not a feed of such answers, or not in dollars, is refused as the broker does. */
export function checkFeed(query: URLSearchParams, use: FeedUse): void {
  const feed = query.get("feed");
  if (feed !== null && feed !== "" && !FEEDS[use].includes(feed)) throw badQuery(`invalid feed: ${feed}`);
  const currency = query.get("currency");
  if (currency !== null && currency !== "" && currency !== "USD") throw badQuery(`invalid currency: ${currency}`);
}

export function tokenOf(text: string): string {
  return Buffer.from(text).toString("base64url");
}

export const invalidToken = (): Refusal => badQuery("invalid page_token");

/**
 * The text of the query's page token, null without one. What was not made here, or for another list, is refused: read as a beginning,
 * it would let a client go round in circles.
 */
export function readToken(query: URLSearchParams, shape: RegExp): string | null {
  const token = query.get("page_token");
  if (token === null || token === "") return null;
  const text = Buffer.from(token, "base64url").toString("utf8");
  if (!shape.test(text) || tokenOf(text) !== token) throw invalidToken();
  return text;
}

/** Where a page goes on, by the session's index. */
export function resumedAt(state: ExchangeState, index: number): number {
  if (index > state.view.moment().index) throw invalidToken();
  return index;
}

/** The milliseconds of market time a data query is about: from today's midnight to now unless it says otherwise. */
export function rangeOf(state: ExchangeState, query: URLSearchParams): { startMs: number; endMs: number } {
  const { nowMs } = state.view.moment();
  return {
    startMs: boundMs(query, "start") ?? Date.parse(newYorkInstant(newYork(nowMs).date, 0, 0)),
    endMs: Math.min(nowMs, boundMs(query, "end") ?? nowMs),
  };
}

export function isoSeconds(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** The first session whose midnight is not before the instant. */
export function firstIndexFrom(state: ExchangeState, ms: number): number {
  let low = 0;
  let high = state.market.sessions.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (midnightOf(state, middle).ms < ms) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Midnight in New York of each session as wire text, made once. */
const midnights = new Map<string, { ms: number; text: string }>();

export function midnightOf(state: ExchangeState, index: number): { ms: number; text: string } {
  const date = state.market.sessions[index] as string;
  let found = midnights.get(date);
  if (found === undefined) {
    const ms = Date.parse(newYorkInstant(date, 0, 0));
    midnights.set(date, (found = { ms, text: isoSeconds(ms) }));
  }
  return found;
}
