import type { AccountState } from "../engine/plan.ts";
import type { RegimeLabel } from "../enums.ts";
import { type Money, money } from "../money.ts";
import type { Policy } from "../policy.ts";
import { rememberTwo } from "../remember.ts";
import { minusUsd, type Usd, usd } from "./usd.ts";

/** An account's amounts and lines in USD, read once: every candidate of a plan asks for the same ones. */
export interface AccountAmounts {
  equity: Money;
  maxPositionValue: Usd;
  /** defaultOrderSize × risk tolerance. */
  orderSize: Money;
  riskPerTrade: Money;
  /** The nearest doubles, to tell large bounds from small ones. */
  about: { equity: number; orderSize: number; riskPerTrade: number };
  nameLine: Usd;
  sectorLine: Usd;
  grossLine: Record<RegimeLabel, Usd>;
  /** Buying power less the cash buffer. */
  buyingLine: Usd;
  /** 1 − stop loss and 1 + profit target of the user. */
  stopFactor: Usd;
  targetFactor: Usd;
}

export const amountsOf = rememberTwo((state: AccountState, policy: Policy): AccountAmounts => {
  const { preferences } = state;
  const limits = policy.portfolio_limits;
  const equity = money(state.equity);
  const tolerance = { LOW: limits.tolerance_low, MEDIUM: limits.tolerance_medium, HIGH: limits.tolerance_high }[
    preferences.riskTolerance
  ];
  const orderSize = money(preferences.defaultOrderSize).times(tolerance);
  const riskPerTrade = equity.times(limits.risk_per_trade);
  return {
    equity,
    maxPositionValue: usd(money(preferences.maxPositionValue)),
    orderSize,
    riskPerTrade,
    about: { equity: equity.toNumber(), orderSize: orderSize.toNumber(), riskPerTrade: riskPerTrade.toNumber() },
    nameLine: usd(equity.times(limits.max_name_fraction)),
    sectorLine: usd(equity.times(limits.max_sector_fraction)),
    grossLine: {
      risk_on: usd(equity.times(limits.gross_risk_on)),
      neutral: usd(equity.times(limits.gross_neutral)),
      risk_off: usd(equity.times(limits.gross_risk_off)),
    },
    buyingLine: minusUsd(usd(money(state.buyingPower)), usd(equity.times(limits.cash_buffer))),
    stopFactor: usd(money(1).minus(money(preferences.stopLoss).div(100))),
    targetFactor: usd(money(preferences.profitTarget).div(100).plus(1)),
  };
});
