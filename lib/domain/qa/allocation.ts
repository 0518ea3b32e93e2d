import { REGIME_TEXT } from "../engine/reasons.ts";
import { grossCap } from "../risk/limits.ts";
import { counted, judged, percent, type QaRule, unknown } from "./rule.ts";

/** Σ weights ≤ 1 − cash buffer, a name ≤ its limit, gross ≤ the regime's cap. Margin as a fraction of equity. */
export const allocation: QaRule = ({ policy, portfolios }) => {
  const { cash_buffer, max_name_fraction } = policy.portfolio_limits;
  const head = {
    ruleId: "allocation" as const,
    severity: "critical" as const,
    expected: `names ≤ ${percent(max_name_fraction)}, cash ≥ ${percent(cash_buffer)}, gross within the regime's cap`,
  };
  if (portfolios === null) return unknown(head, "no portfolio is known");
  let margin = Number.POSITIVE_INFINITY;
  let [largest, highest] = [0, 0];
  const failing: string[] = [];
  const ask = (distance: number, reason: string) => {
    margin = Math.min(margin, distance);
    if (distance < -1e-9) failing.push(reason);
  };
  for (const { gross, regime, weights } of portfolios) {
    if (!Number.isFinite(gross)) return unknown(head, "a portfolio's exposure is not known");
    highest = Math.max(highest, gross);
    ask(1 - cash_buffer - gross, `positions of ${percent(gross)} leave less than ${percent(cash_buffer)} cash`);
    const cap = grossCap(regime, policy);
    ask(cap - gross, `gross ${percent(gross)} is above the ${percent(cap)} of a ${REGIME_TEXT[regime]} market`);
    for (const [symbol, weight] of Object.entries(weights)) {
      largest = Math.max(largest, weight);
      ask(max_name_fraction - weight, `${symbol} is ${percent(weight)}`);
    }
  }
  const actual = `${counted(portfolios.length, "portfolio")}, largest name ${percent(largest)}, highest gross ${percent(highest)}`;
  return judged(head, portfolios.length === 0 ? null : margin, actual, failing);
};
