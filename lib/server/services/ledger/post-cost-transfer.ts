import { randomUUID } from "node:crypto";
import { applyFill, type BookLot } from "@/lib/domain/engine/apply-fill.ts";
import { least, money, sum, text, ZERO, type Money } from "@/lib/domain/money.ts";
import { newYorkInstant } from "@/lib/domain/time.ts";
import type { Prisma, Tx } from "../../db.ts";
import { sessionOf } from "../../rows.ts";
import { savePosition } from "./save-position.ts";
import { loadPositionBook, NO_LABELS, saveLots, saveRoundTrip, withTotals } from "./position-book.ts";

type Action = Prisma.AppliedCorporateActionGetPayload<object>;

/** USD that the shares in these lots cost. */
export const costOf = (lots: Pick<BookLot, "qtyRemaining" | "costPrice">[]): Money =>
  sum(lots.map(({ qtyRemaining, costPrice }) => money(qtyRemaining).times(costPrice)));

/** Lots of a symbol that were held when the date began, New York time. */
export function heldBefore(lots: BookLot[], exDate: Date): BookLot[] {
  const exAt = newYorkInstant(sessionOf(exDate), 0, 0);
  return lots.filter(({ openedAt }) => openedAt < exAt);
}

/** True for an action that a person booked with a share of the cost: it moves cost between symbols. */
export const isCostTransfer = ({ costShare, costMoved }: Action) => costShare !== null || costMoved !== null;

/**
 * Books the part that such an action has in the book of its symbol, in the order of market time: cost leaves the shares
 * held at its date, or shares come with the cost that left others. No money moves. The amount is fixed when it leaves for
 * the first time: a later correction of the old shares does not change what the new ones cost.
 */
export async function postCostTransfer(tx: Tx, action: Action): Promise<void> {
  if (action.costShare === null) await postSharesIn(tx, action);
  else await postCostOut(tx, action, money(action.costShare));
}

async function postCostOut(tx: Tx, action: Action, share: Money): Promise<void> {
  const { accountId, activityId, symbol, exDate, costMoved } = action;
  const before = await loadPositionBook(tx, accountId, symbol);
  const old = heldBefore(before.lots, exDate);
  const held = costOf(old);
  const wanted = costMoved === null ? held.times(share) : money(costMoved).negated();
  const moved = least(wanted, held).toDecimalPlaces(9);
  if (costMoved === null) {
    const where = { accountId_activityId: { accountId, activityId } };
    await tx.appliedCorporateAction.update({ where, data: { costMoved: text(moved.negated()) } });
  }
  if (moved.isZero()) return;
  const kept = held.minus(moved).div(held);
  const lots = before.lots.map((lot) =>
    old.includes(lot) ? { ...lot, costPrice: text(money(lot.costPrice).times(kept).toDecimalPlaces(9)) } : lot,
  );
  const after = withTotals(symbol, lots);
  await saveLots(tx, accountId, before, after);
  if (before.trip) {
    const entryValue = text(money(before.trip.entryValue).minus(moved));
    await saveRoundTrip(tx, accountId, before, { ...before.trip, entryValue }, NO_LABELS);
  }
  const data = { avgEntryPrice: after.avgPrice ?? "0" };
  await tx.position.updateMany({ where: { accountId, symbol }, data });
}

/** Shares that were not bought: their lot has a cost and no fill. */
async function postSharesIn(tx: Tx, { accountId, symbol, exDate, qtyBefore, qtyAfter, costMoved }: Action) {
  const qty = money(qtyAfter).minus(money(qtyBefore));
  const price = text(
    money(costMoved ?? ZERO)
      .div(qty)
      .toDecimalPlaces(9),
  );
  const at = newYorkInstant(sessionOf(exDate), 0, 0);
  const before = await loadPositionBook(tx, accountId, symbol);
  const id = randomUUID();
  const { book } = applyFill(before, { id, side: "BUY", qty: text(qty), price, fees: "0", at });
  await tx.lot.create({
    data: {
      id,
      accountId,
      symbol,
      openFillId: null,
      openedAt: new Date(at),
      qtyOpened: text(qty),
      qtyRemaining: text(qty),
      costPrice: price,
    },
  });
  if (book.trip) await saveRoundTrip(tx, accountId, before, book.trip, NO_LABELS);
  await savePosition(tx, accountId, book, NO_LABELS.opening, { price, at });
}
