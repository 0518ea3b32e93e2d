import { Redis } from "ioredis";
import { env } from "../env.ts";

/** A build may hold this file several times; there is one connection. */
const shared = globalThis as unknown as { tradewindLimitRedis?: Redis };

/** The limiter's own connection; null where no Redis is configured. */
export function limitRedis(): Redis | null {
  const { REDIS_URL } = env();
  if (!REDIS_URL) return null;
  if (!shared.tradewindLimitRedis) {
    // A Redis that hangs costs a quarter of a second at most, and nothing waits for it to come back.
    const client = new Redis(REDIS_URL, { enableOfflineQueue: false, commandTimeout: 250, maxRetriesPerRequest: 0 });
    // A lost connection is what the local counter is for.
    client.on("error", () => undefined);
    shared.tradewindLimitRedis = client;
  }
  return shared.tradewindLimitRedis;
}
