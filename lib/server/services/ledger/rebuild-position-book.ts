import { money, sum, text } from "@/lib/domain/money.ts";
import { byText } from "@/lib/domain/text-order.ts";
import { newYorkInstant } from "@/lib/domain/time.ts";
import type { Fill, Order } from "../../core/row-types.ts";
import type { Context } from "../../context.ts";
import type { Prisma, Tx } from "../../db.ts";
import { sessionOf } from "../../rows.ts";
import { rescaleBook } from "./rescale-book.ts";
import { postFill, fillValue } from "./post-fill.ts";
import { postCostTransfer, isCostTransfer } from "./post-cost-transfer.ts";

/**
 * Makes the books of one symbol anew from its fills and splits, in the caller's transaction: lots, closures,
 * round trips, position and figures come out as if everything had been reported in the order of market time.
 * `change` alters the fills in between (a correction); without one, fills that came out of order fall into place.
 * The plan's memory of the position stays where the same round trip is still open.
 */
export async function rebuildPositionBook(
  context: Context,
  tx: Tx,
  accountId: string,
  symbol: string,
  change: () => Promise<unknown> = () => Promise.resolve(),
): Promise<void> {
  const where = { accountId, symbol };
  const position = await tx.position.findUnique({ where: { accountId_symbol: where } });
  await subtractFromFigures(tx, accountId, symbol);
  await tx.lot.deleteMany({ where });
  await tx.roundTrip.deleteMany({ where });
  await tx.position.deleteMany({ where });
  await change();

  const fills = inMarketOrder(await tx.fill.findMany({ where, include: { order: true } }));
  const splits = await tx.appliedCorporateAction.findMany({
    where,
    // The legs of a split are one; what else happened on its day is another.
    distinct: ["exDate", "kind"],
    orderBy: [{ exDate: "asc" }, { appliedAt: "asc" }],
  });
  const seenOrders = new Set<string>();
  for (const { order, ...fill } of fills) {
    while (splits[0] && fill.at >= startOf(splits[0])) await replayCorporateAction(tx, splits.shift());
    await postFill(context, tx, fill, order, { isFirstOfOrder: !seenOrders.has(order.id) });
    seenOrders.add(order.id);
  }
  for (const split of splits) await replayCorporateAction(tx, split);
  if (position) await restoreReview(tx, position);
}

/** What this symbol has put into the account's figures. */
async function subtractFromFigures(tx: Tx, accountId: string, symbol: string): Promise<void> {
  const [closures, fills, trips] = await Promise.all([
    tx.lotClosure.findMany({ where: { lot: { accountId, symbol } }, select: { realizedPnl: true } }),
    tx.fill.findMany({ where: { accountId, symbol }, select: { qty: true, price: true, orderId: true } }),
    tx.roundTrip.groupBy({ by: ["outcome"], where: { accountId, symbol, closedAt: { not: null } }, _count: true }),
  ]);
  const tripsOf = (outcome: string) => trips.find((group) => group.outcome === outcome)?._count ?? 0;
  await tx.accountFigures.upsert({ where: { accountId }, create: { accountId }, update: {} });
  await tx.accountFigures.update({
    where: { accountId },
    data: {
      realizedPnl: { decrement: text(sum(closures.map(({ realizedPnl }) => money(realizedPnl)))) },
      totalVolume: { decrement: text(sum(fills.map(fillValue))) },
      tradeCount: { decrement: new Set(fills.map(({ orderId }) => orderId)).size },
      winningTrips: { decrement: tripsOf("WIN") },
      losingTrips: { decrement: tripsOf("LOSS") },
      scratchTrips: { decrement: tripsOf("SCRATCH") },
    },
  });
}

/** By time; executions of one order within one millisecond by their cumulative quantity. */
function inMarketOrder<T extends Fill & { order: Order }>(fills: T[]): T[] {
  const cumulative = ({ executionId }: Fill) => money(executionId.slice(executionId.lastIndexOf(":") + 1));
  return fills.sort(
    (a, b) =>
      a.at.getTime() - b.at.getTime() ||
      a.order.submittedAt.getTime() - b.order.submittedAt.getTime() ||
      byText(a.orderId, b.orderId) ||
      cumulative(a).cmp(cumulative(b)),
  );
}

type Split = Prisma.AppliedCorporateActionGetPayload<object>;

const startOf = ({ exDate }: Split) => new Date(newYorkInstant(sessionOf(exDate), 0, 0));

/** Cost is moved exactly where the quantity held is the same as then, and by the ratio where a correction changed it. */
async function replayCorporateAction(tx: Tx, split: Split | undefined): Promise<void> {
  if (!split) return;
  if (isCostTransfer(split)) return postCostTransfer(tx, split);
  const { accountId, symbol, exDate, qtyBefore, qtyAfter, ratio } = split;
  await rescaleBook(tx, accountId, symbol, sessionOf(exDate), (held) => ({
    total: held.eq(money(qtyBefore)) ? money(qtyAfter) : held.times(money(ratio)).toDecimalPlaces(9),
  }));
}

async function restoreReview(tx: Tx, known: Prisma.PositionGetPayload<object>): Promise<void> {
  const { accountId, symbol, openedAt, strategy, stopPrice, targetPrice, currentPrice } = known;
  // A price that was read since the last fill is the better one, whatever became of the quantity.
  const position = await tx.position.findUnique({ where: { accountId_symbol: { accountId, symbol } } });
  if (!position) return;
  const price = money(currentPrice ?? position.avgEntryPrice);
  const held = money(position.qty);
  const cost = held.times(money(position.avgEntryPrice));
  const value = held.times(price);
  const isSameTrip = position.openedAt.getTime() === openedAt.getTime();
  await tx.position.update({
    where: { accountId_symbol: { accountId, symbol } },
    data: {
      currentPrice: text(price),
      marketValue: text(value.toDecimalPlaces(9)),
      unrealizedPnl: text(value.minus(cost).toDecimalPlaces(9)),
      unrealizedPnlPercent: cost.isZero() ? null : text(value.minus(cost).div(cost).toDecimalPlaces(9)),
      ...(isSameTrip ? { strategy, stopPrice, targetPrice, review: known.review as Prisma.InputJsonValue } : {}),
    },
  });
}
