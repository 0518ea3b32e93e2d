import { Redis } from "ioredis";
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";
import { env } from "../env.ts";

/** Counts calls per bucket and window. */
export interface Counter {
  /** Counts one call; throws RateLimiterRes, and counts nothing, when the window is full. The answer takes the call back. */
  take(bucket: string, points: number, windowMs: number): Promise<() => Promise<void>>;
}

/**
 * KEYS: the bucket. ARGV: calls to count (-1 takes one back), seconds of a window, calls that a window holds.
 * A refused call is not counted, so that a limit that was raised lets calls through at once; a window that was made
 * shorter ends sooner; nothing is taken back from a window that is over.
 */
const COUNT = `
local asked, window, most = tonumber(ARGV[1]), 1000 * tonumber(ARGV[2]), tonumber(ARGV[3])
local left = redis.call('pttl', KEYS[1])
if left < 0 then
  if asked < 0 then return {0, 0} end
  redis.call('set', KEYS[1], asked, 'PX', window)
  return {asked, window}
end
if left > window then
  redis.call('pexpire', KEYS[1], window)
  left = window
end
local counted = tonumber(redis.call('get', KEYS[1])) + asked
if asked > 0 and counted > most then return {counted, left} end
redis.call('incrby', KEYS[1], asked)
return {counted, left}
`;

interface Shared {
  counters: Map<string, Counter>;
  redis?: Redis;
}

/** A build may hold this file several times; what was counted is shared. */
const shared = globalThis as unknown as { tradewindLimits?: Shared };

export function counterOf(key: string): Counter {
  shared.tradewindLimits ??= { counters: new Map() };
  let counter = shared.tradewindLimits.counters.get(key);
  if (!counter) {
    counter = createCounter(`${env().QUEUE_PREFIX}:limit:${key}`);
    shared.tradewindLimits.counters.set(key, counter);
  }
  return counter;
}

/** Counts in Redis; in this process's memory while Redis is away or absent. Never not at all. */
function createCounter(keyPrefix: string): Counter {
  const local = inMemory(keyPrefix);
  const client = redis();
  if (!client) return local;
  const store = new RateLimiterRedis({
    keyPrefix,
    points: 1,
    duration: 1,
    storeClient: client,
    rejectIfRedisNotReady: true,
    customIncrTtlLuaScript: COUNT,
  });
  return {
    async take(bucket, points, windowMs) {
      const window = { customDuration: windowMs / 1000 };
      store.points = points;
      try {
        await store.consume(bucket, 1, window);
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) throw refusal;
        return local.take(bucket, points, windowMs);
      }
      return async () => {
        await store.reward(bucket, 1, window);
      };
    },
  };
}

function inMemory(keyPrefix: string): Counter {
  const store = new RateLimiterMemory({ keyPrefix, points: 1, duration: 1 });
  const takeBack = async (bucket: string) => {
    if (await store.get(bucket)) await store.reward(bucket);
  };
  return {
    async take(bucket, points, windowMs) {
      store.points = points;
      try {
        await store.consume(bucket, 1, { customDuration: windowMs / 1000 });
      } catch (refusal) {
        await takeBack(bucket);
        throw refusal;
      }
      return () => takeBack(bucket);
    },
  };
}

function redis(): Redis | null {
  const { REDIS_URL } = env();
  if (!REDIS_URL) return null;
  shared.tradewindLimits ??= { counters: new Map() };
  if (!shared.tradewindLimits.redis) {
    // A Redis that hangs costs a quarter of a second at most, and nothing waits for it to come back.
    const client = new Redis(REDIS_URL, { enableOfflineQueue: false, commandTimeout: 250, maxRetriesPerRequest: 0 });
    // A lost connection is what the local counter is for.
    client.on("error", () => undefined);
    shared.tradewindLimits.redis = client;
  }
  return shared.tradewindLimits.redis;
}
