import { percentBeside } from "../beside-line.ts";
import { money } from "../money.ts";
import { byMargin, type Gate, missing } from "./gate.ts";

/** Equity, marked to market, against the prior close: below the line entries stop. Margin as a fraction. */
export const dailyLoss = {
  code: "daily_loss",
  label: "daily loss",
  explanation: "After too large a loss today, nothing new is bought until tomorrow.",
  scope: "account",
  unit: "percent",
  check: ({ state, policy }) => {
    const before = money(state.lastEquity);
    if (before.lte(0)) return missing("equity at the prior close is not known");
    const change = money(state.equity).minus(before).over(before);
    const limit = policy.portfolio_limits.daily_loss_fraction;
    return byMargin(change + limit, () => {
      const [is, line] = percentBeside(change, [-limit], { digits: 2, lineDigits: 1 });
      return `${is} today, the line is ${line.replace("-", "−")}`;
    });
  },
} as const satisfies Gate;
