import { money, sum, text, type Money } from "@/lib/domain/money.ts";
import { newYorkInstant } from "@/lib/domain/time.ts";
import type { Account } from "../../core/row-types.ts";
import type { BrokerActivity } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db.ts";
import { dateOf } from "../../rows.ts";
import { settleBooked } from "./quarantine-activity.ts";
import { rescaleBook } from "./rescale-book.ts";
import { postOrderlessTrade } from "./post-orderless-trade.ts";
import { inTransaction, lockAccount } from "../../core/transaction.ts";

const held = async (tx: Tx, accountId: string, symbol: string): Promise<Money> => {
  const { _sum } = await tx.lot.aggregate({ where: { accountId, symbol }, _sum: { qtyRemaining: true } });
  return money(_sum.qtyRemaining ?? 0);
};

/**
 * A name change or a merger in shares: all shares of one symbol become shares of another, which takes over
 * cost, round trip, memory and fills; orders keep the symbol that they were sent with. False, and nothing
 * changed, where the legs are not exactly that.
 */
export async function postShareExchange(context: Context, account: Account, legs: BrokerActivity[]): Promise<boolean> {
  const [gone, come] = [...legs].sort((a, b) => money(a.qty ?? "0").cmp(money(b.qty ?? "0")));
  if (legs.length !== 2 || !gone?.symbol || !come?.symbol || gone.symbol === come.symbol) return false;
  const [from, to] = [gone.symbol, come.symbol];
  const [less, more] = [money(gone.qty ?? "0").negated(), money(come.qty ?? "0")];
  if (less.lte(0) || more.lte(0) || !sum(legs.map(({ netAmount }) => money(netAmount))).isZero()) return false;
  return inTransaction(context, async (tx) => {
    const { id: accountId } = await lockAccount(tx, account.id);
    const isWhole = (await held(tx, accountId, from)).eq(less);
    const isNew = (await held(tx, accountId, to)).isZero();
    if (!isWhole || !isNew) return false;
    const where = { accountId, symbol: from };
    const data = { symbol: to };
    await tx.fill.updateMany({ where, data });
    await tx.lot.updateMany({ where, data });
    await tx.roundTrip.updateMany({ where, data });
    await tx.position.updateMany({ where, data });
    await tx.appliedCorporateAction.updateMany({ where, data });
    // The shares were exchanged at the date: what is held under the new name is from before it.
    if (!less.eq(more)) await rescaleBook(tx, accountId, to, gone.date, () => ({ total: more }));
    await recordCorporateAction(tx, accountId, to, legs, less, more);
    await settleBooked(context, tx, account, legs);
    context.log.info("shares.exchanged", { accountId, from, to, date: gone.date });
    return true;
  });
}

/** A merger for cash: the shares are sold to the broker's account of it, at what it paid for them. */
export async function postCashMerger(context: Context, account: Account, leg: BrokerActivity): Promise<boolean> {
  const { id: activityId, symbol, date } = leg;
  const qty = money(leg.qty ?? "0").negated();
  const paid = money(leg.netAmount);
  if (symbol === null || qty.lte(0) || paid.lte(0)) return false;
  return inTransaction(context, async (tx) => {
    const { id: accountId } = await lockAccount(tx, account.id);
    if ((await held(tx, accountId, symbol)).lt(qty)) return false;
    await postOrderlessTrade(context, tx, {
      accountId,
      id: activityId,
      reason: null,
      brokerStatus: leg.type,
      symbol,
      side: "SELL",
      qty: text(qty),
      price: text(paid.div(qty).toDecimalPlaces(9)),
      at: new Date(newYorkInstant(date, 0, 0)),
      source: "ACTIVITY",
    });
    await recordCorporateAction(tx, accountId, symbol, [leg], qty, qty);
    await settleBooked(context, tx, account, [leg]);
    context.log.info("shares.cashed-out", { accountId, symbol, date });
    return true;
  });
}

async function recordCorporateAction(
  tx: Tx,
  accountId: string,
  symbol: string,
  legs: BrokerActivity[],
  before: Money,
  after: Money,
): Promise<void> {
  await tx.appliedCorporateAction.createMany({
    data: legs.map(({ id, type, date }) => ({
      accountId,
      activityId: id,
      symbol,
      kind: type,
      ratio: text(after.div(before).toDecimalPlaces(9)),
      qtyBefore: text(before),
      qtyAfter: text(after),
      exDate: dateOf(date),
    })),
  });
}
