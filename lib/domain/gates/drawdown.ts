import { percentBeside } from "../beside-line.ts";
import { money } from "../money.ts";
import { byMargin, type Gate, missing } from "./gate.ts";

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
    return byMargin(drawdown_soft - depth, () => {
      const lines = [drawdown_soft, drawdown_hard] as const;
      const [is, soft, hard] = percentBeside(depth, lines, { digits: 2, lineDigits: 1 });
      const passed = depth >= drawdown_hard ? `; the hard line of ${hard} is passed: a person must resume` : "";
      return `${is} below the high-water mark, the line is ${soft}${passed}`;
    });
  },
} as const satisfies Gate;
