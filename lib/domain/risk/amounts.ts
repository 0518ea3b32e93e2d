import type { AccountState, RegimeLabel } from "../engine/plan.ts";
import { type Money, money } from "../money.ts";
import type { Policy } from "../policy.ts";
import { rememberTwo } from "../remember.ts";

/** An account's amounts and lines in USD, read once: every candidate of a plan asks for the same ones. */
export interface AccountAmounts {
  equity: Money;
  buyingPower: Money;
  maxPositionValue: Money;
  /** defaultOrderSize × risk tolerance. */
  orderSize: Money;
  riskPerTrade: Money;
  nameLine: Money;
  sectorLine: Money;
  grossLine: Record<RegimeLabel, Money>;
  cashLine: Money;
  /** 1 − stop loss and 1 + profit target of the user. */
  stopFactor: Money;
  targetFactor: Money;
}

export const amountsOf = rememberTwo((state: AccountState, policy: Policy): AccountAmounts => {
  const { preferences } = state;
  const limits = policy.portfolio_limits;
  const equity = money(state.equity);
  const tolerance = { LOW: limits.tolerance_low, MEDIUM: limits.tolerance_medium, HIGH: limits.tolerance_high }[
    preferences.riskTolerance
  ];
  return {
    equity,
    buyingPower: money(state.buyingPower),
    maxPositionValue: money(preferences.maxPositionValue),
    orderSize: money(preferences.defaultOrderSize).times(tolerance),
    riskPerTrade: equity.times(limits.risk_per_trade),
    nameLine: equity.times(limits.max_name_fraction),
    sectorLine: equity.times(limits.max_sector_fraction),
    grossLine: {
      risk_on: equity.times(limits.gross_risk_on),
      neutral: equity.times(limits.gross_neutral),
      risk_off: equity.times(limits.gross_risk_off),
    },
    cashLine: equity.times(limits.cash_buffer),
    stopFactor: money(1).minus(money(preferences.stopLoss).div(100)),
    targetFactor: money(preferences.profitTarget).div(100).plus(1),
  };
});
