import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import type { ExchangeState } from "./book/state.ts";
import { createStreamFaults, isUpgradeStruck, muteness, spoiledAuthentication } from "./faults/stream.ts";
import { isAtHome, isLiveAddress } from "./http/addresses.ts";
import { requestUrl } from "./http/request-url.ts";
import { accountOfToken } from "./oauth/grants.ts";
import type { StreamEvent } from "./store.ts";
import { keepAlive } from "./streams/keep-alive.ts";
import { decode, encode } from "./streams/msgpack.ts";

/** Takes an upgrade request for one of its paths; false when the path is not its own. */
export interface Upgrades {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
}

/** Who has signed in on a websocket. */
export interface SignedIn {
  /** Null before a sign-in. */
  accountId: string | null;
  /** What it was signed in with in place of keys; null for keys. */
  token: string | null;
}

export interface TradeStream {
  send(event: StreamEvent): void;
  /** Breaks the connections of those who are meant. */
  cut(isMeant: (who: SignedIn) => boolean): void;
  close(): void;
}

interface Listener extends SignedIn {
  /** MessagePack instead of JSON, where the upgrade's content type asks for it. */
  isPacked: boolean;
  /** The connection below the websocket. */
  wire: Duplex;
}

interface Feed {
  stateOf: () => ExchangeState;
  sockets: WebSocketServer;
  listeners: Map<WebSocket, Listener>;
  /** Who listens, by account: an event goes to one account's sockets among a thousand others. */
  byAccount: Map<string, Set<WebSocket>>;
}

type Message = {
  action?: unknown;
  key?: unknown;
  secret?: unknown;
  data?: { key_id?: unknown; secret_key?: unknown; oauth_token?: unknown; streams?: unknown };
};

/** The paper broker sends JSON in binary frames; so do we, to keep consumers honest. */
function sendFrame(socket: WebSocket, { isPacked }: Listener, frame: object): void {
  if (socket.readyState !== socket.OPEN) return;
  socket.send(isPacked ? encode(frame) : Buffer.from(JSON.stringify(frame)), { binary: true });
}

function say(socket: WebSocket, listener: Listener, stream: string, data: unknown): void {
  sendFrame(socket, listener, { stream, data });
}

function complainTo(socket: WebSocket, listener: Listener, message: string): void {
  sendFrame(socket, listener, { action: "error", data: { error_message: message } });
}

/** Null where the address cannot be read. */
function pathOf(request: IncomingMessage): string | null {
  try {
    return requestUrl(request.url).pathname;
  } catch {
    return null;
  }
}

function setListening(
  { byAccount }: Feed,
  socket: WebSocket,
  { accountId }: Pick<Listener, "accountId">,
  isListening: boolean,
): void {
  if (accountId === null) return;
  const sockets = byAccount.get(accountId) ?? new Set();
  if (isListening) byAccount.set(accountId, sockets.add(socket));
  else if (sockets.delete(socket) && sockets.size === 0) byAccount.delete(accountId);
}

function accountOfKeys(state: ExchangeState, wire: Duplex, message: Message): string | null {
  const token = message.data?.oauth_token;
  if (token !== undefined) return accountOfToken(state, token, isLiveAddress(wire))?.accountState.account.id ?? null;
  const keyId = message.data?.key_id ?? message.key;
  const secret = message.data?.secret_key ?? message.secret;
  const isKnown = typeof keyId === "string" && isAtHome(keyId, wire);
  const accountState = isKnown ? state.byKeyId.get(keyId) : undefined;
  return accountState !== undefined && accountState.account.secret === secret ? accountState.account.id : null;
}

function authenticate(feed: Feed, socket: WebSocket, listener: Listener, message: Message): void {
  const state = feed.stateOf();
  const accountId = accountOfKeys(state, listener.wire, message);
  const spoiled = spoiledAuthentication(state, accountId);
  if (spoiled === "silence") return;
  setListening(feed, socket, listener, false);
  listener.accountId = spoiled === "refused" ? null : accountId;
  const token = message.data?.oauth_token;
  listener.token = typeof token === "string" ? token : null;
  const status = listener.accountId === null ? "unauthorized" : "authorized";
  say(socket, listener, "authorization", { status, action: "authenticate" });
}

