import { applySplit as splitBook, type BookLot } from "@/lib/domain/engine/apply-fill.ts";
import { money, sum, text, type Money } from "@/lib/domain/money.ts";
import { WORKING_STATUSES } from "@/lib/domain/orders.ts";
import { newYorkInstant, type SessionDate } from "@/lib/domain/time.ts";
import { reviewOf } from "../../core/json.ts";
import type { Prisma, Tx } from "../../db.ts";
import { loadPositionBook, NO_LABELS, saveLots, saveRoundTrip, withTotals } from "./position-book.ts";

const nine = (value: Money) => text(value.toDecimalPlaces(9));

/** What a split makes of the shares that were held. */
export interface Resized {
  total: Money;
  /** New shares per old by which prices change, where the broker's total is a rounding of it; else the total over the held. */
  ofPrices?: Money;
}

/**
 * The book of a symbol after a split: what was held before its date becomes `resize` of it. Null, and
 * nothing changed, where nothing was held or nothing would be left.
 */
export async function rescaleBook(
  tx: Tx,
  accountId: string,
  symbol: string,
  date: SessionDate,
  resize: (held: Money) => Resized,
): Promise<{ ratio: Money; held: Money; total: Money } | null> {
  const before = await loadPositionBook(tx, accountId, symbol);
  const exAt = newYorkInstant(date, 0, 0);
  const old = before.lots.filter(({ openedAt }) => openedAt < exAt);
  const held = sum(old.map(({ qtyRemaining }) => money(qtyRemaining)));
  const { total, ofPrices } = resize(held);
  if (held.isZero() || total.lte(0)) return null;
  const ratio = total.div(held);
  const split = splitBook({ ...withTotals(symbol, old), trip: before.trip }, ratio.toFixed());
  const fresh = before.lots.filter(({ openedAt }) => openedAt >= exAt);
  const after = withTotals(symbol, [...exactly(total, split.lots), ...fresh]);
  await saveLots(tx, accountId, before, after);
  if (split.trip) await saveRoundTrip(tx, accountId, before, split.trip, NO_LABELS);
  await rescalePosition(tx, accountId, symbol, after, { ratio: ofPrices ?? ratio, date });
  return { ratio: ofPrices ?? ratio, held, total };
}

/** The broker rounds the whole position, we each lot: the last lot takes the difference. */
function exactly(total: Money, lots: BookLot[]): BookLot[] {
  const rest = total.minus(sum(lots.map(({ qtyRemaining }) => money(qtyRemaining))));
  return lots.map((lot, index) =>
    index < lots.length - 1
      ? lot
      : { ...lot, qtyRemaining: text(rest.plus(lot.qtyRemaining)), qtyOpened: text(rest.plus(lot.qtyOpened)) },
  );
}

/** The position and its plan speak in prices and shares after the split. */
export async function rescalePosition(
  tx: Tx,
  accountId: string,
  symbol: string,
  { qty, avgPrice }: { qty: string; avgPrice: string | null },
  { ratio, date }: { ratio: Money; date: SessionDate },
): Promise<void> {
  const where = { accountId_symbol: { accountId, symbol } };
  const position = await tx.position.findUnique({ where });
  if (!position) return;
  const price = (value: { toString(): string } | null) => (value === null ? null : nine(money(value).div(ratio)));
  const review = reviewOf(position);
  const rescaled = {
    ...review,
    ...(review.highestClose ? { highestClose: nine(money(review.highestClose).div(ratio)) } : {}),
    ...(review.entryAtr ? { entryAtr: review.entryAtr / ratio.toNumber() } : {}),
  };
  await tx.position.update({
    where,
    data: {
      qty,
      avgEntryPrice: avgPrice ?? "0",
      currentPrice: price(position.currentPrice),
      stopPrice: (await followsNewStop(tx, position, date)) ? position.stopPrice : price(position.stopPrice),
      targetPrice: price(position.targetPrice),
      review: rescaled as Prisma.InputJsonObject,
    },
  });
}

/** A level that follows a stop which was placed since the day of the split, before the split was listed, is in its prices already. */
async function followsNewStop(
  tx: Tx,
  { accountId, symbol, stopPrice }: Prisma.PositionGetPayload<object>,
  date: SessionDate,
): Promise<boolean> {
  if (stopPrice === null) return false;
  const submittedAt = { gte: new Date(newYorkInstant(date, 0, 0)) };
  const resting = {
    origin: "OURS",
    role: "STOP",
    side: "SELL",
    status: { in: [...WORKING_STATUSES] },
  } satisfies Prisma.OrderWhereInput;
  return (await tx.order.count({ where: { accountId, symbol, stopPrice, submittedAt, ...resting } })) > 0;
}
