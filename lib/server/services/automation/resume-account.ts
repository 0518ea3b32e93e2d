import { ACCESS_TEXT } from "@/lib/domain/account-access.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { moneyText } from "@/lib/domain/format.ts";
import { greatest, money, text, ZERO } from "@/lib/domain/money.ts";
import { recordEvent } from "../../core/record-event.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db.ts";
import { withAccountWriter } from "../../core/account-writer.ts";
import type { Account } from "../../core/row-types.ts";
import { reasonNeeded, accountForOperator } from "../../core/account-for-operator.ts";
import { inTransaction, lockAccount } from "../../core/transaction.ts";
import type { ReconcileReport } from "../sync/reconcile-account.ts";
import { recoverAccount } from "../sync/recover-account.ts";
import { refuseToResume } from "./unresolved-orders.ts";

/** The worker follows the account's orders meanwhile; its turns are short. */
const WRITER_WAIT_MS = 20_000;

export interface Resumed {
  /** The account was halted and is no longer. */
  isResumed: boolean;
  /** The equity from which drawdown is measured now; null when the mark stayed. USD */
  highWaterMark: string | null;
  /** The stop that the drawdown had put on the account is lifted. */
  isDrawdownHaltLifted: boolean;
}

const UNCHANGED: Resumed = { isResumed: false, highWaterMark: null, isDrawdownHaltLifted: false };

/**
 * A person resumes a halted account: its orders are settled and its books are held against the broker's
 * again, and only where nothing is open and nothing differs the halt ends. `resetMark` measures the
 * drawdown from today's equity, and lifts the stop that the old mark caused.
 */
export async function resumeAccount(
  context: Context,
  { id, reason, resetMark = false }: { id: string; reason: string; resetMark?: boolean },
): Promise<Resumed> {
  const account = await accountForOperator(context, id);
  const why = reasonNeeded(reason);
  if (account.haltedAt === null && !resetMark) return UNCHANGED;
  if (account.sealedKeys === null) throw new Failure("conflict", ACCESS_TEXT[account.access].erased);
  const resumed = await withAccountWriter(
    context,
    id,
    async () => {
      const { reconciled } = await recoverAccount(context, id);
      refuseDifferences(reconciled);
      return inTransaction(context, (tx) => resume(context, tx, { id, why, resetMark }));
    },
    { waitMs: WRITER_WAIT_MS },
  );
  if (resumed === null) throw new Failure("unavailable", "The account is busy. Try again in a moment.");
  if (resumed !== UNCHANGED) context.log.warn("account.resumed", { accountId: id, reason: why });
  return resumed;
}

function refuseDifferences({ differences, missingOrders, balances }: ReconcileReport): void {
  // The next reading would halt it again.
  if (balances.isBlocked) throw new Failure("conflict", "The broker still blocks trading for this account.");
  if (balances.status !== "ACTIVE")
    throw new Failure("conflict", `The broker still says that the account is ${balances.status}.`);
  if (differences.length > 0) {
    const parts = differences.map(({ symbol, ours, theirs }) => `${symbol} ${ours} here, ${theirs} at the broker`);
    throw new Failure("conflict", `Positions differ: ${parts.join("; ")}`);
  }
  if (missingOrders.length > 0)
    throw new Failure("conflict", `The broker does not know our orders: ${missingOrders.join(", ")}`);
}

async function resume(
  context: Context,
  tx: Tx,
  { id, why, resetMark }: { id: string; why: string; resetMark: boolean },
): Promise<Resumed> {
  const account = await lockAccount(tx, id);
  // Another call resumed it while this one waited for the account.
  if (account.haltedAt === null && !resetMark) return UNCHANGED;
  await refuseToResume(tx, account);
  await tx.account.update({ where: { id }, data: { haltedAt: null, haltReason: null } });
  const mark = resetMark ? await resetHighWaterMark(tx, id) : null;
  const isDrawdownHaltLifted = resetMark && (await liftDrawdownHalt(tx, account));
  const parts = [
    account.haltedAt === null
      ? null
      : `The account was resumed after its halt (${account.haltReason ?? "no reason kept"}).`,
    mark === null ? null : `Drawdown is now measured from ${moneyText(Number(mark))}.`,
    isDrawdownHaltLifted ? "The stop after the drawdown is lifted." : null,
    `Reason: ${why}`,
  ];
  const message = parts.filter((part) => part !== null).join(" ");
  const resumed: Resumed = { isResumed: account.haltedAt !== null, highWaterMark: mark, isDrawdownHaltLifted };
  await recordEvent(context, tx, {
    level: "warn",
    message,
    userId: account.userId,
    accountId: id,
    audit: {
      eventType: "ACCOUNT_RESUMED",
      data: { accountId: id, haltReason: account.haltReason, ...resumed },
      personal: { reason: why },
    },
  });
  return resumed;
}

/** The figures were read from the broker a moment ago. A deposit that is not booked yet raises the mark when it is. */
async function resetHighWaterMark(tx: Tx, accountId: string): Promise<string> {
  const figures = await tx.accountFigures.findUniqueOrThrow({ where: { accountId } });
  const highWaterMark = text(money(figures.equity).minus(greatest(ZERO, money(figures.unbookedCash))));
  await tx.accountFigures.update({ where: { accountId }, data: { highWaterMark, version: { increment: 1 } } });
  return highWaterMark;
}

async function liftDrawdownHalt(tx: Tx, { id, killSource }: Account): Promise<boolean> {
  if (killSource !== "DRAWDOWN") return false;
  await tx.account.update({
    where: { id },
    data: { killState: "NONE", killReason: null, killSource: null, killSetAt: null },
  });
  return true;
}
