import { percentBeside } from "../beside-line.ts";
import { money } from "../money.ts";
import type { Policy } from "../policy.ts";
import type { AccountState, Plan } from "./plan.ts";

/**
 * The kill state that an account must fall into and stay in until a person resumes it: set once the drawdown from the
 * high-water mark reaches the hard line. Null where it is not reached, not known, or the account is already that strict.
 */
export function drawdownStopOf(state: AccountState, policy: Policy): Plan["latch"] {
  if (state.killState === "REDUCE_ONLY" || state.killState === "FLATTEN") return null;
  const mark = money(state.highWaterMark);
  if (mark.lte(0)) return null;
  const depth = mark.minus(state.equity).over(mark);
  const { drawdown_hard } = policy.portfolio_limits;
  if (depth < drawdown_hard) return null;
  const [is, line] = percentBeside(depth, [drawdown_hard], { digits: 2, lineDigits: 1 });
  const reason = `${is} below the high-water mark, the hard line is ${line}: a person must resume`;
  return { killState: "REDUCE_ONLY", reason };
}
