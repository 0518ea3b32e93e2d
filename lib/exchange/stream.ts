import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import type { Desk } from "./book/desk.ts";
import type { StreamEvent } from "./store.ts";

export interface TradeStream {
  send(event: StreamEvent): void;
  close(): void;
}

interface Listener {
  accountId: string | null;
  isListening: boolean;
}

type Message = {
  action?: unknown;
  key?: unknown;
  secret?: unknown;
  data?: { key_id?: unknown; secret_key?: unknown; streams?: unknown };
};

/** The paper broker sends JSON in binary frames; so do we, to keep consumers honest. */
function sendFrame(socket: WebSocket, frame: object): void {
  if (socket.readyState === socket.OPEN) socket.send(Buffer.from(JSON.stringify(frame)), { binary: true });
}

function say(socket: WebSocket, stream: string, data: unknown): void {
  sendFrame(socket, { stream, data });
}

function complainTo(socket: WebSocket, message: string): void {
  sendFrame(socket, { action: "error", data: { error_message: message } });
}

/** The trade_updates websocket at /stream. */
export function createTradeStream(server: Server, deskOf: () => Desk): TradeStream {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 64 * 1024 });
  const listeners = new Map<WebSocket, Listener>();

  function authenticate(message: Message): string | null {
    const keyId = message.data?.key_id ?? message.key;
    const secret = message.data?.secret_key ?? message.secret;
    const holder = typeof keyId === "string" ? deskOf().byKeyId.get(keyId) : undefined;
    return holder !== undefined && holder.account.secret === secret ? holder.account.id : null;
  }

  function receive(socket: WebSocket, listener: Listener, message: Message): void {
    if (message.action === "authenticate" || message.action === "auth") {
      listener.accountId = authenticate(message);
      say(socket, "authorization", {
        status: listener.accountId === null ? "unauthorized" : "authorized",
        action: "authenticate",
      });
      return;
    }
    if (message.action !== "listen") {
      complainTo(socket, "unknown action");
      return;
    }
    if (listener.accountId === null) {
      say(socket, "authorization", { status: "unauthorized", action: "listen" });
      return;
    }
    const wanted = Array.isArray(message.data?.streams) ? message.data.streams : [];
    listener.isListening = wanted.includes("trade_updates");
    say(socket, "listening", { streams: listener.isListening ? ["trade_updates"] : [] });
  }

  sockets.on("connection", (socket) => {
    const listener: Listener = { accountId: null, isListening: false };
    listeners.set(socket, listener);
    socket.on("close", () => listeners.delete(socket));
    socket.on("error", () => socket.terminate());
    socket.on("message", (raw: Buffer) => {
      try {
        receive(socket, listener, JSON.parse(raw.toString("utf8")) as Message);
      } catch {
        complainTo(socket, "invalid message");
      }
    });
  });

  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (new URL(request.url ?? "/", "http://exchange").pathname !== "/stream") {
      socket.end("HTTP/1.1 404 Not Found\r\nconnection: close\r\n\r\n");
      return;
    }
    sockets.handleUpgrade(request, socket, head, (accepted) => sockets.emit("connection", accepted, request));
  });

  return {
    send({ accountId, data }) {
      const { faults } = deskOf();
      if (faults.strike(["mute_stream"], "GET", "/stream") !== undefined) return;
      const copies = faults.strike(["duplicate_events"], "GET", "/stream") === undefined ? 1 : 2;
      for (const [socket, listener] of listeners) {
        if (!listener.isListening || listener.accountId !== accountId) continue;
        for (let i = 0; i < copies; i += 1) say(socket, "trade_updates", data);
      }
    },
    close() {
      for (const socket of listeners.keys()) socket.terminate();
      sockets.close();
    },
  };
}
