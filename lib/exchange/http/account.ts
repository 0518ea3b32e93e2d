import { ZERO } from "../../domain/money.ts";
import { buyingPower, equityOf, marketValue } from "../book/accounts.ts";
import { type Desk, saveAccount } from "../book/desk.ts";
import { invalid } from "../book/refusal.ts";
import type { Holder } from "../book/types.ts";
import { ok, type Route, trading } from "./router.ts";

/** The account as the broker tells it since July 2026: without the day-trading fields. */
export function accountWire(desk: Desk, holder: Holder): Record<string, unknown> {
  const { account } = holder;
  const power = buyingPower(desk, holder).toFixed();
  const value = marketValue(desk, holder).toFixed();
  const equity = equityOf(desk, holder).toFixed();
  const isBlocked = account.configuration.suspend_trade;
  return {
    id: account.id,
    admin_configurations: {},
    user_configurations: null,
    account_number: account.accountNumber,
    status: "ACTIVE",
    crypto_status: "INACTIVE",
    crypto_tier: 0,
    options_approved_level: 0,
    options_trading_level: 0,
    currency: "USD",
    buying_power: power,
    regt_buying_power: power,
    effective_buying_power: power,
    non_marginable_buying_power: power,
    options_buying_power: power,
    cash: account.cash.toFixed(),
    accrued_fees: "0",
    pending_reg_taf_fees: "0",
    pending_transfer_in: "0",
    pending_transfer_out: "0",
    portfolio_value: equity,
    equity,
    last_equity: account.lastEquity.toFixed(),
    position_market_value: value,
    long_market_value: value,
    short_market_value: ZERO.toFixed(),
    initial_margin: value,
    maintenance_margin: "0",
    last_maintenance_margin: "0",
    sma: "0",
    multiplier: "1",
    shorting_enabled: false,
    trading_blocked: false,
    transfers_blocked: false,
    account_blocked: false,
    trade_suspended_by_user: isBlocked,
    created_at: account.createdAt,
    balance_asof: desk.sessions.previous(desk.view.moment().hours.date),
    intraday_adjustments: "0",
  };
}

export const accountRoutes: Route[] = [
  trading("GET", "/v2/account", ({ desk, holder }) => ok(accountWire(desk, holder))),
  trading("GET", "/v2/account/configurations", ({ holder }) => ok(holder.account.configuration)),
  trading("PATCH", "/v2/account/configurations", ({ desk, holder, body }) => {
    if (typeof body !== "object" || body === null) throw invalid("request body format is invalid");
    const change = body as Record<string, unknown>;
    const configuration = holder.account.configuration as unknown as Record<string, unknown>;
    for (const [key, value] of Object.entries(change)) {
      if (!(key in configuration)) throw invalid(`unknown configuration ${key}`);
      if (configuration[key] !== null && typeof configuration[key] !== typeof value) throw invalid(`invalid ${key}`);
    }
    Object.assign(configuration, change);
    saveAccount(desk, holder.account);
    return ok(holder.account.configuration);
  }),
];
