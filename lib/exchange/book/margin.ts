import { greatest, least, money, type Money, ZERO } from "../../domain/money.ts";
import { askOf } from "../market/view.ts";
import { equityOf, lastPrice, marketValues } from "./accounts.ts";
import type { ExchangeState } from "./state.ts";
import type { AccountState, Order, Position } from "./types.ts";

/** Regulation T: less equity than this and nothing is lent. */
const MARGIN_EQUITY_MIN = money(2_000);
/** Under the day-trading rule from before June 2026 four times needed this much. */
const DAY_TRADER_EQUITY_MIN = money(25_000);

/** How much the account may hold for each dollar of its own: 1, 2 or 4, by its equity at the last close. */
export function multiplierOf(accountState: AccountState): 1 | 2 | 4 {
  const { isMargin, isLegacy, lastEquity, configuration } = accountState.account;
  if (!isMargin || lastEquity.lt(MARGIN_EQUITY_MIN)) return 1;
  const allowed = isLegacy && lastEquity.lt(DAY_TRADER_EQUITY_MIN) ? 2 : 4;
  return Math.min(allowed, Number(configuration.max_margin_multiplier)) as 1 | 2 | 4;
}

/** Shares sold short are borrowed, which takes a margin account with a multiplier above 1. */
export function mayShort(accountState: AccountState): boolean {
  return multiplierOf(accountState) > 1 && !accountState.account.configuration.no_shorting;
}

/**
 * The broker's maintenance requirement: longs 30 % of their value, all of it under 2.50 USD; shorts 30 % or
 * 5 USD a share, under 5 USD all of it or 2.50 a share, whichever is more.
 */
function maintenanceOf(state: ExchangeState, position: Position): Money {
  const price = lastPrice(state, position.symbol);
  const shares = position.qty.abs();
  const value = shares.times(price);
  if (!position.qty.isNegative()) return price.lt("2.5") ? value : value.times("0.3");
  return price.lt(5) ? greatest(value, shares.times("2.5")) : greatest(value.times("0.3"), shares.times(5));
}

export interface Margins {
  equity: Money;
  initial: Money;
  maintenance: Money;
}

/** What the positions require: half of their value to open and the maintenance to keep; a cash account pays in full. */
export function marginsOf(state: ExchangeState, accountState: AccountState): Margins {
  const { long, short } = marketValues(state, accountState);
  const equity = equityOf(state, accountState);
  if (!accountState.account.isMargin) return { equity, initial: long, maintenance: ZERO };
  let maintenance = ZERO;
  for (const position of accountState.positions.values())
    maintenance = maintenance.plus(maintenanceOf(state, position));
  return { equity, initial: long.minus(short).div(2), maintenance };
}

/** The part of a stop's price that a triggered stop buy may pay on top: it becomes a stop-limit with this band. */
export function stopBuyLimit(stopPrice: Money): Money {
  return stopPrice.times(stopPrice.lt(50) ? "1.04" : "1.025").toDecimalPlaces(stopPrice.gte(1) ? 2 : 4, "up");
}

type Priced = Pick<Order, "symbol" | "side" | "type" | "limitPrice" | "stopPrice" | "trailPrice" | "trailPercent">;

/** What a share of an opening order may cost: its limit, or the ask (a stop's price) with 3 % of room where it has none. */
export function reservePrice(state: ExchangeState, order: Priced): Money {
  const ask = money(String(askOf(state.view.last(order.symbol) ?? 0)));
  const withRoom = (price: Money) => price.times("1.03").toDecimalPlaces(2, "up");
  if (order.side === "sell") return greatest(order.limitPrice ?? ZERO, withRoom(ask));
  if (order.limitPrice !== null) return order.limitPrice;
  if (order.type === "stop" && order.stopPrice !== null) return stopBuyLimit(order.stopPrice);
  const trail = order.trailPrice ?? (order.trailPercent === null ? ZERO : ask.times(order.trailPercent).div(100));
  return withRoom(order.stopPrice ?? ask.plus(trail));
}

/** What an open order that opens or enlarges a position keeps back. Exits keep shares back, not money. */
export function reservedBy(state: ExchangeState, order: Order): Money {
  if (order.status === "held" || order.intent === "sell_to_close" || order.intent === "buy_to_close") return ZERO;
  if (order.notional !== null) return greatest(ZERO, order.notional.minus(order.filledCost));
  return (order.qty ?? ZERO).minus(order.filledQty).times(reservePrice(state, order));
}

function reservedIn(state: ExchangeState, accountState: AccountState): Money {
  let total = ZERO;
  for (const order of accountState.open) total = total.plus(reservedBy(state, order));
  return total;
}

/** Buying power by the broker's three formulas, less what open orders reserve. A sale adds nothing until it has filled. */
export function buyingPower(state: ExchangeState, accountState: AccountState): Money {
  const times = multiplierOf(accountState);
  const reserved = reservedIn(state, accountState);
  // What short sales brought in is owed: it buys nothing where nothing is lent.
  if (times === 1)
    return greatest(ZERO, accountState.account.cash.plus(marketValues(state, accountState).short).minus(reserved));
  const { equity, initial, maintenance } = marginsOf(state, accountState);
  const excess = greatest(ZERO, equity.minus(times === 4 ? maintenance : initial));
  return greatest(ZERO, excess.times(times).minus(reserved));
}

/** Overnight buying power under Regulation T, and what is left for assets that are not lent against. */
export function otherPowers(state: ExchangeState, accountState: AccountState): { regt: Money; nonMarginable: Money } {
  if (multiplierOf(accountState) === 1) {
    const power = buyingPower(state, accountState);
    return { regt: power, nonMarginable: power };
  }
  const reserved = reservedIn(state, accountState);
  const { equity, initial } = marginsOf(state, accountState);
  const excess = greatest(ZERO, equity.minus(initial));
  return {
    regt: greatest(ZERO, excess.times(2).minus(reserved)),
    nonMarginable: greatest(ZERO, least(accountState.account.cash, excess).minus(reserved)),
  };
}
