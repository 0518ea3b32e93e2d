import type { Server as HttpServer } from "node:http";
import { createServer, type Server } from "node:net";
import type { Duplex } from "node:stream";
import { LIVE_KEYS } from "../key-kinds.ts";

/** Connections to the address at which accounts of real money are served. */
const live = new WeakSet<Duplex>();

/** The live address of a server: what arrives there is known as such. */
export function liveAddressOf(server: HttpServer): Server {
  return createServer((socket) => {
    live.add(socket);
    server.emit("connection", socket);
  });
}

export const isLiveAddress = (socket: Duplex): boolean => live.has(socket);

/** Live keys work at the live address, all others at the first one. */
export const isAtHome = (keyId: string, socket: Duplex): boolean =>
  keyId.startsWith(LIVE_KEYS) === isLiveAddress(socket);
