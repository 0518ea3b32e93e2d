import type { PositionBook } from "@/lib/domain/engine/apply-fill.ts";
import type { PositionReview } from "@/lib/domain/engine/plan.ts";
import { money, text, type DecimalText } from "@/lib/domain/money.ts";
import type { Instant } from "@/lib/domain/time.ts";
import { asJson, planOf } from "../../core/json.ts";
import type { Intent } from "../../core/row-types.ts";
import type { Tx } from "../../db.ts";

/** What the account holds of the symbol after a fill, with the plan's memory of it where the plan opened it. */
export async function savePosition(
  tx: Tx,
  accountId: string,
  { symbol, qty, avgPrice }: PositionBook,
  intent: Intent | null,
  fill: { price: DecimalText; at: Instant },
): Promise<void> {
  const where = { accountId_symbol: { accountId, symbol } };
  if (avgPrice === null) {
    await tx.position.deleteMany({ where: { accountId, symbol } });
    return;
  }
  const held = money(qty);
  const cost = held.times(avgPrice);
  const value = held.times(fill.price);
  const facts = {
    qty,
    avgEntryPrice: avgPrice,
    currentPrice: fill.price,
    marketValue: text(value.toDecimalPlaces(9)),
    unrealizedPnl: text(value.minus(cost).toDecimalPlaces(9)),
    unrealizedPnlPercent: cost.isZero() ? null : text(value.minus(cost).div(cost).toDecimalPlaces(9)),
  };
  if (await tx.position.findUnique({ where, select: { symbol: true } })) {
    await tx.position.update({ where, data: facts });
    return;
  }
  const opened = {
    strategy: intent?.strategy ?? null,
    openedAt: new Date(fill.at),
    stopPrice: intent?.stopLossPrice ?? null,
    targetPrice: intent?.takeProfitPrice ?? null,
    review: asJson(await firstReview(tx, intent)),
  };
  await tx.position.create({ data: { accountId, symbol, ...facts, ...opened } });
}

/** The memory of a new position: the volatility that its size and stop were made from. */
async function firstReview(tx: Tx, intent: Intent | null): Promise<PositionReview> {
  const entryAtr = intent === null ? null : (intent.atr ?? (await plannedAtr(tx, intent)));
  return { highestClose: null, entryAtr, weakReviews: 0, belowTrend: 0, reviewedSession: null };
}

/** Intents recorded before they kept the ATR themselves have it in their decision. */
async function plannedAtr(tx: Tx, { decisionId, leg }: Intent): Promise<number | null> {
  if (decisionId === null) return null;
  const decision = await tx.decisionRecord.findUnique({ where: { id: decisionId }, select: { plan: true } });
  const order = decision ? planOf(decision).orders.find((one) => one.leg === leg) : undefined;
  return order?.atr ?? null;
}
