import { money } from "../money.ts";
import { byMargin, type Gate, missing } from "./gate.ts";
import { percentText } from "./texts.ts";

/** Drawdown from the high-water mark: below the soft line entries stop. Margin as a fraction. */
export const drawdown = {
  code: "drawdown",
  label: "drawdown",
  explanation:
    "When equity falls too far below its highest value, the account first buys nothing and then only reduces its positions.",
  scope: "account",
  unit: "percent",
  check: ({ state, policy }) => {
    const mark = money(state.highWaterMark);
    if (mark.lte(0)) return missing("the high-water mark is not known");
    const depth = Math.max(0, mark.minus(state.equity).over(mark));
    const { drawdown_soft, drawdown_hard } = policy.portfolio_limits;
    const hard = () =>
      depth >= drawdown_hard ? `; the hard line of ${percentText(drawdown_hard)} is passed: a person must resume` : "";
    return byMargin(
      drawdown_soft - depth,
      () => `${percentText(depth, 2)} below the high-water mark, the line is ${percentText(drawdown_soft)}${hard()}`,
    );
  },
} as const satisfies Gate;
