import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import type { ExchangeState } from "../book/state.ts";
import type { FaultKind } from "../faults/kinds.ts";
import { requestUrl } from "../http/request-url.ts";
import { DATA_KEY_ID } from "../http/server.ts";
import { sessionNews } from "../market/news.ts";
import type { Upgrades } from "../stream.ts";
import { type Channel, covers, type DataPlan, DEFAULT_PLAN, FEEDS, type FeedRules } from "./channels.ts";
import { type Connection, type Gate, openConnection } from "./connection.ts";
import { keepAlive } from "./keep-alive.ts";
import * as from from "./messages.ts";
import { createTestFeed } from "./test-feed.ts";

/** From this speed on, a minute's trades and quotes shrink to the last of each. */
const COALESCE_FROM_SPEED = 10;
const NEWS_EVERY_MS = 250;
const DRAIN_AT_MOST_MS = 50;

export interface DataStreams extends Upgrades {
  /** A session begins: what the delayed feed still owes of the one before, and the night's news. */
  openSession(): void;
  /** A minute of the session is over. */
  endMinute(minute: number): void;
  /**
   * Gives clients a moment to read when much is waiting for them, so that market time which is advanced in one go does
   * not cut off all clients.
   */
  drained(): Promise<void>;
  close(): void;
}

export interface DataStreamOptions {
  plan?: Partial<DataPlan> | undefined;
  controlToken: string | undefined;
  speed(): number;
}

