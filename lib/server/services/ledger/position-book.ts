import type { BookLot, ClosedTrip, PositionBook, TripSoFar } from "@/lib/domain/engine/apply-fill.ts";
import { averageCost, lotsQty } from "@/lib/domain/lots.ts";
import { money, text } from "@/lib/domain/money.ts";
import type { Db, Tx } from "../../db.ts";
import { decimalText } from "../../rows.ts";
import { NO_OPENING, type Opening } from "./read-opening.ts";

/** The book of one symbol of an account as the domain keeps it: open lots in order, and the open round trip. */
export async function loadPositionBook(tx: Db | Tx, accountId: string, symbol: string): Promise<PositionBook> {
  const rows = await tx.lot.findMany({
    where: { accountId, symbol, qtyRemaining: { gt: 0 } },
    orderBy: { sequence: "asc" },
  });
  const lots = rows.map((row): BookLot => ({
    id: row.id,
    qtyOpened: decimalText(row.qtyOpened),
    qtyRemaining: decimalText(row.qtyRemaining),
    costPrice: decimalText(row.costPrice),
    feesRemaining: decimalText(row.feesRemaining),
    openedAt: row.openedAt.toISOString(),
    sequence: Number(row.sequence),
  }));
  const trip = await tx.roundTrip.findFirst({ where: { accountId, symbol, closedAt: null } });
  return {
    ...withTotals(symbol, lots),
    trip: trip && {
      openedAt: trip.openedAt.toISOString(),
      qtyBought: decimalText(trip.qtyBought),
      qtySold: decimalText(trip.qtySold),
      entryValue: decimalText(trip.entryValue),
      exitValue: decimalText(trip.exitValue),
      fees: decimalText(trip.fees),
      pnl: decimalText(trip.pnl),
    },
  };
}

/** A book around these lots, without a round trip. */
export function withTotals(symbol: string, lots: BookLot[]): PositionBook {
  const exact = lots.map((lot) => ({
    ...lot,
    qtyOpened: money(lot.qtyOpened),
    qtyRemaining: money(lot.qtyRemaining),
    costPrice: money(lot.costPrice),
    feesRemaining: money(lot.feesRemaining),
  }));
  const average = averageCost(exact);
  return {
    symbol,
    qty: text(lotsQty(exact)),
    avgPrice: average === null ? null : text(average),
    lots,
    nextSequence: Math.max(0, ...lots.map(({ sequence }) => sequence)) + 1,
    trip: null,
  };
}

/** Writes what changed between two states of a book's lots. A new lot has the id of the fill that opened it. */
export async function saveLots(tx: Tx, accountId: string, before: PositionBook, after: PositionBook): Promise<void> {
  const known = new Map(before.lots.map((lot) => [lot.id, lot]));
  const left = new Map(after.lots.map((lot) => [lot.id, lot]));
  for (const { id } of before.lots)
    if (!left.has(id)) await tx.lot.update({ where: { id }, data: { qtyRemaining: "0", feesRemaining: "0" } });
  for (const lot of after.lots) {
    const { id, qtyOpened, qtyRemaining, costPrice, feesRemaining, openedAt } = lot;
    const was = known.get(id);
    const figures = { qtyOpened, qtyRemaining, costPrice, feesRemaining };
    if (!was)
      await tx.lot.create({
        data: { id, accountId, symbol: after.symbol, openFillId: id, openedAt: new Date(openedAt), ...figures },
      });
    else if (was.qtyRemaining !== qtyRemaining || was.costPrice !== costPrice)
      await tx.lot.update({ where: { id }, data: figures });
  }
}

/** What stands in a round trip besides its figures: from the order that opened it and the one that closed it. */
export interface TripLabels {
  /** Asked for where the trip begins. */
  opening: () => Promise<Opening>;
  reason: string | null;
}

/** Of what no order opened or closed. */
export const NO_LABELS: TripLabels = { opening: () => Promise.resolve(NO_OPENING), reason: null };

/** Writes the trip as it is now; `before`: the book that it comes from, with the trip that was open then. */
export async function saveRoundTrip(
  tx: Tx,
  accountId: string,
  { symbol, trip: open }: Pick<PositionBook, "symbol" | "trip">,
  trip: TripSoFar | ClosedTrip,
  { opening, reason }: TripLabels,
): Promise<void> {
  const { qtyBought, qtySold, entryValue, exitValue, fees, pnl } = trip;
  const figures = { qtyBought, qtySold, entryValue, exitValue, fees, pnl };
  const end =
    "closedAt" in trip ? { closedAt: new Date(trip.closedAt), outcome: trip.outcome, exitReason: reason } : {};
  if (open !== null) {
    await tx.roundTrip.updateMany({ where: { accountId, symbol, closedAt: null }, data: { ...figures, ...end } });
    return;
  }
  const { strategy, regime } = await opening();
  await tx.roundTrip.create({
    data: {
      accountId,
      symbol,
      openedAt: new Date(trip.openedAt),
      strategy,
      regime,
      entryReason: reason,
      ...figures,
      ...end,
    },
  });
}
