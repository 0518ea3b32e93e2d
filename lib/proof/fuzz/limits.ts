import { Redis } from "ioredis";
import pg from "pg";

/** The limits of the product that a setting can lift. Those of guessing passwords have a floor: they are emptied instead. */
const LIFTED = ["api", "admin", "export"];
const EMPTY_EVERY_MS = 1_000;

interface Stored {
  name: string;
  enabled: boolean;
}

export interface RaisedLimits {
  /** Everything as it was. */
  restore: () => Promise<void>;
}

/**
 * Lifts the limits of a running stack in its own tables, and empties the counters of sign-in calls once a second, so
 * that a hundred thousand calls from one place learn more than 429.
 */
export async function raiseLimits(stack: {
  databaseUrl: string;
  redisUrl: string;
  queuePrefix: string;
}): Promise<RaisedLimits> {
  const client = new pg.Client({ connectionString: stack.databaseUrl });
  await client.connect();
  const { rows: before } = await client.query<Stored>(
    'select "name", "enabled" from "RateLimit" where "name" = any($1)',
    [LIFTED],
  );
  await client.query(
    `insert into "RateLimit" ("id", "name", "enabled", "updatedAt") select gen_random_uuid(), "name", false, now() from unnest($1::text[]) as "name"
     on conflict ("name") do update set "enabled" = false`,
    [LIFTED],
  );
  const redis = stack.redisUrl ? new Redis(stack.redisUrl) : null;
  const empty = async () => {
    if (!redis) return;
    for await (const keys of redis.scanStream({ match: `${stack.queuePrefix}:limit:a*`, count: 500 }) as AsyncIterable<
      string[]
    >)
      if (keys.length > 0) await redis.unlink(keys);
  };
  const emptying = setInterval(() => void empty().catch(() => undefined), EMPTY_EVERY_MS);
  await empty();
  return {
    async restore() {
      clearInterval(emptying);
      await empty();
      for (const { name, enabled } of before)
        await client.query('update "RateLimit" set "enabled" = $2 where "name" = $1', [name, enabled]);
      const known = before.map(({ name }) => name);
      await client.query('delete from "RateLimit" where "name" = any($1)', [
        LIFTED.filter((name) => !known.includes(name)),
      ]);
      await client.end();
      redis?.disconnect();
    },
  };
}
