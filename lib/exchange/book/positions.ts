import { least, type Money, ZERO } from "../../domain/money.ts";
import { accountOf, saveAccount, savePosition, type ExchangeState } from "./state.ts";
import type { AccountState, Order, Position, PositionIntent, Side } from "./types.ts";

export function heldPosition(state: ExchangeState, accountId: string, symbol: string): Position {
  const known = accountOf(state, accountId).positions.get(symbol);
  return known ?? { accountId, symbol, qty: ZERO, cost: ZERO, dayCost: ZERO };
}

/** The part of a cost that belongs to what is left of a position. */
function kept(cost: Money, left: Money, before: Money): Money {
  return left.isZero() ? ZERO : cost.times(left).div(before).toDecimalPlaces(18);
}

/** Moves cash and shares for one execution; returns how the cost changed and whether the position grew. */
export function settle(
  state: ExchangeState,
  accountId: string,
  symbol: string,
  side: Side,
  qty: Money,
  price: Money,
): { costMoved: Money; isOpening: boolean } {
  const accountState = accountOf(state, accountId);
  const position = heldPosition(state, accountId, symbol);
  const change = side === "buy" ? qty : qty.negated();
  const amount = change.times(price);
  const isOpening = position.qty.isZero() || position.qty.isNegative() === change.isNegative();
  const before = position.cost;
  const left = position.qty.plus(change);
  if (isOpening) {
    position.cost = position.cost.plus(amount);
    position.dayCost = position.dayCost.plus(amount);
  } else {
    if (!left.isZero() && left.isNegative() !== position.qty.isNegative())
      throw new Error(`${symbol} would turn from ${position.qty.toFixed()} to ${left.toFixed()}`);
    position.cost = kept(position.cost, left, position.qty);
    position.dayCost = kept(position.dayCost, left, position.qty);
  }
  const costMoved = position.cost.minus(before);
  position.qty = left;
  accountState.account.cash = accountState.account.cash.minus(amount);
  savePosition(state, position);
  saveAccount(state, accountState.account);
  return { costMoved, isOpening };
}

/** What an order does to the position as it stands. */
export function intentOf(accountState: AccountState, symbol: string, side: Side): PositionIntent {
  const qty = accountState.positions.get(symbol)?.qty ?? ZERO;
  if (side === "buy") return qty.isNegative() ? "buy_to_close" : "buy_to_open";
  return qty.isZero() || qty.isNegative() ? "sell_to_open" : "sell_to_close";
}

export function isClosing({ intent }: Pick<Order, "intent">): boolean {
  return intent === "sell_to_close" || intent === "buy_to_close";
}

/** What there is for a closing order to close; not above zero where the position is on the order's own side. */
export function closableBy(accountState: AccountState, { symbol, side }: Pick<Order, "symbol" | "side">): Money {
  const qty = accountState.positions.get(symbol)?.qty ?? ZERO;
  return side === "sell" ? qty : qty.negated();
}

/** The open exits of a position; those that wait for their entry hold nothing yet. */
export function openExits(accountState: AccountState, symbol: string): Order[] {
  return [...accountState.open].filter(
    (order) => order.symbol === symbol && isClosing(order) && order.status !== "held",
  );
}

/** Shares kept back by open exits, never more than there are; a pair of exits holds the shares once. */
export function heldQty(state: ExchangeState, accountState: AccountState, symbol: string, except?: string): Money {
  const existing = (accountState.positions.get(symbol)?.qty ?? ZERO).abs();
  const byGroup = new Map<string, Money>();
  for (const order of openExits(accountState, symbol)) {
    const group = order.parentId ?? order.id;
    if (group === except || order.id === except) continue;
    const left = leftOf(state, order);
    const known = byGroup.get(group);
    if (known === undefined || left.gt(known)) byGroup.set(group, left);
  }
  let total = ZERO;
  for (const qty of byGroup.values()) total = total.plus(qty);
  return least(total, existing);
}

/** What is left of an order in shares; an amount of money is counted at the last price. */
function leftOf(state: ExchangeState, order: Order): Money {
  if (order.qty !== null) return order.qty.minus(order.filledQty);
  const price = state.view.last(order.symbol) ?? 0;
  if (price === 0 || order.notional === null) return ZERO;
  return order.notional.minus(order.filledCost).div(String(price)).toDecimalPlaces(9, "up");
}
