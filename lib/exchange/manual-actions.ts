import { isDecimalText, money, ZERO } from "../domain/money.ts";
import { activityId } from "./book/activities.ts";
import { addActivity, type ExchangeState, saveAccount, savePosition, takeSeq } from "./book/state.ts";
import { readOrderRequest } from "./book/order-request.ts";
import { cancelOrder, placeOrder } from "./book/orders.ts";
import { invalid, notFound } from "./book/refusal.ts";
import { replaceOrder } from "./book/replace.ts";
import type { AccountState, Order } from "./book/types.ts";

/** Money that comes or goes without a trade: a deposit (CSD), a withdrawal (CSW), a dividend, interest, a fee, a journal. */
export interface CashMove {
  /** Signed: what the cash changes by. */
  amount: string;
  activity_type?: "CSD" | "CSW" | "DIV" | "INT" | "FEE" | "JNLC" | undefined;
  symbol?: string | undefined;
  description?: string | undefined;
}

/** Shares that come or go without a trade; they come at a price, which becomes their cost. */
export interface SharesMove {
  symbol: string;
  /** Signed. */
  qty: string;
  price?: string | undefined;
  description?: string | undefined;
}

function decimal(value: string, name: string) {
  if (!isDecimalText(value) || money(value).isZero()) throw invalid(`invalid ${name}: ${value}`);
  return money(value);
}

function note(
  state: ExchangeState,
  accountState: AccountState,
  wire: Record<string, string> & { activity_type: string },
): void {
  const { date } = state.view.moment().hours;
  const at = state.stamp();
  addActivity(state, {
    accountId: accountState.account.id,
    seq: takeSeq(state),
    date,
    wire: { id: activityId(at), date, status: "executed", created_at: at, ...wire },
  });
}

function moveCash(state: ExchangeState, accountState: AccountState, move: CashMove): void {
  const amount = decimal(move.amount, "amount");
  const { account } = accountState;
  account.cash = account.cash.plus(amount);
  const type = move.activity_type ?? (amount.isNegative() ? "CSW" : "CSD");
  if (type === "CSD" || type === "CSW") account.deposit = account.deposit.plus(amount);
  saveAccount(state, account);
  note(state, accountState, {
    activity_type: type,
    net_amount: amount.toFixed(),
    ...(move.symbol !== undefined && { symbol: move.symbol }),
    description: move.description ?? "From outside",
  });
}

function moveShares(state: ExchangeState, accountState: AccountState, move: SharesMove): void {
  const { symbol } = move;
  if (!state.market.assets.has(symbol)) throw invalid(`invalid symbol: ${symbol}`);
  const qty = decimal(move.qty, "qty");
  const price = move.price === undefined ? money(String(state.view.last(symbol) ?? 0)) : decimal(move.price, "price");
  const accountId = accountState.account.id;
  const held = accountState.positions.get(symbol) ?? { accountId, symbol, qty: ZERO, cost: ZERO, dayCost: ZERO };
  const left = held.qty.plus(qty);
  if (left.isNegative()) throw invalid("there are not that many shares");
  const scale = held.qty.isZero() ? ZERO : left.div(held.qty);
  const cost = (before: typeof ZERO) =>
    qty.isNegative() ? before.times(scale).toDecimalPlaces(18) : before.plus(qty.times(price));
  savePosition(state, { ...held, qty: left, cost: cost(held.cost), dayCost: cost(held.dayCost) });
  note(state, accountState, {
    activity_type: "JNLS",
    symbol,
    qty: qty.toFixed(),
    price: price.toFixed(),
    net_amount: "0",
    description: move.description ?? "From outside",
  });
}

/** What the owner of an account does by hand, or what happens to it from outside. Nothing of it passes the product. */
export function createManualActions(state: ExchangeState) {
  function accountByNumber(accountNumber: string): AccountState {
    for (const accountState of state.accounts.values())
      if (accountState.account.accountNumber === accountNumber || accountState.account.id === accountNumber)
        return accountState;
    throw notFound("no such account");
  }
  function orderNamed(id: string): Order {
    const order = state.orders.get(id);
    if (order === undefined) throw notFound(`order not found for ${id}`);
    return order;
  }
  return {
    /** The body of POST /v2/orders. */
    async placeOrder(accountNumber: string, body: unknown): Promise<Record<string, unknown>> {
      const reply = placeOrder(state, accountByNumber(accountNumber), readOrderRequest(body));
      await state.journal.commit();
      return reply;
    },
    async cancelOrder(id: string): Promise<void> {
      cancelOrder(state, orderNamed(id));
      await state.journal.commit();
    },
    /** The body of PATCH /v2/orders/{id}. */
    async replaceOrder(id: string, body: Record<string, unknown>): Promise<Record<string, unknown>> {
      const order = orderNamed(id);
      const reply = replaceOrder(state, accountByNumber(order.accountId), order, body);
      await state.journal.commit();
      return reply;
    },
    async moveCash(accountNumber: string, move: CashMove): Promise<void> {
      moveCash(state, accountByNumber(accountNumber), move);
      await state.journal.commit();
    },
    async moveShares(accountNumber: string, move: SharesMove): Promise<void> {
      moveShares(state, accountByNumber(accountNumber), move);
      await state.journal.commit();
    },
  };
}

export type ManualActions = ReturnType<typeof createManualActions>;
