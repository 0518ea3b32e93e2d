import { streaming } from "@alpacahq/alpaca-trade-api";
import { WebSocket } from "ws";
import type { BrokerKeys } from "../context.ts";
import { tradeUpdateFromWire, wireOf } from "./alpaca-mapping.ts";
import type { Broker, Subscription } from "./broker.ts";

const HANDSHAKE_TIMEOUT_MS = 10_000;
/** From connecting to the broker's word that updates flow. */
const READY_TIMEOUT_MS = 15_000;
/** Refused keys end the SDK's own attempts; ours go on, slowly, because a refusal may be the broker's mistake. */
const REFUSED_PAUSE_MS = 60_000;
const WATCH_EVERY_MS = 2_000;

/** The SDK has no limit for a handshake that hangs. */
const openSocket: streaming.WebSocketFactory = (url) =>
  new WebSocket(url, {
    handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
    perMessageDeflate: false,
    maxPayload: 4 * 1024 * 1024,
  }) as unknown as streaming.WebSocketLike;

/**
 * Trade updates through the SDK's stream, which reconnects without end, with growing and jittered pauses.
 * A watchdog starts it anew when it neither fails nor gets ready.
 */
export function followTradeUpdates(
  tradingUrl: string,
  keys: BrokerKeys,
  handlers: Parameters<Broker["tradeUpdates"]>[0],
): Subscription {
  const stream = new streaming.TradingStream({
    credentials: keys,
    url: `${tradingUrl.replace(/^http/, "ws")}/stream`,
    maxReconnectAttempts: streaming.UNLIMITED_RECONNECT_ATTEMPTS,
    initialReconnectMs: 500,
    maxReconnectMs: 30_000,
    reconnectJitter: 0.3,
    wsFactory: openSocket,
  });
  let isReady = false;
  let isClosed = false;
  let state: string = streaming.STATE.DISCONNECTED;
  let stateSince = performance.now();

  stream.onStateChange((next) => {
    // Connecting, connected and authenticated are one wait: its clock starts once.
    const isSameWait = next === streaming.STATE.CONNECTED || next === streaming.STATE.AUTHENTICATED;
    if (!isSameWait) stateSince = performance.now();
    if (next !== streaming.STATE.AUTHENTICATED) isReady = false;
    state = next;
    handlers.onState(next);
  });
  stream.onError((message) => handlers.onState(`error: ${message.slice(0, 200)}`));
  stream.on(streaming.EVENT.SUBSCRIPTION, (streams: unknown) => {
    if (isClosed || !Array.isArray(streams) || !streams.includes("trade_updates")) return;
    // The SDK may listen twice after one connection; being ready is news once.
    if (isReady) return;
    isReady = true;
    handlers.onReady();
  });
  stream.onTradeUpdate((update) => {
    if (isClosed) return;
    try {
      const { event, timestamp, price, qty, order } = update;
      handlers.onUpdate(tradeUpdateFromWire(wireOf({ event, timestamp, price, qty, order })));
    } catch (error) {
      // An update that cannot be read is a hint lost, not a fact lost: reconciliation reads the facts.
      handlers.onState(`unreadable update: ${String(error).slice(0, 200)}`);
      handlers.onReady();
    }
  });

  const watch = setInterval(() => {
    const waitedMs = performance.now() - stateSince;
    const isRefused = state === streaming.STATE.DISCONNECTED;
    const isWaiting = state !== streaming.STATE.WAITING_TO_RECONNECT && !isReady;
    const isDue = isRefused ? waitedMs > REFUSED_PAUSE_MS : isWaiting && waitedMs > READY_TIMEOUT_MS;
    if (!isDue) return;
    handlers.onState("watchdog: connecting anew");
    stream.disconnect();
    stream.connect();
  }, WATCH_EVERY_MS);
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
