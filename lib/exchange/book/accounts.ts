import { randomBytes, randomUUID } from "node:crypto";
import { greatest, money, type Money, ZERO } from "../../domain/money.ts";
import { addActivity, addHolder, type Desk, saveAccount, takeSeq } from "./desk.ts";
import { activityId } from "./activities.ts";
import type { Holder, Order } from "./types.ts";
import { askOf } from "../market/view.ts";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

function letters(count: number): string {
  return Array.from(randomBytes(count), (byte) => LETTERS[byte % LETTERS.length]).join("");
}

export function createAccount(desk: Desk, input: { name?: string | undefined; cash?: string | undefined }): Holder {
  const cash = money(input.cash ?? "100000");
  const { hours } = desk.view.moment();
  const holder = addHolder(desk, {
    id: randomUUID(),
    accountNumber: `PA${letters(10)}`,
    name: input.name ?? "Practice account",
    keyId: `TP${letters(18)}`,
    secret: letters(40),
    cash,
    lastEquity: cash,
    createdAt: desk.stamp(),
    createdOn: hours.date,
    deposit: cash,
    configuration: {
      disable_overnight_trading: false,
      fractional_trading: true,
      max_margin_multiplier: "1",
      max_options_trading_level: 0,
      no_shorting: true,
      ptp_no_exception_entry: false,
      suspend_trade: false,
      trade_confirm_email: "none",
    },
  });
  saveAccount(desk, holder.account);
  const at = desk.stamp();
  addActivity(desk, {
    accountId: holder.account.id,
    seq: takeSeq(desk),
    date: hours.date,
    wire: {
      id: activityId(at),
      activity_type: "CSD",
      date: hours.date,
      net_amount: cash.toFixed(),
      status: "executed",
      description: "Opening deposit",
      created_at: at,
    },
  });
  return holder;
}

/** What an open buy order keeps back: its limit, or the ask with 3 % of room where it has none. */
export function reservedBy(desk: Desk, order: Order): Money {
  if (order.side !== "buy" || order.status === "held") return ZERO;
  if (order.notional !== null) return greatest(ZERO, order.notional.minus(order.filledCost));
  const left = (order.qty ?? ZERO).minus(order.filledQty);
  return left.times(reservePrice(desk, order));
}

export function reservePrice(desk: Desk, order: Pick<Order, "symbol" | "limitPrice" | "stopPrice">): Money {
  if (order.limitPrice !== null) return order.limitPrice;
  const basis = order.stopPrice ?? money(String(askOf(desk.view.last(order.symbol) ?? 0)));
  return basis.times("1.03").toDecimalPlaces(2, 0);
}

export function buyingPower(desk: Desk, holder: Holder): Money {
  let left = holder.account.cash;
  for (const order of holder.open) left = left.minus(reservedBy(desk, order));
  return greatest(ZERO, left);
}

/** The last price as exact decimals. */
export function lastPrice(desk: Desk, symbol: string): Money {
  return money(String(desk.view.last(symbol) ?? 0));
}

export function marketValue(desk: Desk, holder: Holder): Money {
  let total = ZERO;
  for (const position of holder.positions.values())
    total = total.plus(position.qty.times(lastPrice(desk, position.symbol)));
  return total;
}

export function equityOf(desk: Desk, holder: Holder): Money {
  return holder.account.cash.plus(marketValue(desk, holder));
}