/** The market-data websockets: `/v2/{iex,sip,delayed_sip,test}` and `/v1beta1/news`, fed by the exchange's clock. */
export function createDataStreams(stateOf: () => ExchangeState, options: DataStreamOptions): DataStreams {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 1024 * 1024 });
  const connections = new Set<Connection>();
  /** Market time up to which news have been sent. */
  let newsUpToMs: number | null = null;
  const heldByHand = new Set<string>();

  function subjectOf(owner: string | null): { accountId?: string; accountNumber?: string } {
    const account = owner === null ? undefined : stateOf().accounts.get(owner)?.account;
    return account === undefined ? {} : { accountId: account.id, accountNumber: account.accountNumber };
  }

  const gate: Gate = {
    plan: { ...DEFAULT_PLAN, ...options.plan },
    ownerOf(keyId, secret) {
      if (typeof keyId !== "string") return null;
      if (keyId === DATA_KEY_ID)
        return options.controlToken !== undefined && secret === options.controlToken ? keyId : null;
      const account = stateOf().byKeyId.get(keyId)?.account;
      return account !== undefined && account.secret === secret ? account.id : null;
    },
    connectionsOf: (owner, rules) =>
      [...connections].filter((connection) => connection.owner === owner && connection.rules === rules).length,
    isMute({ rules, owner }) {
      const { faults } = stateOf();
      return faults.isAny() && faults.active("mute_socket", "GET", rules.path, subjectOf(owner)) !== undefined;
    },
    spoiledAuthentication(owner, rules) {
      const { faults } = stateOf();
      if (!faults.isAny()) return null;
      const strikes = (kinds: FaultKind[]) => faults.strike(kinds, "GET", rules.path, subjectOf(owner)) !== undefined;
      if (strikes(["auth_silence"])) return "silence";
      return strikes(["auth_refused", "keys_revoked"]) ? "refused" : null;
    },
  };

  const listenersOf = (rules: FeedRules) =>
    [...connections].filter((connection) => connection.rules === rules && connection.owner !== null);

  /** Sends each listener its part of the messages. */
  function publish(rules: FeedRules, channel: Channel, messages: readonly from.Message[]): void {
    if (messages.length === 0) return;
    for (const connection of listenersOf(rules)) {
      const { subscriptions } = connection;
      connection.publish(
        messages.filter(({ symbols }) => symbols.some((symbol) => covers(subscriptions, channel, symbol))),
      );
    }
  }

  /** The symbols that any client wants on a channel. */
  function wantedSymbols(rules: FeedRules, channel: Channel): readonly string[] {
    const { market } = stateOf();
    const wanted = new Set<string>();
    for (const { subscriptions } of listenersOf(rules))
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

  /** Symbols that were halted by hand, or are again free, since the last look. */
  function handHalts(state: ExchangeState): from.Message[] {
    const { nowMs } = state.view.moment();
    return [...state.symbolStates.values()].flatMap(({ symbol, isHalted }) => {
      if (heldByHand.has(symbol) === isHalted) return [];
      if (isHalted) heldByHand.add(symbol);
      else heldByHand.delete(symbol);
      return [from.statusMessage(state, { symbol, reason: "news" }, isHalted, nowMs)];
    });
  }

  function publishMinute(rules: FeedRules, index: number, minute: number): void {
    if (listenersOf(rules).length === 0) return;
    const state = stateOf();
    const hours = state.sessions.hours(state.market.sessions[index] as string);
    const at = { index, minute, opensAtMs: hours.opensAtMs };
    const isCoalesced = options.speed() >= COALESCE_FROM_SPEED;
    const each = (channel: Channel, make: (symbol: string) => from.Message | from.Message[] | null) =>
      publish(
        rules,
        channel,
        wantedSymbols(rules, channel).flatMap((symbol) => make(symbol) ?? []),
      );
    each("trades", (symbol) => from.tradeMessages(state, symbol, at, isCoalesced));
    each("quotes", (symbol) => from.quoteMessages(state, symbol, at, isCoalesced));
    each("bars", (symbol) => from.barMessage(state, symbol, at));
    each("updatedBars", (symbol) => from.updatedBarMessage(state, symbol, at));
    each("dailyBars", (symbol) => from.dailyBarMessage(state, symbol, at));
    each("lulds", (symbol) => from.luldMessage(state, symbol, at, hours.minutes));
    publish(rules, "statuses", statusesOf(state, at));
  }

  /** News since the last look, at most those of the last two sessions. */
  function publishNews(): void {
    const state = stateOf();
    const rules = FEEDS.find(({ feed }) => feed === "news") as FeedRules;
    const { nowMs, index } = state.view.moment();
    const since = newsUpToMs ?? nowMs;
    newsUpToMs = nowMs;
    if (since >= nowMs || listenersOf(rules).length === 0) return;
    const items = [index - 1, index].flatMap((i) => (i > 0 ? sessionNews(state.market, state.sessions, i) : []));
    publish(rules, "news", items.filter(({ atMs }) => atMs > since && atMs <= nowMs).map(from.newsMessage));
  }

  const stockFeeds = FEEDS.filter(({ feed }) => feed !== "news" && feed !== "test");
  const testRules = FEEDS.find(({ feed }) => feed === "test") as FeedRules;
  const testFeed = createTestFeed({
    nowMs: () => stateOf().view.moment().nowMs,
    speed: options.speed,
    isWanted: () => listenersOf(testRules).length > 0,
    publish: (channel, message) => publish(testRules, channel, [message]),
  });
  // While the clock lives through closed hours, news come between the minutes of sessions too.
  const newsTimer = setInterval(publishNews, NEWS_EVERY_MS).unref();
  const stopKeepAlive = keepAlive(sockets.clients);

  sockets.on("connection", (socket: WebSocket, request: IncomingMessage, rules: FeedRules) => {
    const connection = openConnection(socket, request, rules, gate);
    connections.add(connection);
    socket.on("close", () => connections.delete(connection));
  });

  return {
    upgrade(request, socket: Duplex, head) {
      const { pathname } = requestUrl(request.url);
      const rules = FEEDS.find(({ path }) => path === pathname);
      if (rules === undefined) return false;
      sockets.handleUpgrade(request, socket, head, (accepted) => sockets.emit("connection", accepted, request, rules));
      return true;
    },
    openSession() {
      publishNews();
      const state = stateOf();
      const before = state.view.moment().index - 1;
      const date = state.market.sessions[before];
      if (date === undefined) return;
      const { minutes } = state.sessions.hours(date);
      for (const rules of stockFeeds)
        for (let minute = minutes - rules.delayMinutes; minute < minutes; minute += 1)
          publishMinute(rules, before, minute);
    },
    endMinute(minute) {
      const { index } = stateOf().view.moment();
      for (const rules of stockFeeds)
        if (minute >= rules.delayMinutes) publishMinute(rules, index, minute - rules.delayMinutes);
      const changes = handHalts(stateOf());
      for (const rules of stockFeeds) publish(rules, "statuses", changes);
      publishNews();
    },
    async drained() {
      const giveUpAt = performance.now() + DRAIN_AT_MOST_MS;
      const most = gate.plan.bufferBytes / 4;
      while ([...connections].some((connection) => connection.waitingBytes() > most) && performance.now() < giveUpAt)
        await new Promise((resolve) => setImmediate(resolve));
    },
    close() {
      clearInterval(newsTimer);
      testFeed.stop();
      stopKeepAlive();
      for (const connection of connections) connection.close();
      sockets.close();
    },
  };
}
