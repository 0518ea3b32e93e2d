import type { ExchangeState } from "../book/state.ts";
import { sessionNews } from "../market/news.ts";
import { type Channel, covers, FEEDS, type FeedRules } from "./channels.ts";
import type { Connection } from "./connection.ts";
import * as from from "./messages.ts";

type Connections = ReadonlySet<Connection>;

export const listenersOf = (connections: Connections, rules: FeedRules) =>
  [...connections].filter((connection) => connection.rules === rules && connection.owner !== null);

/** Sends each listener its part of the messages. */
export function publish(
  connections: Connections,
  rules: FeedRules,
  channel: Channel,
  messages: readonly from.Message[],
): void {
  if (messages.length === 0) return;
  for (const connection of listenersOf(connections, rules)) {
    const { subscriptions } = connection;
    connection.publish(
      messages.filter(({ symbols }) => symbols.some((symbol) => covers(subscriptions, channel, symbol))),
    );
  }
}

/** The symbols that any client wants on a channel. */
function wantedSymbols(
  { market }: ExchangeState,
  connections: Connections,
  rules: FeedRules,
  channel: Channel,
): readonly string[] {
  const wanted = new Set<string>();
  for (const { subscriptions } of listenersOf(connections, rules))
    for (const symbol of subscriptions.get(channel) ?? []) wanted.add(symbol);
  return wanted.has("*") ? market.symbols : market.symbols.filter((symbol) => wanted.has(symbol));
}

/** Halts that began with the minute, and those that ended with it. */
function statusesOf(state: ExchangeState, at: from.MinuteOf): from.Message[] {
  const date = state.market.sessions[at.index];
  return state.market.halts
    .filter((halt) => halt.date === date)
    .flatMap((halt) => {
      const isBeginning = halt.fromMinute === at.minute + 1;
      if (!isBeginning && halt.fromMinute + halt.minutes !== at.minute + 1) return [];
      return [from.statusMessage(state, halt, isBeginning, at.opensAtMs + (at.minute + 1) * 60_000)];
    });
}

/** A minute of a session on one feed; coalesced, its trades and quotes are the last of each. */
export function publishMinute(
  state: ExchangeState,
  connections: Connections,
  rules: FeedRules,
  { index, minute, isCoalesced }: { index: number; minute: number; isCoalesced: boolean },
): void {
  if (listenersOf(connections, rules).length === 0) return;
  const hours = state.sessions.hours(state.market.sessions[index] as string);
  const at = { index, minute, opensAtMs: hours.opensAtMs };
  const each = (channel: Channel, make: (symbol: string) => from.Message | from.Message[] | null) => {
    const symbols = wantedSymbols(state, connections, rules, channel);
    const messages = symbols.flatMap((symbol) => make(symbol) ?? []);
    publish(connections, rules, channel, messages);
  };
  each("trades", (symbol) => from.tradeMessages(state, symbol, at, isCoalesced));
  each("quotes", (symbol) => from.quoteMessages(state, symbol, at, isCoalesced));
  each("bars", (symbol) => from.barMessage(state, symbol, at));
  // Late trades are told with the minute after theirs; those of the last minute with the close, after which there is none.
  const updated = minute + 1 < hours.minutes ? [minute - 1] : [minute - 1, minute];
  for (const changed of updated)
    each("updatedBars", (symbol) => from.updatedBarMessage(state, symbol, { ...at, minute: changed }));
  each("dailyBars", (symbol) => from.dailyBarMessage(state, symbol, at));
  each("lulds", (symbol) => from.luldMessage(state, symbol, at, hours.minutes));
  publish(connections, rules, "statuses", statusesOf(state, at));
}

/** Publishes the news since the last look, at most those of the last two sessions. */
export function createNewsPublisher(stateOf: () => ExchangeState, connections: Connections): () => void {
  const rules = FEEDS.find(({ feed }) => feed === "news") as FeedRules;
  /** Market time up to which news have been sent. */
  let upToMs: number | null = null;
  return () => {
    const state = stateOf();
    const { nowMs, index } = state.view.moment();
    const since = upToMs ?? nowMs;
    upToMs = nowMs;
    if (since >= nowMs || listenersOf(connections, rules).length === 0) return;
    const items = [index - 1, index].flatMap((i) => (i > 0 ? sessionNews(state.market, state.sessions, i) : []));
    const due = items.filter(({ atMs }) => atMs > since && atMs <= nowMs);
    publish(connections, rules, "news", due.map(from.newsMessage));
  };
}

/** Tells which symbols were halted by hand, or are again free, since the last look. */
export function createHaltWatch(): (state: ExchangeState) => from.Message[] {
  const halted = new Set<string>();
  return (state) => {
    const { nowMs } = state.view.moment();
    return [...state.symbolStates.values()].flatMap(({ symbol, isHalted }) => {
      if (halted.has(symbol) === isHalted) return [];
      if (isHalted) halted.add(symbol);
      else halted.delete(symbol);
      return [from.statusMessage(state, { symbol, reason: "news" }, isHalted, nowMs)];
    });
  };
}
