import { type Cluster, Redis } from "ioredis";
import { env } from "../env.ts";
import { processWide } from "../process-wide.ts";
import { isOnCluster, openCluster } from "../redis-cluster.ts";

export type LimitRedis = Redis | Cluster;

const shared = processWide<LimitRedis>("tradewindLimitRedis");

/** The limiter's own connection; null where no Redis is configured. */
export function limitRedis(): LimitRedis | null {
  const { REDIS_URL } = env();
  if (!REDIS_URL) return null;
  return shared.orMake(() => {
    // A Redis that hangs costs a quarter of a second at most; no call waits for its return.
    const patience = { commandTimeout: 250, maxRetriesPerRequest: 0 };
    // Nor for that of a cluster's node, or of the one that takes its place.
    const noRetry = { retryDelayOnFailover: 0, retryDelayOnClusterDown: 0, retryDelayOnTryAgain: 0 };
    const client = isOnCluster()
      ? openCluster({ enableOfflineQueue: false, ...noRetry }, patience)
      : new Redis(REDIS_URL, { enableOfflineQueue: false, ...patience });
    // The local counter covers a lost connection.
    client.on("error", () => undefined);
    return client;
  });
}

/** Gives the connection back; the next call opens another. */
export function closeLimits(): void {
  shared.remove()?.disconnect();
}
