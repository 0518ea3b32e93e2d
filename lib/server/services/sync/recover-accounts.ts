import { setTimeout as delay } from "node:timers/promises";
import type { MarketName } from "@/lib/domain/enums.ts";
import { INTENTS_IN_DOUBT } from "@/lib/domain/protocol/recovery.ts";
import { latestOf } from "@/lib/domain/wall-clock.ts";
import type { Context } from "../../context.ts";
import { ownAccounts } from "../../jobs/canary.ts";
import { atMost } from "../../core/at-most.ts";
import { withAccountWriter } from "../../core/account-writer.ts";
import type { Account } from "../../core/row-types.ts";
import { recoverAccount } from "./recover-account.ts";

/** Accounts of one market that a start recovers side by side: they share the process's connections to the database. */
const AT_ONCE = 4;
/** A start waits for brokers no longer than this: its heartbeat, the stops and the schedule wait behind it. */
const WITHIN_MS = 20_000;

/** When this process began to recover; null in one that does not, such as a command. */
let begunAt: Date | null = null;

/**
 * Start-up and recovery are one path: an account's unknowns are settled and its books reconciled before anything new is
 * decided for it. Accounts that the last process left in doubt are recovered here, before the queue is opened: intents that
 * were not known to have been sent or answered, stops that are owed, books that were never read. All others are recovered
 * by `recoveredSinceStart` when work first comes for them, so that a start takes as long as there is doubt, not as long as
 * there are accounts. What is not done after `withinMs`, because a broker does not answer, is left to its first work as well;
 * what is under way then ends by itself, as the accounts' writer.
 */
export async function recoverAccounts(context: Context, { withinMs = WITHIN_MS } = {}): Promise<void> {
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
    select: { id: true, market: true },
  });
  const isOwn = await ownAccounts(context.db);
  const own = accounts.filter(({ id }) => isOwn(id));
  const lanes: Record<MarketName, ReturnType<typeof atMost>> = { PRACTICE: atMost(AT_ONCE), US: atMost(AT_ONCE) };
  const left = new Set(own.map(({ id }) => id));
  const giveUp = new AbortController();
  const recover = async (id: string) => {
    if (giveUp.signal.aborted) return;
    await orUnread(context, id, () => withAccountWriter(context, id, () => recoverAccount(context, id)));
    left.delete(id);
  };
  const recovering = Promise.all(own.map(({ id, market }) => lanes[market](() => recover(id))));
  const late = delay(withinMs, undefined, { signal: giveUp.signal }).catch(() => undefined);
  try {
    await Promise.race([recovering, late]);
  } finally {
    giveUp.abort();
  }
  if (left.size === 0) {
    context.log.info("recovery.completed", { accounts: own.length });
    return;
  }
  // Nothing waits for it any more: an account that stays unread is recovered before anything new is decided for it.
  recovering.catch((error: unknown) => context.log.error("task.failed", { task: "recovery", err: error, count: 1 }));
  context.log.warn("recovery.left", { accounts: own.length, count: left.size });
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
  if (wasReadSinceStart({ reconciledAt }, context.now())) return true;
  return orUnread(context, id, () => recoverAccount(context, id));
}

/** True where the account's books were read since this process began. Asks no broker and needs no writer. */
export function wasReadSinceStart({ reconciledAt }: Pick<Account, "reconciledAt">, now: Date): boolean {
  // A beginning by a clock that was ahead: what is read from here on counts.
  if (begunAt !== null && begunAt > latestOf(0, now)) begunAt = now;
  return reconciledAt !== null && (begunAt === null || reconciledAt >= begunAt) && reconciledAt <= latestOf(0, now);
}

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
