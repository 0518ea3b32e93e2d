import { money, sum, text, type Money } from "@/lib/domain/money.ts";
import { newYorkInstant, type SessionDate } from "@/lib/domain/time.ts";
import type { Account } from "../../core/row-types.ts";
import type { BrokerActivity } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import { crashPoint } from "../../crash-point.ts";
import type { Tx } from "../../db.ts";
import { dateOf } from "../../rows.ts";
import { settleBooked } from "./quarantine-activity.ts";
import { rebuildPositionBook } from "./rebuild-position-book.ts";
import { postOrderlessTrade } from "./post-orderless-trade.ts";
import { rescaleBook, rescalePosition, type Resized } from "./rescale-book.ts";
import { announcedSplit, roundedSplit } from "./split-rounding.ts";
import { inTransaction, lockAccount } from "../../core/transaction.ts";

const nine = (value: Money) => text(value.toDecimalPlaces(9));

/**
 * Applies a split once: shares held before its date multiply by new shares per old, prices divide by it. Where it is listed after
 * a trade of its day or later, the book is made anew with it in its place.
 * `legs` are the activities of one symbol and date, in which the broker adds and removes shares. A fraction that it rounds off
 * leaves as a sale for nothing.
 */
export async function postSplit(context: Context, account: Account, legs: BrokerActivity[]): Promise<boolean> {
  const [first] = legs;
  if (first === undefined || first.symbol === null) return false;
  const { symbol, date } = first;
  const accountId = account.id;
  return inTransaction(context, async (tx) => {
    await lockAccount(tx, accountId);
    const ids = legs.map(({ id }) => id);
    const applied = await tx.appliedCorporateAction.count({ where: { accountId, activityId: { in: ids } } });
    if (applied > 0) return false;
    const added = sum(legs.map(({ qty }) => money(qty ?? "0")));
    const announced = await announcedSplit(tx, account.market, symbol, date);
    const resize = (held: Money) => roundedSplit(held, added, announced?.ratio ?? null);
    const isOvertaken = (await tx.fill.count({ where: { accountId, symbol, at: { gte: startOf(date) } } })) > 0;
    const split = isOvertaken
      ? await overtakenSplit(tx, accountId, symbol, date, resize)
      : await rescaleBook(tx, accountId, symbol, date, resize);
    if (split === null) {
      context.log.error("split.rejected", { accountId, symbol, activityIds: legs.map(({ id }) => id) });
      return false;
    }
    const { ratio, held, total } = split;
    await tx.appliedCorporateAction.createMany({
      data: legs.map(({ id, type }) => ({
        accountId,
        activityId: id,
        symbol,
        kind: type,
        ratio: nine(ratio),
        qtyBefore: text(held),
        qtyAfter: text(total),
        exDate: dateOf(date),
      })),
    });
    if (isOvertaken) await rebuildPositionBook(context, tx, accountId, symbol);
    const { fraction } = resize(held);
    // Its money comes as a booking of its own, and is income there.
    if (fraction.gt(0))
      await postOrderlessTrade(context, tx, {
        ...{ accountId, symbol, side: "SELL", qty: text(fraction), price: "0", source: "ACTIVITY" },
        ...{ id: `${first.id}:fraction`, reason: null, brokerStatus: first.type, at: startOf(date) },
      });
    await settleBooked(context, tx, account, legs);
    crashPoint("in-split");
    context.log.info("split.applied", { accountId, symbol, date, ratio: nine(ratio) });
    return true;
  });
}

const startOf = (date: SessionDate) => new Date(newYorkInstant(date, 0, 0));

/** What a split made of the shares that were held when its day began, whatever was sold of them since; the book itself stays. */
async function overtakenSplit(
  tx: Tx,
  accountId: string,
  symbol: string,
  date: SessionDate,
  resize: (held: Money) => Resized,
): Promise<{ ratio: Money; held: Money; total: Money } | null> {
  const exAt = startOf(date);
  const old = await tx.lot.findMany({
    where: { accountId, symbol, openedAt: { lt: exAt } },
    include: { closures: { where: { at: { gte: exAt } } } },
  });
  const held = sum(
    old
      .flatMap(({ qtyRemaining, closures }) => [qtyRemaining, ...closures.map(({ qty }) => qty)])
      .map((qty) => money(qty)),
  );
  const { total, ofPrices } = resize(held);
  if (held.isZero() || total.lte(0)) return null;
  const ratio = ofPrices ?? total.div(held);
  // The plan's memory of a position that was open then speaks in the prices of before; a book made anew takes it over as it is.
  const position = await tx.position.findUnique({ where: { accountId_symbol: { accountId, symbol } } });
  if (position && position.openedAt < exAt) {
    const unchanged = { qty: text(position.qty.toString()), avgPrice: text(position.avgEntryPrice.toString()) };
    await rescalePosition(tx, accountId, symbol, unchanged, { ratio, date });
  }
  return { ratio, held, total };
}
