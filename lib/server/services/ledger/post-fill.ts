import { applyFill } from "@/lib/domain/engine/apply-fill.ts";
import { REGIMES } from "@/lib/domain/enums.ts";
import { type DecimalText, money, sum, text, type Money } from "@/lib/domain/money.ts";
import type { Fill, Intent, Order } from "../../core/row-types.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db.ts";
import { decimalText } from "../../rows.ts";
import { savePosition } from "./save-position.ts";
import { loadPositionBook, saveLots, saveRoundTrip, type TripLabels } from "./position-book.ts";

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
  const intent = order.intentId === null ? null : await tx.intent.findUnique({ where: { id: order.intentId } });
  const current = trip ?? book.trip;
  if (current)
    await saveRoundTrip(tx, accountId, symbol, current, await labelsOf(tx, order, intent, before.trip === null));
  await savePosition(tx, accountId, book, intent, { price, at });
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

/** Strategy and regime are those of the decision or the rotation plan that opened the trip. */
async function labelsOf(tx: Tx, order: Order, intent: Intent | null, isOpening: boolean): Promise<TripLabels> {
  const regime = isOpening && intent !== null ? await regimeOf(tx, intent) : null;
  return { opened: { strategy: intent?.strategy ?? null, regime }, reason: order.reason };
}

/** The regime that was decided in: it holds for the session, so it stands in the part of the snapshot that the session shares. */
async function regimeOf(tx: Tx, intent: Intent): Promise<TripLabels["opened"]["regime"]> {
  const snapshotId = await snapshotOf(tx, intent);
  if (snapshotId === null) return null;
  const rows = await tx.$queryRaw<{ label: string | null }[]>`
    select part."content" -> 'regime' ->> 'label' as label
    from "MarketSnapshot" moment
    join "MarketSnapshot" part on part."id" = moment."content" ->> 'sessionPart'
    where moment."id" = ${snapshotId}`;
  return REGIMES.find((label) => label === rows[0]?.label) ?? null;
}

/** The market as the decision or the rotation plan behind the intent saw it; null for an order by hand. */
async function snapshotOf(tx: Tx, { decisionId, rotationLegId, planId }: Intent): Promise<string | null> {
  const select = { snapshotId: true };
  const source =
    decisionId !== null
      ? await tx.decisionRecord.findUnique({ where: { id: decisionId }, select })
      : rotationLegId !== null
        ? await tx.rotationPlan.findUnique({ where: { id: planId }, select })
        : null;
  return source?.snapshotId ?? null;
}
