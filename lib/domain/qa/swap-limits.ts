import { besideLine } from "../beside-line.ts";
import { counted } from "../counted.ts";
import { judged, type QaRule, unknown } from "./rule.ts";

/** Swaps of a selection (and of each account of a rotation) within the limit, each of a selection with its margin. Margin in swaps. */
export const swapLimits: QaRule = ({ policy, selection, rotationSwaps }) => {
  const { max_swaps, swap_margin } = policy.selector_top50;
  const head = {
    ruleId: "swap_limits" as const,
    severity: "high" as const,
    expected: `at most ${max_swaps} swaps, each by ${swap_margin} points or more`,
  };
  if (selection === null) return unknown(head, "no selection is known");
  const most = Math.max(selection.swaps.length, ...rotationSwaps);
  const failing = selection.swaps
    .filter(({ margin }) => margin < swap_margin)
    .map(
      ({ challenger, incumbent, margin }) =>
        `${challenger} for ${incumbent} by ${besideLine(margin, swap_margin, 1)[0]} points only`,
    );
  if (most > max_swaps) failing.unshift(counted(most, "swap"));
  return judged(head, max_swaps - most, counted(most, "swap"), failing);
};
