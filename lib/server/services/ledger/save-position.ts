import type { PositionBook } from "@/lib/domain/engine/apply-fill.ts";
import type { PositionReview } from "@/lib/domain/engine/plan.ts";
import { money, text, type DecimalText } from "@/lib/domain/money.ts";
import type { Instant } from "@/lib/domain/time.ts";
import { asJson } from "../../core/json.ts";
import type { Tx } from "../../db.ts";
import type { Opening } from "./read-opening.ts";

/** What the account holds of the symbol after a fill, with the plan's memory of it where the plan opened it, which is asked for then. */
export async function savePosition(
  tx: Tx,
  accountId: string,
  { symbol, qty, avgPrice }: PositionBook,
  opening: () => Promise<Opening>,
  fill: { price: DecimalText; at: Instant },
): Promise<void> {
  if (avgPrice === null) {
    await tx.position.deleteMany({ where: { accountId, symbol } });
    return;
  }
  const price = money(fill.price).isZero() ? await priceOfBefore(tx, accountId, symbol, avgPrice) : fill.price;
  const held = money(qty);
  const cost = held.times(avgPrice);
  const value = held.times(price);
  const facts = {
    qty,
    avgEntryPrice: avgPrice,
    currentPrice: price,
    marketValue: text(value.toDecimalPlaces(9)),
    unrealizedPnl: text(value.minus(cost).toDecimalPlaces(9)),
    unrealizedPnlPercent: cost.isZero() ? null : text(value.minus(cost).div(cost).toDecimalPlaces(9)),
  };
  const { count } = await tx.position.updateMany({ where: { accountId, symbol }, data: facts });
  if (count > 0) return;
  const { strategy, stopPrice, targetPrice, entryAtr } = await opening();
  const review = { highestClose: null, entryAtr, weakReviews: 0, belowTrend: 0, reviewedSession: null };
  const opened = {
    strategy,
    openedAt: new Date(fill.at),
    stopPrice,
    targetPrice,
    review: asJson(review satisfies PositionReview),
  };
  await tx.position.create({ data: { accountId, symbol, ...facts, ...opened } });
}

/** Shares that came or went for nothing say no price of those that are held. */
async function priceOfBefore(tx: Tx, accountId: string, symbol: string, avgPrice: DecimalText): Promise<DecimalText> {
  const position = await tx.position.findUnique({ where: { accountId_symbol: { accountId, symbol } } });
  return text((position?.currentPrice ?? avgPrice).toString());
}
