import { cents, type Money, money } from "../../domain/money.ts";
import type { Dividend, Split } from "../market/source.ts";
import { activityId } from "./activities.ts";
import { addActivity, type Desk, saveAccount, saveOrder, savePosition, takeSeq } from "./desk.ts";
import { emit } from "./events.ts";
import type { Holder, Order } from "./types.ts";

function splitPrice(price: Money | null, ratio: Money): Money | null {
  if (price === null) return null;
  const moved = price.div(ratio);
  return moved.toDecimalPlaces(moved.gte(1) ? 2 : 4);
}

function splitOrder(desk: Desk, order: Order, ratio: Money): void {
  if (order.qty !== null) order.qty = order.qty.times(ratio).toDecimalPlaces(9);
  order.filledQty = order.filledQty.times(ratio).toDecimalPlaces(9);
  order.limitPrice = splitPrice(order.limitPrice, ratio);
  order.stopPrice = splitPrice(order.stopPrice, ratio);
  order.updatedAt = desk.stamp();
  saveOrder(desk, order);
  emit(desk, order, "restated", order.updatedAt);
}

function applySplit(desk: Desk, holder: Holder, split: Split): void {
  const ratio = money(split.ratio);
  const position = holder.positions.get(split.symbol);
  if (position !== undefined) {
    const before = position.qty;
    position.qty = before.times(ratio).toDecimalPlaces(9);
    savePosition(desk, position);
    const at = desk.stamp();
    addActivity(desk, {
      accountId: holder.account.id,
      seq: takeSeq(desk),
      date: split.date,
      wire: {
        id: activityId(at),
        activity_type: "SPLIT",
        date: split.date,
        net_amount: "0",
        symbol: split.symbol,
        qty: position.qty.minus(before).toFixed(),
        per_share_amount: "0",
        status: "executed",
        description: `Split ${split.ratio} for 1: ${before.toFixed()} shares became ${position.qty.toFixed()}`,
        created_at: at,
      },
    });
  }
  for (const order of [...holder.open]) if (order.symbol === split.symbol) splitOrder(desk, order, ratio);
}

function applyDividend(desk: Desk, holder: Holder, dividend: Dividend): void {
  const position = holder.positions.get(dividend.symbol);
  if (position === undefined) return;
  const amount = cents(position.qty.times(money(dividend.amount)));
  if (amount.isZero()) return;
  holder.account.cash = holder.account.cash.plus(amount);
  saveAccount(desk, holder.account);
  const at = desk.stamp();
  addActivity(desk, {
    accountId: holder.account.id,
    seq: takeSeq(desk),
    date: dividend.date,
    wire: {
      id: activityId(at),
      activity_type: "DIV",
      date: dividend.date,
      net_amount: amount.toFixed(),
      symbol: dividend.symbol,
      qty: position.qty.toFixed(),
      per_share_amount: money(dividend.amount).toFixed(),
      status: "executed",
      description: `Cash dividend of ${dividend.amount} USD a share`,
      created_at: at,
    },
  });
}

/** Splits and dividends of a session's morning. Dividends are paid on the shares held before a split of the same day. */
export function applyCorporateActions(desk: Desk, date: string): void {
  const dividends = desk.market.dividends.filter((dividend) => dividend.date === date);
  const splits = desk.market.splits.filter((split) => split.date === date);
  for (const holder of desk.holders.values()) {
    for (const dividend of dividends) applyDividend(desk, holder, dividend);
    for (const split of splits) applySplit(desk, holder, split);
  }
}
