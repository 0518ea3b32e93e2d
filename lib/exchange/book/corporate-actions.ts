import { cents, type Money, money, ZERO } from "../../domain/money.ts";
import type { SessionDate } from "../../domain/time.ts";
import type { Dividend, Split } from "../market/source.ts";
import { lastPrice } from "./accounts.ts";
import { newActivity } from "./activities.ts";
import { replacedBefore } from "./brackets.ts";
import { type ExchangeState, saveAccount, saveOrder, savePosition } from "./state.ts";
import { emit } from "./events.ts";
import type { AccountState, Order } from "./types.ts";

function splitPrice(price: Money | null, ratio: Money): Money | null {
  if (price === null) return null;
  const moved = price.div(ratio);
  return moved.toDecimalPlaces(moved.gte(1) ? 2 : 4);
}

function splitOrder(state: ExchangeState, order: Order, ratio: Money): void {
  if (order.qty !== null) order.qty = order.qty.times(ratio).toDecimalPlaces(9);
  order.filledQty = order.filledQty.times(ratio).toDecimalPlaces(9);
  order.limitPrice = splitPrice(order.limitPrice, ratio);
  order.stopPrice = splitPrice(order.stopPrice, ratio);
  order.trailPrice = splitPrice(order.trailPrice, ratio);
  order.hwm = splitPrice(order.hwm, ratio);
  order.updatedAt = state.stamp();
  saveOrder(state, order);
  emit(state, order, "restated", order.updatedAt);
  for (const earlier of replacedBefore(state, order)) {
    earlier.splitSince = earlier.splitSince.times(ratio);
    saveOrder(state, earlier);
  }
}

/**
 * Multiplies a position and its open orders. Where fractions are paid out, what is beyond whole shares leaves as
 * cash at the price after the split.
 */
export function applySplit(
  state: ExchangeState,
  accountState: AccountState,
  split: Split,
  paysFractions: boolean,
): void {
  const ratio = money(split.ratio);
  const position = accountState.positions.get(split.symbol);
  if (position !== undefined) {
    const before = position.qty;
    const exact = before.times(ratio).toDecimalPlaces(9);
    const isPaid = paysFractions && before.isInteger() && !exact.isInteger();
    const after = isPaid ? exact.trunc() : exact;
    const paid = isPaid ? cents(exact.minus(after).times(lastPrice(state, split.symbol))) : ZERO;
    if (isPaid) position.cost = position.cost.times(after).div(exact).toDecimalPlaces(18);
    position.qty = after;
    accountState.account.cash = accountState.account.cash.plus(paid);
    savePosition(state, position);
    saveAccount(state, accountState.account);
    newActivity(state, accountState.account.id, split.date, {
      activity_type: "SPLIT",
      activity_sub_type: ratio.gte(1) ? "FSPLIT" : "RSPLIT",
      net_amount: paid.toFixed(),
      symbol: split.symbol,
      qty: after.minus(before).toFixed(),
      per_share_amount: "0",
      description: `Split ${split.ratio} for 1: ${before.toFixed()} shares became ${after.toFixed()}${isPaid ? ", the fraction was paid in cash" : ""}`,
    });
  }
  for (const order of [...accountState.open]) if (order.symbol === split.symbol) splitOrder(state, order, ratio);
}

/** Pays a dividend to who holds the share, and takes it from who is short of it. */
export function applyDividend(state: ExchangeState, accountState: AccountState, dividend: Dividend): void {
  const position = accountState.positions.get(dividend.symbol);
  if (position === undefined) return;
  const amount = cents(position.qty.times(money(dividend.amount)));
  if (amount.isZero()) return;
  const isShort = amount.isNegative();
  accountState.account.cash = accountState.account.cash.plus(amount);
  saveAccount(state, accountState.account);
  newActivity(state, accountState.account.id, dividend.date, {
    activity_type: "DIV",
    activity_sub_type: isShort ? "SPD" : "CDIV",
    net_amount: amount.toFixed(),
    symbol: dividend.symbol,
    qty: position.qty.toFixed(),
    per_share_amount: money(dividend.amount).toFixed(),
    description: `Cash dividend of ${dividend.amount} USD a share${isShort ? ", owed on shares sold short" : ""}`,
  });
}

/** Splits and dividends of a session's morning. A split comes first: a dividend of the same day is an amount for each new share. */
export function applyMarketActions(state: ExchangeState, date: SessionDate): void {
  const dividends = state.market.dividends.filter((dividend) => dividend.date === date);
  const splits = state.market.splits.filter((split) => split.date === date);
  for (const accountState of state.accounts.values()) {
    for (const split of splits) applySplit(state, accountState, split, false);
    for (const dividend of dividends) applyDividend(state, accountState, dividend);
  }
}
