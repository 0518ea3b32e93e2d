import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type { Context } from "../context.ts";
import { env } from "../env.ts";
import type { Account } from "./row-types.ts";

/** First half of the advisory lock's key: no other use of advisory locks has it. */
const LOCK_SPACE = 7_301;

/** A connection to Postgres whose session has the locks. A lost one gives all of them back, and none of another's. */
interface LockSession {
  client: pg.Client;
  isLost: boolean;
  lastAsked: Promise<unknown>;
  /** Ends it: the next lock is taken over a new one. */
  lose(error?: Error): void;
}

/** No statement here waits for a lock: a connection that has not answered by then is lost without an error (a cut cable, a failover). */
const ANSWER_WITHIN_MS = 5_000;
/** So that Postgres notices the same within half a minute, and gives the locks back: by its own settings that may take hours. */
const NOTICE_LOSS = "set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3";

/** The session that new locks are taken over; locks taken before over a lost one were lost with it. */
let current: Promise<LockSession> | null = null;
/** Accounts this process writes or tries to, over any session: a session would give its own lock a second time. */
const held = new Set<string>();

function lockSession(context: Context): Promise<LockSession> {
  if (current !== null) return current;
  const client = new pg.Client({
    connectionString: env().DATABASE_URL,
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
    application_name: "account-writers",
  });
  const session: LockSession = { client, isLost: false, lastAsked: Promise.resolve(), lose: (error) => lose(error) };
  const opening = client
    .connect()
    .then(() => inTime(session, client.query(NOTICE_LOSS)))
    .then(() => session);
  // A connection that ends reports it up to three times, the last long after the next one was opened.
  const lose = (error?: Error) => {
    if (current === opening) current = null;
    if (session.isLost) return;
    session.isLost = true;
    if (held.size > 0 && error) context.log.error("account-locks.lost", { err: error });
    // An error may come before the connection ends. It is closed, so that no lock stays with a session that is no longer used.
    void client.end();
  };
  client.on("error", lose);
  client.on("end", () => lose());
  opening.catch(() => lose());
  current = opening;
  return opening;
}

/** The answer, or the end of the session that does not give it: with its connection the question fails. */
function inTime<T>(session: LockSession, answer: Promise<T>): Promise<T> {
  const silent = () => session.lose(new Error(`no answer within ${ANSWER_WITHIN_MS} ms`));
  const timer = setTimeout(silent, ANSWER_WITHIN_MS);
  return answer.finally(() => clearTimeout(timer));
}

/** One question after the other: the driver takes none while it waits for an answer. */
function ask<Row extends pg.QueryResultRow>(session: LockSession, text: string, values: unknown[]) {
  const answer = session.lastAsked.then(() => inTime(session, session.client.query<Row>(text, values)));
  session.lastAsked = answer.catch(() => undefined);
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
  held.add(accountId);
  try {
    const session = await lockSession(context);
    const answer = await ask<{ locked: boolean }>(
      session,
      "select pg_try_advisory_lock($1::int, hashtext($2)) as locked",
      [LOCK_SPACE, accountId],
    );
    if (answer.rows[0]?.locked !== true) {
      held.delete(accountId);
      return null;
    }
    return async () => {
      held.delete(accountId);
      // A connection that is lost gives the lock back by itself.
      if (session.isLost) return;
      const unlock = "select pg_advisory_unlock($1::int, hashtext($2))";
      await ask(session, unlock, [LOCK_SPACE, accountId]).catch((error: unknown) =>
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
  const session = await current?.catch(() => null);
  current = null;
  await session?.client.end();
}
