import { INTENTS_IN_DOUBT } from "@/lib/domain/protocol/recovery.ts";
import type { Context } from "../../context.ts";
import { ownAccounts } from "../../jobs/canary.ts";
import { atMost } from "../../core/at-most.ts";
import { withAccountWriter } from "../../core/account-writer.ts";
import type { Account } from "../../core/row-types.ts";
import { recoverAccount } from "./recover-account.ts";

/** Accounts that a start recovers side by side: they share the process's connections to the database. */
const AT_ONCE = 4;

/** When this process began to recover; null in one that does not, such as a command. */
let begunAt: Date | null = null;

/**
 * Start-up and recovery are one path: an account's unknowns are settled and its books reconciled before anything new is
 * decided for it. Accounts that the last process left in doubt are recovered here, before the queue is opened: intents that
 * were not known to have been sent or answered, stops that are owed, books that were never read. All others are recovered
 * by `recoveredSinceStart` when work first comes for them, so that a start takes as long as there is doubt, not as long as
 * there are accounts.
 */
export async function recoverAccounts(context: Context): Promise<void> {
  begunAt = context.now();
  const accounts = await context.db.account.findMany({
    where: {
      deletedAt: null,
      sealedKeys: { not: null },
      OR: [
        { reconciledAt: null },
        { intents: { some: { status: { in: [...INTENTS_IN_DOUBT] } } } },
        { owedStops: { some: { paidAt: null } } },
      ],
    },
    select: { id: true },
  });
  const isOwn = await ownAccounts(context.db);
  const recover = atMost(AT_ONCE);
  await Promise.all(
    accounts
      .filter(({ id }) => isOwn(id))
      .map(({ id }) =>
        recover(() => orUnread(context, id, () => withAccountWriter(context, id, () => recoverAccount(context, id)))),
      ),
  );
  context.log.info("recovery.completed", { accounts: accounts.length });
}

/**
 * True where the account's books were read since this process began, by this or another process, and where they are now:
 * the caller is the account's single writer and is about to decide something new for it.
 */
export async function recoveredSinceStart(
  context: Context,
  { id, reconciledAt }: Pick<Account, "id" | "reconciledAt">,
): Promise<boolean> {
  if (reconciledAt === null) return false;
  if (wasReadSinceStart({ reconciledAt })) return true;
  return orUnread(context, id, () => recoverAccount(context, id));
}

/** True where the account's books were read since this process began. Asks no broker and needs no writer. */
export const wasReadSinceStart = ({ reconciledAt }: Pick<Account, "reconciledAt">): boolean =>
  reconciledAt !== null && (begunAt === null || reconciledAt >= begunAt);

/**
 * An account whose recovery fails takes no new orders until one succeeds: its `reconciledAt` is emptied, which the gates
 * read, and the reason is in the log.
 */
async function orUnread(context: Context, id: string, recover: () => Promise<unknown>): Promise<boolean> {
  try {
    await recover();
    return true;
  } catch (error) {
    await context.db.account.update({ where: { id }, data: { reconciledAt: null } });
    context.log.error("recovery.failed", { accountId: id, err: error });
    return false;
  }
}
