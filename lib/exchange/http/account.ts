import { equityOf, marketValues } from "../book/accounts.ts";
import { countDayTrades, isPatternDayTrader } from "../book/day-trades.ts";
import { type ExchangeState, saveAccount } from "../book/state.ts";
import { pendingFees } from "../book/fees.ts";
import { buyingPower, marginsOf, mayShort, multiplierOf, otherPowers } from "../book/margin.ts";
import { invalid, textOf } from "../book/refusal.ts";
import type { Account, AccountConfiguration, AccountState } from "../book/types.ts";
import { cents, type Money } from "../../domain/money.ts";
import { newYork, type SessionDate } from "../../domain/time.ts";
import { ok, type Route, trading } from "./router.ts";

/** The day-trading fields that left the broker's answer in July 2026. */
function legacyWire(state: ExchangeState, accountState: AccountState): Record<string, unknown> {
  const times = multiplierOf(accountState);
  return {
    pattern_day_trader: isPatternDayTrader(state, accountState),
    daytrade_count: countDayTrades(state, accountState),
    daytrading_buying_power: times === 4 ? buyingPower(state, accountState).toFixed() : "0",
  };
}

/** Equity and maintenance margin at the close of the trading day before: today's own close is stated from New York's midnight on. */
function statedClose(state: ExchangeState, account: Account): { asOf: SessionDate; equity: Money; maintenance: Money } {
  const { nowMs, hours } = state.view.moment();
  const today = newYork(nowMs).date;
  const isOfToday = hours.date === today && nowMs >= hours.closesAtMs;
  return {
    asOf: state.sessions.previous(today),
    equity: isOfToday ? account.priorEquity : account.lastEquity,
    maintenance: isOfToday ? account.priorMaintenance : account.lastMaintenance,
  };
}

/** The account as the broker reports it since July 2026: without the day-trading fields. */
function accountWire(state: ExchangeState, accountState: AccountState): Record<string, unknown> {
  const { account } = accountState;
  const { standing } = account;
  const power = buyingPower(state, accountState).toFixed();
  const { regt, nonMarginable } = otherPowers(state, accountState);
  const { long, short } = marketValues(state, accountState);
  const equity = equityOf(state, accountState).toFixed();
  const { initial, maintenance } = marginsOf(state, accountState);
  const close = statedClose(state, account);
  return {
    id: account.id,
    admin_configurations: {},
    user_configurations: null,
    account_number: account.accountNumber,
    status: standing.status,
    crypto_status: "INACTIVE",
    crypto_tier: 0,
    options_approved_level: 0,
    options_trading_level: 0,
    currency: "USD",
    buying_power: power,
    regt_buying_power: regt.toFixed(),
    effective_buying_power: power,
    non_marginable_buying_power: nonMarginable.toFixed(),
    options_buying_power: nonMarginable.toFixed(),
    cash: account.cash.toFixed(),
    accrued_fees: "0",
    pending_reg_taf_fees: pendingFees(state, accountState).toFixed(),
    pending_transfer_in: "0",
    pending_transfer_out: "0",
    portfolio_value: equity,
    equity,
    last_equity: close.equity.toFixed(),
    position_market_value: long.plus(short).toFixed(),
    long_market_value: long.toFixed(),
    short_market_value: short.toFixed(),
    initial_margin: initial.toFixed(),
    maintenance_margin: maintenance.toFixed(),
    last_maintenance_margin: close.maintenance.toFixed(),
    sma: account.isMargin ? cents(close.equity).toFixed() : "0",
    multiplier: String(multiplierOf(accountState)),
    shorting_enabled: mayShort(accountState),
    trading_blocked: standing.tradingBlocked,
    transfers_blocked: standing.transfersBlocked,
    account_blocked: standing.accountBlocked,
    trade_suspended_by_user: account.configuration.suspend_trade,
    created_at: account.createdAt,
    balance_asof: close.asOf,
    intraday_adjustments: "0",
    ...(account.isLegacy && legacyWire(state, accountState)),
  };
}

/** The values that each field of the configuration may take. */
const ALLOWED: Record<keyof AccountConfiguration, readonly unknown[]> = {
  disable_overnight_trading: [true, false],
  fractional_trading: [true, false],
  max_margin_multiplier: ["1", "2", "4"],
  max_options_trading_level: [0, 1, 2, 3, null],
  no_shorting: [true, false],
  ptp_no_exception_entry: [true, false],
  suspend_trade: [true, false],
  trade_confirm_email: ["all", "none"],
  dtbp_check: ["both", "entry", "exit"],
  pdt_check: ["both", "entry", "exit"],
};

/**
 * Changes what is named, all of it or nothing. What the account does not have is passed over, as at the broker: clients send the whole
 * object, with fields that left it. Throws a Refusal.
 */
function configure(state: ExchangeState, accountState: AccountState, body: unknown): AccountConfiguration {
  if (typeof body !== "object" || body === null) throw invalid("request body format is invalid");
  const { account } = accountState;
  const change: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(body)) {
    if (!Object.hasOwn(account.configuration, key)) continue;
    const allowed = ALLOWED[key as keyof AccountConfiguration];
    if (value === null && !allowed.includes(null)) continue;
    if (!allowed.includes(value)) throw invalid(`invalid ${key}: ${textOf(value)}`);
    change[key] = value;
  }
  account.configuration = { ...account.configuration, ...change };
  saveAccount(state, account);
  return account.configuration;
}

export const accountRoutes: Route[] = [
  trading("GET", "/v2/account", ({ state, accountState }) => ok(accountWire(state, accountState))),
  trading("GET", "/v2/account/configurations", ({ accountState }) => ok(accountState.account.configuration)),
  trading("PATCH", "/v2/account/configurations", ({ state, accountState, body }) =>
    ok(configure(state, accountState, body)),
  ),
];
