import { randomUUID } from "node:crypto";
import { cents, isDecimalText, money, type Money, ZERO } from "../../domain/money.ts";
import { lastPrice } from "./accounts.ts";
import { newActivity } from "./activities.ts";
import { cancelGroup } from "./brackets.ts";
import { applyDividend, applySplit } from "./corporate-actions.ts";
import { type ExchangeState, saveAccount, saveOrder, savePosition } from "./state.ts";
import { heldPosition } from "./positions.ts";
import { invalid } from "./refusal.ts";
import { setSymbolState } from "./symbols.ts";
import { type AccountState, isFinal } from "./types.ts";

/** A corporate action that the tape does not name and that the control API makes happen now. Amounts are exact text. */
export type CorporateAction =
  | { kind: "split"; symbol: string; ratio: string; paysFractions?: boolean | undefined }
  | { kind: "dividend"; symbol: string; amount: string }
  /** `ratio` new shares for each share held; `costShare` of the cost goes with them (0 to 1, default 0). */
  | { kind: "spin_off"; symbol: string; newSymbol: string; ratio: string; costShare?: string | undefined }
  | { kind: "cash_merger"; symbol: string; cash: string }
  /** `ratio` shares of the acquirer for each share held, and `cash` a share on top. */
  | { kind: "stock_merger"; symbol: string; newSymbol: string; ratio: string; cash?: string | undefined }
  | { kind: "name_change"; symbol: string; newSymbol: string };

interface Leg {
  type: "SPIN" | "MA" | "NC";
  subType?: string;
  group: string;
  description: string;
}

function recordActivity(
  state: ExchangeState,
  accountState: AccountState,
  leg: Leg,
  symbol: string,
  qty: Money,
  amount: Money,
): void {
  newActivity(state, accountState.account.id, state.view.moment().hours.date, {
    activity_type: leg.type,
    ...(leg.subType !== undefined && { activity_sub_type: leg.subType }),
    group_id: leg.group,
    net_amount: amount.toFixed(),
    symbol,
    qty: qty.toFixed(),
    description: leg.description,
  });
}

/** Removes a position, for cash; returns what it was. */
function remove(
  state: ExchangeState,
  accountState: AccountState,
  symbol: string,
  leg: Leg,
  cash: Money,
): { qty: Money; cost: Money } | null {
  for (const order of [...accountState.open]) if (order.symbol === symbol && !isFinal(order)) cancelGroup(state, order);
  const position = accountState.positions.get(symbol);
  if (position === undefined) return null;
  const { qty, cost } = position;
  const amount = cents(qty.times(cash));
  position.qty = ZERO;
  savePosition(state, position);
  accountState.account.cash = accountState.account.cash.plus(amount);
  saveAccount(state, accountState.account);
  recordActivity(state, accountState, leg, symbol, qty.negated(), amount);
  return { qty, cost };
}

/** Adds shares that came out of another position. A fraction of a share is paid in cash when the old shares were whole. */
function add(
  state: ExchangeState,
  accountState: AccountState,
  symbol: string,
  leg: Leg,
  qty: Money,
  cost: Money,
  isWhole: boolean,
): void {
  const whole = isWhole ? qty.trunc() : qty;
  const paid = cents(qty.minus(whole).times(lastPrice(state, symbol)));
  const position = heldPosition(state, accountState.account.id, symbol);
  const kept = qty.isZero() ? ZERO : cost.times(whole).div(qty).toDecimalPlaces(18);
  position.qty = position.qty.plus(whole);
  position.cost = position.cost.plus(kept);
  position.dayCost = position.dayCost.plus(kept);
  savePosition(state, position);
  accountState.account.cash = accountState.account.cash.plus(paid);
  saveAccount(state, accountState.account);
  recordActivity(state, accountState, leg, symbol, whole, paid);
}

function spinOff(
  state: ExchangeState,
  accountState: AccountState,
  action: CorporateAction & { kind: "spin_off" },
): void {
  const position = accountState.positions.get(action.symbol);
  if (position === undefined) return;
  const moved = position.cost.times(decimal(action.costShare ?? "0", "costShare")).toDecimalPlaces(18);
  const isWhole = position.qty.isInteger();
  position.cost = position.cost.minus(moved);
  savePosition(state, position);
  const description = `Spin-off: ${action.ratio} ${action.newSymbol} for each ${action.symbol}`;
  const qty = position.qty.times(action.ratio).toDecimalPlaces(9);
  add(state, accountState, action.newSymbol, { type: "SPIN", group: randomUUID(), description }, qty, moved, isWhole);
}

