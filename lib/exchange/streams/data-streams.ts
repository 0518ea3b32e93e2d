import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import type { ExchangeState } from "../book/state.ts";
import { requestUrl } from "../http/request-url.ts";
import type { TradeStream, Upgrades } from "../stream.ts";
import { type DataPlan, DEFAULT_PLAN, FEEDS, type FeedRules } from "./channels.ts";
import { type Connection, openConnection } from "./connection.ts";
import { createGate } from "./gate.ts";
import { keepAlive } from "./keep-alive.ts";
import { createHaltWatch, createNewsPublisher, listenersOf, publish, publishMinute } from "./publish.ts";
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
  /** Breaks the connections of those who are meant. */
  cut: TradeStream["cut"];
  close(): void;
}

export interface DataStreamOptions {
  plan?: Partial<DataPlan> | undefined;
  controlToken: string | undefined;
  speed(): number;
}

/** Waits a moment while more than so many bytes wait for a client. */
async function drain(connections: ReadonlySet<Connection>, most: number): Promise<void> {
  const giveUpAt = performance.now() + DRAIN_AT_MOST_MS;
  while ([...connections].some((connection) => connection.waitingBytes() > most) && performance.now() < giveUpAt)
    await new Promise((resolve) => setImmediate(resolve));
}

/** The market-data websockets: `/v2/{iex,sip,delayed_sip,test}` and `/v1beta1/news`, fed by the exchange's clock. */
export function createDataStreams(stateOf: () => ExchangeState, options: DataStreamOptions): DataStreams {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 1024 * 1024 });
  const connections = new Set<Connection>();
  const gate = createGate(stateOf, connections, { ...DEFAULT_PLAN, ...options.plan }, options.controlToken);
  const publishNews = createNewsPublisher(stateOf, connections);
  const changedHalts = createHaltWatch();
  const stockFeeds = FEEDS.filter(({ feed }) => feed !== "news" && feed !== "test");
  const testRules = FEEDS.find(({ feed }) => feed === "test") as FeedRules;
  const testFeed = createTestFeed({
    nowMs: () => stateOf().view.moment().nowMs,
    speed: options.speed,
    isWanted: () => listenersOf(connections, testRules).length > 0,
    publish: (channel, message) => publish(connections, testRules, channel, [message]),
  });
  // While the clock lives through closed hours, news come between the minutes of sessions too.
  const newsTimer = setInterval(publishNews, NEWS_EVERY_MS).unref();
  const stopKeepAlive = keepAlive(sockets.clients);

  function publishStocks(rules: FeedRules, index: number, minute: number): void {
    const isCoalesced = options.speed() >= COALESCE_FROM_SPEED;
    publishMinute(stateOf(), connections, rules, { index, minute, isCoalesced });
  }

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
          publishStocks(rules, before, minute);
    },
    endMinute(minute) {
      const { index } = stateOf().view.moment();
      for (const rules of stockFeeds)
        if (minute >= rules.delayMinutes) publishStocks(rules, index, minute - rules.delayMinutes);
      const changes = changedHalts(stateOf());
      for (const rules of stockFeeds) publish(connections, rules, "statuses", changes);
      publishNews();
    },
    drained: () => drain(connections, gate.plan.bufferBytes / 4),
    cut(isMeant) {
      for (const connection of connections)
        if (isMeant({ accountId: connection.owner, token: connection.token })) connection.close();
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
