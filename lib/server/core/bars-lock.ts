import pg from "pg";
import type { MarketName } from "@/lib/domain/enums.ts";
import { env } from "../env.ts";

/** First half of the advisory lock's key: no other use of advisory locks has it. */
const LOCK_SPACE = 7_302;

/**
 * Runs `work` as the only one that writes the bars of a market; null when another process still does after `waitMs`. The lock hangs
 * on a connection of its own: where its process dies, the next one has it at once.
 */
export async function withBarsLock<T>(
  market: MarketName,
  { waitMs }: { waitMs: number },
  work: () => Promise<T>,
): Promise<T | null> {
  const client = new pg.Client({
    connectionString: env().DATABASE_URL,
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
    application_name: "bars-writer",
  });
  // A lost connection frees the lock; rows are written whole, so another writer does no harm.
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await take(client, market, waitMs)) ? await work() : null;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function take(client: pg.Client, market: MarketName, waitMs: number): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    "select pg_try_advisory_lock($1::int, hashtext($2)) as locked",
    [LOCK_SPACE, market],
  );
  if (rows[0]?.locked === true) return true;
  if (waitMs === 0) return false;
  await client.query(`set lock_timeout = ${Math.ceil(waitMs)}`);
  try {
    await client.query("select pg_advisory_lock($1::int, hashtext($2))", [LOCK_SPACE, market]);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === LOCK_NOT_AVAILABLE) return false;
    throw error;
  }
}

const LOCK_NOT_AVAILABLE = "55P03";