function merge(
  state: ExchangeState,
  accountState: AccountState,
  action: CorporateAction & { kind: "cash_merger" | "stock_merger" },
): void {
  const cash = decimal(action.cash ?? "0", "cash");
  const subType = action.kind === "cash_merger" ? "CMA" : cash.isZero() ? "SMA" : "SCMA";
  const description = `Merger: ${action.symbol} was acquired`;
  const leg: Leg = { type: "MA", subType, group: randomUUID(), description };
  const gone = remove(state, accountState, action.symbol, leg, cash);
  if (gone === null || action.kind === "cash_merger") return;
  const qty = gone.qty.times(action.ratio).toDecimalPlaces(9);
  add(state, accountState, action.newSymbol, leg, qty, gone.cost, gone.qty.isInteger());
}

/** The position and its orders live on under the new symbol. */
function rename(
  state: ExchangeState,
  accountState: AccountState,
  action: CorporateAction & { kind: "name_change" },
): void {
  const description = `Symbol change: ${action.symbol} became ${action.newSymbol}`;
  const leg: Leg = { type: "NC", subType: "SNC", group: randomUUID(), description };
  for (const order of [...accountState.open]) {
    if (order.symbol !== action.symbol) continue;
    const before = state.openBySymbol.get(order.symbol);
    before?.delete(order);
    order.symbol = action.newSymbol;
    order.updatedAt = state.stamp();
    const after = state.openBySymbol.get(order.symbol) ?? new Set();
    state.openBySymbol.set(order.symbol, after.add(order));
    saveOrder(state, order);
  }
  const position = accountState.positions.get(action.symbol);
  if (position === undefined) return;
  const { qty, cost } = position;
  position.qty = ZERO;
  savePosition(state, position);
  recordActivity(state, accountState, leg, action.symbol, qty.negated(), ZERO);
  add(state, accountState, action.newSymbol, leg, qty, cost, false);
}

function decimal(value: string, name: string): Money {
  if (!isDecimalText(value) || money(value).isNegative()) throw invalid(`invalid ${name}: ${value}`);
  return money(value);
}

function check(state: ExchangeState, action: CorporateAction): void {
  const symbols = "newSymbol" in action ? [action.symbol, action.newSymbol] : [action.symbol];
  for (const symbol of symbols) if (!state.market.assets.has(symbol)) throw invalid(`asset "${symbol}" not found`);
  if ("newSymbol" in action && action.newSymbol === action.symbol) throw invalid("newSymbol is the symbol itself");
  if ("ratio" in action && decimal(action.ratio, "ratio").isZero()) throw invalid("invalid ratio: 0");
  if ("amount" in action) decimal(action.amount, "amount");
  if ("cash" in action && action.cash !== undefined) decimal(action.cash, "cash");
  if (action.kind === "spin_off" && decimal(action.costShare ?? "0", "costShare").gt(1))
    throw invalid("invalid costShare: more than 1");
}

/**
 * Makes a corporate action happen now, for every account: positions, cash, open orders, activities. What is
 * acquired or renamed can no longer be traded under its old symbol. The caller commits the journal.
 */
export function applyCorporateAction(state: ExchangeState, action: CorporateAction): void {
  check(state, action);
  const { date } = state.view.moment().hours;
  for (const accountState of state.accounts.values()) {
    if (action.kind === "split") applySplit(state, accountState, { ...action, date }, action.paysFractions ?? false);
    else if (action.kind === "dividend") applyDividend(state, accountState, { ...action, date });
    else if (action.kind === "spin_off") spinOff(state, accountState, action);
    else if (action.kind === "name_change") rename(state, accountState, action);
    else merge(state, accountState, action);
  }
  if (action.kind === "cash_merger" || action.kind === "stock_merger" || action.kind === "name_change")
    setSymbolState(state, action.symbol, { status: "inactive", tradable: false });
}
