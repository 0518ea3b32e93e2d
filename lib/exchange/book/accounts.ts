import { randomBytes, randomUUID } from "node:crypto";
import { money, type Money, ZERO } from "../../domain/money.ts";
import { newActivity } from "./activities.ts";
import { addAccount, type ExchangeState, saveAccount } from "./state.ts";
import { GOOD_STANDING, NEW_ACCOUNT } from "./rows.ts";
import type { AccountConfiguration, AccountState } from "./types.ts";
import { LIVE_KEYS, PAPER_KEYS, PRACTICE_KEYS } from "../key-kinds.ts";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

function letters(count: number): string {
  return Array.from(randomBytes(count), (byte) => LETTERS[byte % LETTERS.length]).join("");
}

export interface AccountInput {
  name?: string | undefined;
  cash?: string | undefined;
  /** May borrow and sell short; otherwise the account trades with its own cash. */
  margin?: boolean | undefined;
  /** Lives under the day-trading rule from before June 2026. */
  legacy?: boolean | undefined;
  /** Pays the regulatory fees on its sales. */
  fees?: boolean | undefined;
  /** Keys that begin as those of the practice market (the default) or as Alpaca's. */
  keys?: "practice" | "alpaca" | undefined;
  /** Of real money: its keys work at the live address alone. With Alpaca's keys only. */
  live?: boolean | undefined;
}

function configurationOf(isMargin: boolean, isLegacy: boolean): AccountConfiguration {
  return {
    disable_overnight_trading: false,
    fractional_trading: true,
    max_margin_multiplier: isMargin ? "4" : "1",
    max_options_trading_level: 0,
    no_shorting: !isMargin,
    ptp_no_exception_entry: false,
    suspend_trade: false,
    trade_confirm_email: "none",
    ...(isLegacy && { dtbp_check: "entry", pdt_check: "entry" }),
  };
}

/** Accounts of real money have numbers of digits, paper accounts begin with PA. */
function digits(count: number): string {
  return Array.from(randomBytes(count), (byte) => byte % 10).join("");
}

function keysOf({ keys, live }: AccountInput): string {
  if (keys !== "alpaca") return PRACTICE_KEYS;
  return live === true ? LIVE_KEYS : PAPER_KEYS;
}

export function createAccount(state: ExchangeState, input: AccountInput): AccountState {
  const cash = money(input.cash ?? "100000");
  const { hours } = state.view.moment();
  const isMargin = input.margin === true;
  const isLegacy = input.legacy === true;
  const accountState = addAccount(state, {
    ...NEW_ACCOUNT,
    id: randomUUID(),
    accountNumber: input.live === true ? digits(9) : `PA${letters(10)}`,
    name: input.name ?? "Practice account",
    keyId: `${keysOf(input)}${letters(18)}`,
    secret: letters(40),
    cash,
    lastEquity: cash,
    priorEquity: cash,
    createdAt: state.stamp(),
    createdOn: hours.date,
    deposit: cash,
    configuration: configurationOf(isMargin, isLegacy),
    standing: { ...GOOD_STANDING },
    isMargin,
    isLegacy,
    paysFees: input.fees === true,
  });
  saveAccount(state, accountState.account);
  newActivity(state, accountState.account.id, hours.date, {
    activity_type: "CSD",
    net_amount: cash.toFixed(),
    description: "Opening deposit",
  });
  return accountState;
}

/** The last price as exact decimals. */
export function lastPrice(state: ExchangeState, symbol: string): Money {
  return money(String(state.view.last(symbol) ?? 0));
}

/** What the positions are worth: longs above zero, shorts below. */
export function marketValues(state: ExchangeState, accountState: AccountState): { long: Money; short: Money } {
  let long = ZERO;
  let short = ZERO;
  for (const position of accountState.positions.values()) {
    const value = position.qty.times(lastPrice(state, position.symbol));
    if (value.isNegative()) short = short.plus(value);
    else long = long.plus(value);
  }
  return { long, short };
}

export function equityOf(state: ExchangeState, accountState: AccountState): Money {
  const { long, short } = marketValues(state, accountState);
  return accountState.account.cash.plus(long).plus(short);
}
