import { streaming } from "@alpacahq/alpaca-trade-api";
import { WebSocket } from "ws";
import type { BrokerKeys } from "../context.ts";
import { tradeUpdateFromWire, wireOf } from "./alpaca-mapping.ts";
import type { Broker, Subscription } from "./broker.ts";
import { tradingStream } from "./alpaca-credentials.ts";

const HANDSHAKE_TIMEOUT_MS = 10_000;

/** All wall milliseconds. */
export interface StreamTimes {
  /** From connecting to the broker's word that updates flow. */
  readyTimeoutMs: number;
  /** A live connection answers a ping at least: nothing heard for so long is a dead one, whatever the socket says. */
  silenceMs: number;
  pingEveryMs: number;
  pongWaitMs: number;
  watchEveryMs: number;
  /** Refused keys end the SDK's own attempts; ours continue, ever more slowly, because a refusal may be the broker's mistake. */
  refusedPauseMs: number;
  longestRefusedPauseMs: number;
}

const TIMES: StreamTimes = {
  readyTimeoutMs: 15_000,
  silenceMs: 30_000,
  pingEveryMs: 10_000,
  pongWaitMs: 15_000,
  watchEveryMs: 2_000,
  refusedPauseMs: 60_000,
  longestRefusedPauseMs: 15 * 60_000,
};

interface Connection {
  stream: streaming.TradingStream;
  /** When anything was last heard, by `performance.now()`. */
  heardAt(): number;
}

/** The SDK has no limit for a handshake that hangs, and does not tell when it last heard anything. */
function openStream(tradingUrl: string, keys: BrokerKeys, times: StreamTimes): Connection {
  let heardAt = performance.now();
  const hear = () => {
    heardAt = performance.now();
  };
  const openSocket: streaming.WebSocketFactory = (url) => {
    const socket = new WebSocket(url, {
      handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
      perMessageDeflate: false,
      maxPayload: 4 * 1024 * 1024,
    });
    for (const event of ["open", "message", "pong"]) socket.on(event, hear);
    return socket as unknown as streaming.WebSocketLike;
  };
  const stream = tradingStream(keys, {
    url: `${tradingUrl.replace(/^http/, "ws")}/stream`,
    maxReconnectAttempts: streaming.UNLIMITED_RECONNECT_ATTEMPTS,
    initialReconnectMs: 500,
    maxReconnectMs: 30_000,
    reconnectJitter: 0.3,
    pingIntervalMs: times.pingEveryMs,
    pongWaitMs: times.pongWaitMs,
    wsFactory: openSocket,
  });
  return { stream, heardAt: () => heardAt };
}

/** What is known of a stream that is being followed. */
interface Following {
  isReady: boolean;
  isClosed: boolean;
  isOurDisconnect: boolean;
  refusals: number;
  state: string;
  stateSince: number;
}

type Handlers = Parameters<Broker["tradeUpdates"]>[0];

function handleEvents(stream: streaming.TradingStream, following: Following, handlers: Handlers): void {
  /** A connection that ends before it is let in, and that the SDK does not open again, was refused. */
  const noteRefusal = () => {
    if (following.isClosed || following.state !== streaming.STATE.DISCONNECTED) return;
    following.refusals += 1;
    handlers.onRefused?.();
  };
  stream.onStateChange((next) => {
    // Connecting, connected and authenticated are one wait: its clock starts once.
    const isSameWait = next === streaming.STATE.CONNECTED || next === streaming.STATE.AUTHENTICATED;
    if (!isSameWait) following.stateSince = performance.now();
    if (next !== streaming.STATE.AUTHENTICATED) following.isReady = false;
    const wasConnected = following.state === streaming.STATE.CONNECTED;
    following.state = next;
    handlers.onState(next);
    const isEnd = next === streaming.STATE.DISCONNECTED && wasConnected;
    if (isEnd && !following.isOurDisconnect) queueMicrotask(noteRefusal);
  });
  stream.onError((message) => handlers.onState(`error: ${message.slice(0, 200)}`));
  stream.on(streaming.EVENT.SUBSCRIPTION, (streams: unknown) => {
    if (following.isClosed || !Array.isArray(streams) || !streams.includes("trade_updates")) return;
    // The SDK may listen twice after one connection; being ready is news once.
    if (following.isReady) return;
    following.isReady = true;
    following.refusals = 0;
    handlers.onReady();
  });
  stream.onTradeUpdate((update) => {
    if (following.isClosed) return;
    try {
      const { event, timestamp, price, qty, order } = update;
      const read = tradeUpdateFromWire(wireOf({ event, timestamp, price, qty, order }));
      if (read !== null) handlers.onUpdate(read);
    } catch (error) {
      // An update that cannot be read is a hint lost, not a fact lost: reconciliation reads the facts.
      handlers.onState(`unreadable update: ${String(error).slice(0, 200)}`);
      handlers.onReady();
    }
  });
}

/** Why the stream is connected anew: silent, or not ready or refused for longer than it may be; null where it is neither. */
function overdue(following: Following, heardAt: number, times: StreamTimes): "silent" | "late" | null {
  const { state, isReady, refusals } = following;
  const waitedMs = performance.now() - following.stateSince;
  if (isReady && performance.now() - heardAt > times.silenceMs) return "silent";
  if (state === streaming.STATE.DISCONNECTED) {
    const pauseMs = Math.min(times.refusedPauseMs * 2 ** Math.max(0, refusals - 1), times.longestRefusedPauseMs);
    return waitedMs > pauseMs ? "late" : null;
  }
  const isWaiting = state !== streaming.STATE.WAITING_TO_RECONNECT && !isReady;
  return isWaiting && waitedMs > times.readyTimeoutMs ? "late" : null;
}

/**
 * Trade updates through the SDK's stream, which reconnects without end, with growing and jittered pauses.
 * A watchdog restarts it when it neither fails nor becomes ready, and when it has been silent too long.
 */
export function followTradeUpdates(
  tradingUrl: string,
  keys: BrokerKeys,
  handlers: Handlers,
  changes: Partial<StreamTimes> = {},
): Subscription {
  const times = { ...TIMES, ...changes };
  const { stream, heardAt } = openStream(tradingUrl, keys, times);
  const following: Following = {
    isReady: false,
    isClosed: false,
    isOurDisconnect: false,
    refusals: 0,
    state: streaming.STATE.DISCONNECTED,
    stateSince: performance.now(),
  };
  handleEvents(stream, following, handlers);

  const watch = setInterval(() => {
    const why = overdue(following, heardAt(), times);
    if (why === null) return;
    handlers.onState(why === "silent" ? "watchdog: silent, connecting anew" : "watchdog: connecting anew");
    following.isOurDisconnect = true;
    stream.disconnect();
    following.isOurDisconnect = false;
    stream.connect();
  }, times.watchEveryMs);
  watch.unref();

  stream.subscribeTradeUpdates();
  stream.connect();
  return {
    close() {
      following.isClosed = true;
      clearInterval(watch);
      stream.disconnect();
      stream.removeAllListeners();
    },
  };
}
