import { applyFill } from "@/lib/domain/engine/apply-fill.ts";
import { type DecimalText, money, sum, text, type Money } from "@/lib/domain/money.ts";
import type { Fill, Order } from "../../core/row-types.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db.ts";
import { decimalText } from "../../rows.ts";
import { savePosition } from "./save-position.ts";
import { loadPositionBook, saveLots, saveRoundTrip } from "./position-book.ts";
import { type Opening, readOpening } from "./read-opening.ts";

/**
 * Takes a stored fill into the books: lots, round trip, position and figures, in the caller's transaction.
 * Not idempotent by itself: a fill is booked once, in the order of market time of its symbol.
 */
export async function postFill(
  context: Context,
  tx: Tx,
  fill: Fill,
  order: Order,
  { isFirstOfOrder }: { isFirstOfOrder: boolean },
): Promise<void> {
  const { accountId, symbol, side } = fill;
  const [qty, price, fees] = [decimalText(fill.qty), decimalText(fill.price), decimalText(fill.fees)];
  const at = fill.at.toISOString();
  const before = await loadPositionBook(tx, accountId, symbol);
  const { book, closures, trip, unmatchedQty } = applyFill(before, { id: fill.id, side, qty, price, fees, at });
  if (unmatchedQty !== "0") context.log.error("lots.oversold", { accountId, symbol, unmatchedQty });
  await saveLots(tx, accountId, before, book);
  const closed = closures.map((closure) => ({ ...closure, fillId: fill.id, at: fill.at }));
  await tx.lotClosure.createMany({ data: closed });
  const current = trip ?? book.trip;
  let read: Promise<Opening> | null = null;
  const opening = () => (read ??= readOpening(tx, order.intentId));
  if (current) await saveRoundTrip(tx, accountId, before, current, { opening, reason: order.reason });
  await savePosition(tx, accountId, book, opening, { price, at });
  await addFigures(tx, accountId, {
    realizedPnl: text(sum(closures.map(({ realizedPnl }) => money(realizedPnl)))),
    totalVolume: text(fillValue(fill)),
    tradeCount: isFirstOfOrder ? 1 : 0,
    winningTrips: trip?.outcome === "WIN" ? 1 : 0,
    losingTrips: trip?.outcome === "LOSS" ? 1 : 0,
    scratchTrips: trip?.outcome === "SCRATCH" ? 1 : 0,
    version: 1,
  });
}

/** Onto the account's figures, which begin at nothing. */
async function addFigures(tx: Tx, accountId: string, by: Record<string, DecimalText | number>): Promise<void> {
  const update = Object.fromEntries(Object.entries(by).map(([figure, increment]) => [figure, { increment }]));
  await tx.accountFigures.upsert({ where: { accountId }, create: { accountId, ...by }, update });
}

/** USD, in the places that are stored. */
export function fillValue(fill: Pick<Fill, "qty" | "price">): Money {
  return money(fill.qty).times(money(fill.price)).toDecimalPlaces(9);
}