function listen(feed: Feed, socket: WebSocket, listener: Listener, message: Message): void {
  if (listener.accountId === null) {
    say(socket, listener, "authorization", { status: "unauthorized", action: "listen" });
    return;
  }
  const wanted = Array.isArray(message.data?.streams) ? message.data.streams : [];
  const isListening = wanted.includes("trade_updates");
  setListening(feed, socket, listener, isListening);
  say(socket, listener, "listening", { streams: isListening ? ["trade_updates"] : [] });
}

function receive(feed: Feed, socket: WebSocket, listener: Listener, message: Message): void {
  const { action } = message;
  if (action === "authenticate" || action === "auth") authenticate(feed, socket, listener, message);
  else if (action === "listen") listen(feed, socket, listener, message);
  else complainTo(socket, listener, "unknown action");
}

function accept(feed: Feed, socket: WebSocket, { socket: wire, headers }: IncomingMessage): void {
  const { stateOf, listeners } = feed;
  const isPacked = headers["content-type"]?.includes("msgpack") === true;
  const listener: Listener = { accountId: null, token: null, isPacked, wire };
  listeners.set(socket, listener);
  socket.on("close", () => {
    setListening(feed, socket, listener, false);
    listeners.delete(socket);
  });
  socket.on("error", () => socket.terminate());
  socket.on("ping", (data: Buffer) => {
    if (muteness(stateOf(), listener.accountId).pongs) socket.pong(data);
  });
  socket.on("message", (raw: Buffer) => {
    if (muteness(stateOf(), listener.accountId).isMute) return;
    try {
      receive(feed, socket, listener, (isPacked ? decode(raw) : JSON.parse(raw.toString("utf8"))) as Message);
    } catch {
      complainTo(socket, listener, "invalid message");
    }
  });
}

function upgrade(
  { stateOf, sockets }: Feed,
  others: Upgrades,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const pathname = pathOf(request);
  if (pathname === null) {
    socket.end("HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n");
    return;
  }
  if (isUpgradeStruck(stateOf(), request, socket, pathname)) return;
  if (pathname !== "/stream") {
    if (others.upgrade(request, socket, head)) return;
    socket.end("HTTP/1.1 404 Not Found\r\nconnection: close\r\n\r\n");
    return;
  }
  sockets.handleUpgrade(request, socket, head, (accepted) => sockets.emit("connection", accepted, request));
}

/** The trade_updates websocket at /stream. */
export function createTradeStream(server: Server, stateOf: () => ExchangeState, others: Upgrades): TradeStream {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 64 * 1024, autoPong: false });
  const feed: Feed = { stateOf, sockets, listeners: new Map(), byAccount: new Map() };
  const { listeners, byAccount } = feed;
  const stopKeepAlive = keepAlive(sockets.clients);
  sockets.on("connection", (socket, request: IncomingMessage) => accept(feed, socket, request));
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) =>
    upgrade(feed, others, request, socket, head),
  );

  const faults = createStreamFaults(stateOf, (frame) => {
    if (muteness(stateOf(), frame.accountId).isMute) return;
    for (const socket of byAccount.get(frame.accountId) ?? []) {
      const listener = listeners.get(socket);
      if (listener === undefined) continue;
      if ("raw" in frame) socket.send(Buffer.from(frame.raw), { binary: true });
      else say(socket, listener, "trade_updates", frame.data);
    }
  });

  return {
    send: faults.deliver,
    cut(isMeant) {
      for (const [socket, listener] of listeners) if (isMeant(listener)) socket.terminate();
    },
    close() {
      stopKeepAlive();
      for (const socket of listeners.keys()) socket.terminate();
      sockets.close();
    },
  };
}
