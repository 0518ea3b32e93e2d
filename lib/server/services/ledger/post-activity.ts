import { money, text, ZERO, type DecimalText } from "@/lib/domain/money.ts";
import { type Instant, newYork, newYorkInstant, type SessionDate } from "@/lib/domain/time.ts";
import type { Account } from "../../core/row-types.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import type { BrokerActivity } from "../../broker/broker.ts";
import { OTHER_ASSET } from "../../broker/other-assets.ts";
import type { Context } from "../../context.ts";
import { LISTED_MOST, type Prisma, type Tx } from "../../db.ts";
import { dateOf } from "../../rows.ts";
import { quarantineActivity } from "./quarantine-activity.ts";
import { inTransaction, lockAccount } from "../../core/transaction.ts";

/** Money from and to the outside: deposits, withdrawals, journals, transfers between accounts, differences that a person ended. */
const EXTERNAL_TYPES = new Set(["CSD", "CSW", "JNL", "JNLC", "TRANS", "ACATC", "OPENING", "ADJUST"]);
/** Interest and cash for fractions of shares are income as dividends are. */
export const isIncome = (type: string) => /^(DIV|INT|CG)/.test(type) || type === "CIL";
const isCost = (type: string) => /^(FEE|CFEE|PTC|PTR)/.test(type);

/** Which figure of the account the money belongs to. Money of an unknown kind counts as a cost or its return. */
function figureOf(type: string, amount: DecimalText): Prisma.AccountFiguresUpdateInput {
  if (EXTERNAL_TYPES.has(type)) return { netDeposits: { increment: amount }, highWaterMark: { increment: amount } };
  if (isIncome(type)) return { dividends: { increment: amount } };
  return { fees: { increment: text(money(amount).negated()) } };
}

async function addToFigures(
  tx: Tx,
  accountId: string,
  { type, amount, date, movedAt }: { type: string; amount: DecimalText; date: SessionDate; movedAt: Date | null },
): Promise<void> {
  // Money that changed into another asset or back is still the account's: no deposit, no income, no cost.
  if (type === OTHER_ASSET) return;
  await tx.accountFigures.upsert({ where: { accountId }, create: { accountId }, update: {} });
  await tx.accountFigures.update({
    where: { accountId },
    data: { ...figureOf(type, amount), version: { increment: 1 } },
  });
  if (!EXTERNAL_TYPES.has(type)) return;
  // Money that the broker lists late was already in the equity of the points since: it is no gain.
  const sessionDate = dateOf(date);
  const since = { OR: [{ sessionDate: { gt: sessionDate } }, { sessionDate, isClose: true }] };
  await tx.equityPoint.updateMany({
    where: { accountId, ...(movedAt === null ? since : { at: { gte: movedAt } }) },
    data: { netDeposits: { increment: amount } },
  });
}

/** Writes a movement of money once, with its figure, inside the caller's transaction. True when it was new. */
export async function postCashFlow(
  tx: Tx,
  accountId: string,
  flow: {
    activityId: string;
    type: string;
    symbol: string | null;
    amount: DecimalText;
    date: SessionDate;
    at?: Instant | undefined;
  },
): Promise<boolean> {
  const { activityId, type, symbol, amount, date } = flow;
  const movedAt = flow.at === undefined ? null : new Date(flow.at);
  const created = await tx.cashFlow.createMany({
    data: [
      {
        accountId,
        activityId,
        type,
        symbol,
        amount,
        isExternal: EXTERNAL_TYPES.has(type),
        at: new Date(newYorkInstant(date, 0, 0)),
        movedAt,
      },
    ],
    skipDuplicates: true,
  });
  if (created.count === 0) return false;
  await addToFigures(tx, accountId, { type, amount, date, movedAt });
  return true;
}

/** The money that an activity moves: none where it was taken back. USD. */
const amountOf = ({ isCanceled, netAmount }: BrokerActivity): DecimalText => (isCanceled ? "0" : netAmount);

/**
 * The movements of money that are not yet booked with these values: an earlier reading booked most. Beyond the limit they are
 * returned unchecked, since posting twice changes nothing.
 */
export async function unpostedActivities(
  { db }: Pick<Context, "db">,
  accountId: string,
  activities: readonly BrokerActivity[],
): Promise<Set<BrokerActivity>> {
  if (activities.length === 0) return new Set();
  const rows = await db.cashFlow.findMany({
    where: { accountId, activityId: { in: activities.slice(0, LISTED_MOST).map(({ id }) => id) } },
    select: { activityId: true, amount: true },
  });
  const booked = new Map(rows.map(({ activityId, amount }) => [activityId, money(amount)]));
  const isPosted = (activity: BrokerActivity) => (booked.get(activity.id) ?? ZERO).eq(amountOf(activity));
  return new Set(activities.filter((activity, place) => place >= LISTED_MOST || !isPosted(activity)));
}

/**
 * A deposit, dividend, fee or other money movement, booked once. One that the broker changed or took back
 * afterwards is changed or taken back here, audited. Activities that move no money are passed over.
 */
export async function postActivity(context: Context, account: Account, activity: BrokerActivity): Promise<boolean> {
  const { id: activityId, type, symbol, date, at } = activity;
  const amount = amountOf(activity);
  return inTransaction(context, async (tx) => {
    const { id: accountId, userId } = await lockAccount(tx, account.id);
    const where = { accountId_activityId: { accountId, activityId } };
    const known = await tx.cashFlow.findUnique({ where });
    if (!known) {
      if (money(amount).isZero()) return false;
      const isKnownKind = EXTERNAL_TYPES.has(type) || isIncome(type) || isCost(type) || type === OTHER_ASSET;
      if (!isKnownKind) await quarantineActivity(context, tx, account, activity);
      return postCashFlow(tx, accountId, { activityId, type, symbol, amount, date, at });
    }
    if (known.amount.eq(amount)) return false;
    const before = text(known.amount.toString());
    if (money(amount).isZero()) await tx.cashFlow.delete({ where: { id: known.id } });
    else await tx.cashFlow.update({ where, data: { amount } });
    const change = text(money(amount).minus(before));
    const { at: day, movedAt } = known;
    await addToFigures(tx, accountId, { type: known.type, amount: change, date: newYork(day).date, movedAt });
    context.log.warn("cash-activity.corrected", { accountId, kind: known.type, symbol });
    await recordAudit(tx, {
      at: context.now(),
      eventType: "CASH_FLOW_CORRECTED",
      actor: context.actor,
      subjectUserId: userId,
      requestId: context.request.id,
      data: { accountId, activityId, type: known.type, symbol, before, after: amount },
    });
    return true;
  });
}
