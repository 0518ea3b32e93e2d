import { money, text, ZERO, type DecimalText } from "@/lib/domain/money.ts";
import { newYorkInstant, type SessionDate } from "@/lib/domain/time.ts";
import type { Account } from "./row-types.ts";
import type { BrokerActivity } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import type { Prisma, Tx } from "../../db.ts";
import { inTransaction, lockAccount } from "./transaction.ts";

/** Money from and to the outside: deposits, withdrawals, journals and transfers between accounts. */
const EXTERNAL_TYPES = new Set(["CSD", "CSW", "JNLC", "TRANS", "ACATC", "OPENING"]);

/** Which figure of the account the money belongs to. Interest is income as dividends are. */
function figureOf(type: string, amount: DecimalText): Prisma.AccountFiguresUpdateInput {
  if (EXTERNAL_TYPES.has(type)) return { netDeposits: { increment: amount }, highWaterMark: { increment: amount } };
  if (type.startsWith("DIV") || type === "INT") return { dividends: { increment: amount } };
  return { fees: { increment: text(money(amount).negated()) } };
}

/** Writes a movement of money once, with its figure, inside the caller's transaction. True when it was new. */
export async function recordFlow(
  tx: Tx,
  accountId: string,
  flow: { activityId: string; type: string; symbol: string | null; amount: DecimalText; date: SessionDate },
): Promise<boolean> {
  const { activityId, type, symbol, amount, date } = flow;
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
      },
    ],
    skipDuplicates: true,
  });
  if (created.count === 0) return false;
  await tx.accountFigures.upsert({ where: { accountId }, create: { accountId }, update: {} });
  await tx.accountFigures.update({
    where: { accountId },
    data: { ...figureOf(type, amount), version: { increment: 1 } },
  });
  return true;
}

/** A deposit, dividend, fee or other money movement, booked once. Activities that move no money are passed over. */
export async function bookActivity(context: Context, account: Account, activity: BrokerActivity): Promise<boolean> {
  if (money(activity.netAmount).eq(ZERO)) return false;
  return inTransaction(context, async (tx) => {
    await lockAccount(tx, account.id);
    const { id, type, symbol, netAmount, date } = activity;
    return recordFlow(tx, account.id, { activityId: id, type, symbol, amount: netAmount, date });
  });
}
