import { streaming } from "@alpacahq/alpaca-trade-api";
import { WebSocket } from "ws";
import type { BrokerKeys } from "../context.ts";
import { tradeUpdateFromWire, wireOf } from "./alpaca-mapping.ts";
import type { Broker, Subscription } from "./broker.ts";

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
  /** Refused keys end the SDK's own attempts; ours go on, ever more slowly, because a refusal may be the broker's mistake. */
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

/**
 * Trade updates through the SDK's stream, which reconnects without end, with growing and jittered pauses.
 * A watchdog restarts it when it neither fails nor becomes ready, and when it has been silent too long.
 */
export function followTradeUpdates(
  tradingUrl: string,
  keys: BrokerKeys,
  handlers: Parameters<Broker["tradeUpdates"]>[0],
  changes: Partial<StreamTimes> = {},
): Subscription {
  const times = { ...TIMES, ...changes };
  let heardAt = performance.now();
  const hear = () => {
    heardAt = performance.now();
  };
  /** The SDK has no limit for a handshake that hangs, and does not tell when it last heard anything. */
  const openSocket: streaming.WebSocketFactory = (url) => {
    const socket = new WebSocket(url, {
      handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
      perMessageDeflate: false,
      maxPayload: 4 * 1024 * 1024,
    });
    for (const event of ["open", "message", "pong"]) socket.on(event, hear);
    return socket as unknown as streaming.WebSocketLike;
  };
  const stream = new streaming.TradingStream({
    credentials: keys,
    url: `${tradingUrl.replace(/^http/, "ws")}/stream`,
    maxReconnectAttempts: streaming.UNLIMITED_RECONNECT_ATTEMPTS,
    initialReconnectMs: 500,
    maxReconnectMs: 30_000,
    reconnectJitter: 0.3,
    pingIntervalMs: times.pingEveryMs,
    pongWaitMs: times.pongWaitMs,
    wsFactory: openSocket,
  });
  let isReady = false;
  let isClosed = false;
  let isOurDisconnect = false;
  let refusals = 0;
  let state: string = streaming.STATE.DISCONNECTED;
  let stateSince = performance.now();

  stream.onStateChange((next) => {
    // Connecting, connected and authenticated are one wait: its clock starts once.
    const isSameWait = next === streaming.STATE.CONNECTED || next === streaming.STATE.AUTHENTICATED;
    if (!isSameWait) stateSince = performance.now();
    if (next !== streaming.STATE.AUTHENTICATED) isReady = false;
    const wasConnected = state === streaming.STATE.CONNECTED;
    state = next;
    handlers.onState(next);
    if (next === streaming.STATE.DISCONNECTED && wasConnected && !isOurDisconnect) queueMicrotask(noteRefusal);
  });
  /** A connection that ends before it is let in, and that the SDK does not open again, was refused. */
  function noteRefusal(): void {
    if (isClosed || state !== streaming.STATE.DISCONNECTED) return;
    refusals += 1;
    handlers.onRefused?.();
  }
  stream.onError((message) => handlers.onState(`error: ${message.slice(0, 200)}`));
  stream.on(streaming.EVENT.SUBSCRIPTION, (streams: unknown) => {
    if (isClosed || !Array.isArray(streams) || !streams.includes("trade_updates")) return;
    // The SDK may listen twice after one connection; being ready is news once.
    if (isReady) return;
    isReady = true;
    refusals = 0;
    handlers.onReady();
  });
  stream.onTradeUpdate((update) => {
    if (isClosed) return;
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

  const watch = setInterval(() => {
    const waitedMs = performance.now() - stateSince;
    const refusedPauseMs = Math.min(times.refusedPauseMs * 2 ** Math.max(0, refusals - 1), times.longestRefusedPauseMs);
    const isRefused = state === streaming.STATE.DISCONNECTED;
    const isWaiting = state !== streaming.STATE.WAITING_TO_RECONNECT && !isReady;
    const isSilent = isReady && performance.now() - heardAt > times.silenceMs;
    const isLate = isRefused ? waitedMs > refusedPauseMs : isWaiting && waitedMs > times.readyTimeoutMs;
    if (!isLate && !isSilent) return;
    handlers.onState(isSilent ? "watchdog: silent, connecting anew" : "watchdog: connecting anew");
    isOurDisconnect = true;
    stream.disconnect();
    isOurDisconnect = false;
    stream.connect();
  }, times.watchEveryMs);
  watch.unref();

  stream.subscribeTradeUpdates();
  stream.connect();
  return {
    close() {
      isClosed = true;
      clearInterval(watch);
      stream.disconnect();
      stream.removeAllListeners();
    },
  };
}
