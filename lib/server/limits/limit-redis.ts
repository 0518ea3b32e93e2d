import { Redis } from "ioredis";
import { env } from "../env.ts";

/** A build may hold this file several times; there is one connection. */
const shared = globalThis as unknown as { tradewindLimitRedis?: Redis };

/** The limiter's own connection; null where no Redis is configured. */
export function limitRedis(): Redis | null {
  const { REDIS_URL } = env();
  if (!REDIS_URL) return null;
  if (!shared.tradewindLimitRedis) {
    // A Redis that hangs costs a quarter of a second at most; no call waits for its return.
    const client = new Redis(REDIS_URL, { enableOfflineQueue: false, commandTimeout: 250, maxRetriesPerRequest: 0 });
    // The local counter covers a lost connection.
    client.on("error", () => undefined);
    shared.tradewindLimitRedis = client;
  }
  return shared.tradewindLimitRedis;
}

/** Gives the connection back; the next call opens another. */
export function closeLimits(): void {
  shared.tradewindLimitRedis?.disconnect();
  delete shared.tradewindLimitRedis;
}
