import { money } from "../money.ts";
import { byMargin, type Gate, missing, percentText } from "./gate.ts";

/** Equity, marked to market, against the prior close: below the line entries stop. Margin as a fraction. */
export const dailyLoss: Gate = ({ state, policy }) => {
  const before = money(state.lastEquity);
  if (before.lte(0)) return missing("daily_loss", "equity at the prior close is not known");
  const change = money(state.equity).div(before).minus(1).toNumber();
  const limit = policy.portfolio_limits.daily_loss_fraction;
  return byMargin("daily_loss", change + limit, `${percentText(change, 2)} today, the line is −${percentText(limit)}`);
};
