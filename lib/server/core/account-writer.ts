import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type { Context } from "../context.ts";
import { env } from "../env.ts";
import type { Account } from "./row-types.ts";

/** First half of the advisory lock's key: no other use of advisory locks has it. */
const LOCK_SPACE = 7_301;

/** Accounts this process writes, over one connection of its own: a lost connection loses all of them. */
let connection: Promise<pg.Client> | null = null;
const held = new Map<string, { isLost: boolean }>();

function lockConnection(context: Context): Promise<pg.Client> {
  connection ??= (async () => {
    const client = new pg.Client({
      connectionString: env().DATABASE_URL,
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
      application_name: "account-writers",
    });
    const lose = (error?: Error) => {
      if (held.size > 0 && error) context.log.error("account-locks.lost", { err: error });
      for (const hold of held.values()) hold.isLost = true;
      connection = null;
    };
    client.on("error", lose);
    client.on("end", () => lose());
    await client.connect();
    return client;
  })().catch((error: unknown) => {
    connection = null;
    throw error;
  });
  return connection;
}

let lastAsked: Promise<unknown> = Promise.resolve();

/** One question after the other: the driver takes none while it waits for an answer. */
function ask<Row extends pg.QueryResultRow>(client: pg.Client, text: string, values: unknown[]) {
  const answer = lastAsked.then(() => client.query<Row>(text, values));
  lastAsked = answer.catch(() => undefined);
  return answer;
}

const TRY_EVERY_MS = 100;

/**
 * Runs `work` as the only writer of the account, with a new epoch that fences off every earlier one and the row as it was then. Null
 * when another process still writes it after `waitMs`: the work is left to it. The lock saves work; safety
 * is in the intents' compare-and-set, which checks the epoch again.
 */
export async function withAccountWriter<T>(
  context: Context,
  accountId: string,
  work: (epoch: number, account: Account) => Promise<T>,
  { waitMs = 0 }: { waitMs?: number } = {},
): Promise<T | null> {
  const giveUpAt = performance.now() + waitMs;
  for (;;) {
    const release = held.has(accountId) ? null : await takeLock(context, accountId);
    if (release) {
      try {
        const account = await context.db.account.update({
          where: { id: accountId },
          data: { writerEpoch: { increment: 1 } },
        });
        return await work(account.writerEpoch, account);
      } finally {
        await release();
      }
    }
    if (performance.now() >= giveUpAt) return null;
    await delay(TRY_EVERY_MS);
  }
}

/** Takes the account's lock and answers how to give it back; null when another process has it. */
async function takeLock(context: Context, accountId: string): Promise<(() => Promise<void>) | null> {
  const hold = { isLost: false };
  held.set(accountId, hold);
  try {
    const client = await lockConnection(context);
    const answer = await ask<{ locked: boolean }>(
      client,
      "select pg_try_advisory_lock($1::int, hashtext($2)) as locked",
      [LOCK_SPACE, accountId],
    );
    if (answer.rows[0]?.locked !== true) {
      held.delete(accountId);
      return null;
    }
    return async () => {
      held.delete(accountId);
      if (hold.isLost) return;
      // A connection that is lost gives the lock back by itself.
      const unlock = "select pg_advisory_unlock($1::int, hashtext($2))";
      await ask(client, unlock, [LOCK_SPACE, accountId]).catch((error: unknown) =>
        context.log.warn("account-lock.release-failed", { accountId, err: error }),
      );
    };
  } catch (error) {
    held.delete(accountId);
    throw error;
  }
}

/** Gives the connection back, for a clean end of the process. */
export async function closeAccountWriters(): Promise<void> {
  const client = await connection?.catch(() => null);
  connection = null;
  await client?.end();
}
