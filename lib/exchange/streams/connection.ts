import type { IncomingMessage } from "node:http";
import type { WebSocket } from "ws";
import {
  type Channel,
  type DataPlan,
  ERRORS,
  exceedsSymbols,
  type FeedRules,
  readChannels,
  subscriptionFrame,
  type Subscriptions,
} from "./channels.ts";
import type { Message } from "./messages.ts";
import { decode, encode, encodedList } from "./msgpack.ts";

/** One client of a data websocket. */
export interface Connection {
  rules: FeedRules;
  /** Whose connection it is; null until the client has said so. */
  owner: string | null;
  /** The token by which its owner signed in; null for keys. */
  token: string | null;
  subscriptions: Subscriptions;
  /** Bytes that wait for the client, 0 for one that is being cut off. */
  waitingBytes(): number;
  /** Sends what the client is subscribed to, in one frame. */
  publish(messages: readonly Message[]): void;
  close(): void;
}

export interface Gate {
  plan: DataPlan;
  /** The account that owns these keys; null for unknown keys. */
  ownerOf(keyId: unknown, secret: unknown): string | null;
  /** The token that is in the place of a secret; null for keys. */
  tokenOf(keyId: unknown, secret: unknown): string | null;
  /** How many connections the owner has on the feed. */
  connectionsOf(owner: string, rules: FeedRules): number;
  /** True while a scripted fault keeps the socket silent. */
  isMute(connection: Connection): boolean;
  /** What a scripted fault makes of an authentication: no answer, a refusal, or nothing special. */
  spoiledAuthentication(owner: string | null, rules: FeedRules): "silence" | "refused" | null;
}

/** The frames of one socket: JSON, or MessagePack where the upgrade's content type asks for it. */
function createWire(socket: WebSocket, request: IncomingMessage) {
  const isPacked = String(request.headers["content-type"] ?? "").includes("msgpack");

  function write(frame: Buffer | string): void {
    if (socket.readyState === socket.OPEN) socket.send(frame, { binary: isPacked });
  }

  return {
    say: (frame: Record<string, unknown>) => write(isPacked ? encode([frame]) : JSON.stringify([frame])),
    sendAll(messages: readonly Message[]): void {
      if (isPacked) write(encodedList(messages.map((message) => message.packed())));
      else write(`[${messages.map((message) => message.json()).join(",")}]`);
    },
    /** Null for what cannot be read or is no object. */
    read(raw: Buffer): Record<string, unknown> | null {
      try {
        const message = isPacked ? decode(raw) : (JSON.parse(raw.toString("utf8")) as unknown);
        const isObject = typeof message === "object" && message !== null && !Array.isArray(message);
        return isObject ? (message as Record<string, unknown>) : null;
      } catch {
        return null;
      }
    },
  };
}

/** The subscriptions with more symbols by channel, or with fewer. */
function changedSubscriptions(
  subscriptions: Subscriptions,
  asked: [Channel, string[]][],
  isLeaving: boolean,
): Subscriptions {
  const next: Subscriptions = new Map([...subscriptions].map(([channel, symbols]) => [channel, new Set(symbols)]));
  for (const [channel, symbols] of asked) {
    const list = next.get(channel) ?? new Set();
    next.set(channel, list);
    for (const symbol of symbols) {
      if (isLeaving) list.delete(symbol);
      else list.add(symbol);
    }
  }
  return next;
}

/**
 * The protocol of one data websocket: greeting, authentication by headers or message, subscriptions, and a limit that
 * disconnects slow clients.
 */
export function openConnection(socket: WebSocket, request: IncomingMessage, rules: FeedRules, gate: Gate): Connection {
  const { say, sendAll, read } = createWire(socket, request);
  const subscriptions: Subscriptions = new Map();
  let isClosing = false;

  function refuse(code: number): void {
    say({ T: "error", code, msg: ERRORS[code] });
  }

  function end(code: number): void {
    if (isClosing) return;
    isClosing = true;
    refuse(code);
    socket.close();
    setTimeout(() => socket.terminate(), gate.plan.farewellMs).unref();
  }

  const connection: Connection = {
    rules,
    owner: null,
    token: null,
    subscriptions,
    waitingBytes: () => (isClosing ? 0 : socket.bufferedAmount),
    publish(messages) {
      if (messages.length === 0 || isClosing || gate.isMute(connection)) return;
      if (socket.bufferedAmount > gate.plan.bufferBytes) return end(407);
      sendAll(messages);
    },
    close: () => socket.terminate(),
  };

  const deadline = setTimeout(() => end(404), gate.plan.authTimeoutMs);
  deadline.unref();

  function authenticate(keyId: unknown, secret: unknown): void {
    if (connection.owner !== null) return refuse(403);
    const owner = gate.ownerOf(keyId, secret);
    const spoiled = gate.spoiledAuthentication(owner, rules);
    if (spoiled === "silence") return;
    if (owner === null || spoiled === "refused") return end(402);
    if (gate.plan.withoutFeeds.includes(rules.feed)) return end(409);
    if (gate.connectionsOf(owner, rules) >= gate.plan.connections) return end(406);
    clearTimeout(deadline);
    connection.owner = owner;
    connection.token = gate.tokenOf(keyId, secret);
    say({ T: "success", msg: "authenticated" });
  }

  function subscribe(message: Record<string, unknown>): void {
    if (connection.owner === null) return refuse(401);
    const asked = readChannels(rules, message);
    if (typeof asked === "number") return refuse(asked);
    const isLeaving = message.action === "unsubscribe";
    const next = changedSubscriptions(subscriptions, asked, isLeaving);
    if (!isLeaving && exceedsSymbols(gate.plan, rules, next)) return refuse(405);
    for (const [channel, symbols] of next) subscriptions.set(channel, symbols);
    say(subscriptionFrame(rules, subscriptions));
  }

  function receive(raw: Buffer): void {
    const message = read(raw);
    if (message === null) return refuse(400);
    const { action, key, secret } = message;
    if (action === "auth") authenticate(key, secret);
    else if (action === "subscribe" || action === "unsubscribe") subscribe(message);
    else refuse(connection.owner === null ? 401 : 400);
  }

  socket.on("close", () => clearTimeout(deadline));
  socket.on("error", () => socket.terminate());
  socket.on("message", (raw: Buffer) => {
    if (!isClosing && !gate.isMute(connection)) receive(raw);
  });

  say({ T: "success", msg: "connected" });
  const { "apca-api-key-id": keyId, "apca-api-secret-key": secret } = request.headers;
  if (keyId !== undefined || secret !== undefined) authenticate(keyId, secret);
  return connection;
}
