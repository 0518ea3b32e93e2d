import { setTimeout as delay } from "node:timers/promises";
import type { Context } from "../context.ts";
import { isConflict, Prisma, type Tx } from "../db.ts";
import { tracedWithin } from "../tracing.ts";
import type { Account } from "./row-types.ts";

const MOST_ATTEMPTS = 5;

/** One transaction, run again as a whole when the database asks for it. Never holds a call to a broker. */
export async function inTransaction<T>(context: Pick<Context, "db">, work: (tx: Tx) => Promise<T>): Promise<T> {
  return tracedWithin("transaction", {}, async () => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await context.db.$transaction(work, { timeout: 15_000, maxWait: 10_000 });
      } catch (error) {
        if (attempt >= MOST_ATTEMPTS || !isConflict(error)) throw error;
        await delay(25 * attempt);
      }
    }
  });
}

/** Named, so that the statement can be prepared: a migration may add a column to a running process' table. */
export const columnsOf = (fields: Record<string, string>, table: string): Prisma.Sql =>
  Prisma.raw(
    Object.values(fields)
      .map((name) => `${table}."${name}"`)
      .join(", "),
  );

const ACCOUNT_COLUMNS = columnsOf(Prisma.AccountScalarFieldEnum, "a");

/**
 * The account's row, locked: whatever changes an account's intents, orders, fills or halt begins here, so
 * that two writers take turns. Rows that merely refer to the account are not held up.
 */
export async function lockAccount(tx: Tx, accountId: string): Promise<Account> {
  const [account] = await tx.$queryRaw<Account[]>`
    select ${ACCOUNT_COLUMNS} from "Account" a where a."id" = ${accountId}::uuid for no key update`;
  if (account === undefined) throw new Error(`there is no account ${accountId} to lock`);
  return account;
}
