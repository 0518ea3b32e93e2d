import { money } from "../../domain/money.ts";
import { newYork, type SessionDate } from "../../domain/time.ts";
import type { ExchangeState } from "./state.ts";
import { isClosing } from "./positions.ts";
import { Refusal } from "./refusal.ts";
import type { Fill, AccountState, Order } from "./types.ts";

/**
 * The day-trading rule from before June 2026, for accounts opened with the old rule: four day trades within five
 * sessions made a pattern day trader, who needed 25,000 USD.
 */

const SESSIONS = 5;
const DAY_TRADES_MAX = 3;
const EQUITY_MIN = money(25_000);

/** The first of the last five sessions, today included. */
function windowStart(state: ExchangeState): SessionDate {
  let date = state.view.moment().hours.date;
  for (let i = 1; i < SESSIONS; i += 1) date = state.sessions.previous(date);
  return date;
}

const dayOf = (fill: Fill) => newYork(`${fill.at.slice(0, 23)}Z`).date;

/** Day trades of the last five sessions: times that a position was opened and then closed in the same session. */
export function countDayTrades(state: ExchangeState, accountState: AccountState): number {
  const start = windowStart(state);
  const wasOpened = new Map<string, boolean>();
  let count = 0;
  for (const fill of accountState.fills) {
    const date = dayOf(fill);
    if (date < start) continue;
    const key = `${date} ${fill.symbol}`;
    if (!fill.isOpening && wasOpened.get(key) === true) count += 1;
    wasOpened.set(key, fill.isOpening);
  }
  return count;
}

export function isPatternDayTrader(state: ExchangeState, accountState: AccountState): boolean {
  return countDayTrades(state, accountState) > DAY_TRADES_MAX;
}

/** Refuses an order that the old rule forbids: by the account's choice at entry, at the exit, or both. */
export function checkDayTrading(
  state: ExchangeState,
  accountState: AccountState,
  order: Pick<Order, "symbol" | "intent">,
): void {
  const { isLegacy, isMargin, lastEquity, configuration } = accountState.account;
  if (!isLegacy || !isMargin || lastEquity.gte(EQUITY_MIN)) return;
  if (countDayTrades(state, accountState) < DAY_TRADES_MAX) return;
  const check = configuration.pdt_check ?? "entry";
  const today = state.view.moment().hours.date;
  const wasOpenedToday = accountState.fills.some(
    (fill) => fill.symbol === order.symbol && fill.isOpening && dayOf(fill) === today,
  );
  const isForbidden = isClosing(order)
    ? (check === "exit" || check === "both") && wasOpenedToday
    : check === "entry" || check === "both";
  if (isForbidden) throw new Refusal(403, 40310100, "trade denied due to pattern day trading protection");
}
