import type { WebSocket } from "ws";

const PING_EVERY_MS = 30_000;

/** Pings every client now and then and cuts off those that did not answer the time before. Returns how to stop. */
export function keepAlive(clients: Iterable<WebSocket>): () => void {
  const waiting = new WeakSet<WebSocket>();
  const timer = setInterval(() => {
    for (const socket of clients) {
      if (waiting.has(socket)) {
        socket.terminate();
        continue;
      }
      waiting.add(socket);
      socket.once("pong", () => waiting.delete(socket));
      socket.ping();
    }
  }, PING_EVERY_MS).unref();
  return () => clearInterval(timer);
}
