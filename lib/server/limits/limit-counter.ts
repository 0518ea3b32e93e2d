import { env } from "../env.ts";
import { processWide } from "../process-wide.ts";
import { type LimitRedis, limitRedis } from "./limit-redis.ts";
import { createLocalWindows, SLOTS } from "./local-windows.ts";

/** A point for one more call, which can be given back; or none, and how long until there is one. */
export type Taken = { isFull: false; giveBack: () => Promise<void> } | { isFull: true; freeInMs: number };

/** Counts calls per bucket in a sliding window. */
export interface Counter {
  /** Counts one call, unless `points` calls were counted within the last `windowMs`: then nothing is counted. */
  take(bucket: string, points: number, windowMs: number): Promise<Taken>;
}

/**
 * A bucket is a hash: slot (the time of its first call) → "calls, time of the last one". A slot gathers the calls of a
 * twelfth of the window and leaves with its last call, so that in no window more calls pass than the limit says, and
 * a bucket stays small however much is allowed. KEYS: the bucket. ARGV: calls that a window holds, its milliseconds,
 * its slots. Answers 1 and the slot, or 0 and the milliseconds until there is room. A refused call is not counted, so
 * that a limit that was raised lets calls through at once; a window that was made shorter ends sooner.
 */
const TAKE = `
local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local most, window, slots = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local counted, live, newest, inNewest = 0, {}, nil, 0
local stored = redis.call('hgetall', KEYS[1])
for at = 1, #stored, 2 do
  local calls, last = string.match(stored[at + 1], '(%d+) (%d+)')
  calls, last = tonumber(calls), tonumber(last)
  if last <= now - window then
    redis.call('hdel', KEYS[1], stored[at])
  else
    counted = counted + calls
    live[#live + 1] = {last, calls}
    local first = tonumber(stored[at])
    if newest == nil or first > newest then newest, inNewest = first, calls end
  end
end
if counted >= most then
  table.sort(live, function(a, b) return a[1] < b[1] end)
  for _, slot in ipairs(live) do
    counted = counted - slot[2]
    if counted < most then return {0, slot[1] + window - now} end
  end
  return {0, window}
end
if newest == nil or now - newest >= window / slots then newest, inNewest = now, 0 end
local slot = string.format('%.0f', newest)
redis.call('hset', KEYS[1], slot, string.format('%.0f %.0f', inNewest + 1, now))
redis.call('pexpire', KEYS[1], window)
return {1, slot}
`;

/** KEYS: the bucket. ARGV: the slot. Nothing is taken back from a slot that is gone. */
const GIVE_BACK = `
local stored = redis.call('hget', KEYS[1], ARGV[1])
if not stored then return 0 end
local calls, last = string.match(stored, '(%d+) (%d+)')
if tonumber(calls) <= 1 then return redis.call('hdel', KEYS[1], ARGV[1]) end
return redis.call('hset', KEYS[1], ARGV[1], string.format('%.0f %s', tonumber(calls) - 1, last))
`;

type Scripted = LimitRedis & {
  takeCall?(key: string, points: number, windowMs: number, slots: number): Promise<[number, number | string]>;
  giveBackCall?(key: string, slot: string): Promise<number>;
};

function scripted(client: Scripted): Required<Pick<Scripted, "takeCall" | "giveBackCall">> {
  if (!client.takeCall) {
    client.defineCommand("takeCall", { numberOfKeys: 1, lua: TAKE });
    client.defineCommand("giveBackCall", { numberOfKeys: 1, lua: GIVE_BACK });
  }
  return client as Required<Pick<Scripted, "takeCall" | "giveBackCall">>;
}

const shared = processWide<Map<string, Counter>>("tradewindLimits");

export function counterOf(key: string): Counter {
  const counters = shared.orMake(() => new Map());
  let counter = counters.get(key);
  if (!counter) {
    counter = createCounter(`${env().QUEUE_PREFIX}:limit:${key}`);
    counters.set(key, counter);
  }
  return counter;
}

/** Counts in Redis; in this process's memory while Redis is unavailable or absent. There is always a count. */
function createCounter(keyPrefix: string): Counter {
  const local = createLocalWindows();
  const client = limitRedis();
  if (!client) return local;
  const redis = scripted(client);
  return {
    async take(bucket, points, windowMs) {
      const key = `${keyPrefix}:${bucket}`;
      let taken: [number, number | string];
      try {
        taken = await redis.takeCall(key, points, Math.round(windowMs), SLOTS);
      } catch {
        return local.take(bucket, points, windowMs);
      }
      const [isCounted, slotOrWait] = taken;
      if (isCounted === 0) return { isFull: true, freeInMs: Number(slotOrWait) };
      return { isFull: false, giveBack: async () => void (await redis.giveBackCall(key, String(slotOrWait))) };
    },
  };
}
