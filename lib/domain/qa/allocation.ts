import { REGIME_TEXT } from "../engine/reasons.ts";
import { grossCap } from "../risk/limits.ts";
import { counted } from "../counted.ts";
import { judged, percent, percentLimit, percentOver, type QaPortfolio, type QaRule, unknown } from "./rule.ts";

/** What was judged. Of books that a rotation raises only what it raises is known: what it leaves alone is no figure of 0. */
function actualOf(portfolios: readonly QaPortfolio[]): string {
  const said = [counted(portfolios.length, "portfolio")];
  const isRaise = portfolios.some((one) => one.isRaise);
  const say = (what: "largest name" | "highest gross", values: readonly number[]) => {
    const [rank, noun] = what.split(" ");
    if (!isRaise) said.push(`${what} ${percent(Math.max(0, ...values))}`);
    else if (values.length === 0) said.push(`no ${noun} is raised`);
    else said.push(`${rank} raised ${noun} ${percent(Math.max(...values))}`);
  };
  if (portfolios.length > 0) {
    say(
      "largest name",
      portfolios.flatMap(({ weights }) => Object.values(weights)),
    );
    say(
      "highest gross",
      portfolios.flatMap(({ gross }) => gross ?? []),
    );
  }
  return said.join(", ");
}

/** Σ weights ≤ 1 − cash buffer, a name ≤ its limit, gross ≤ the regime's cap. Margin as a fraction of equity. */
export const allocation: QaRule = ({ policy, portfolios }) => {
  const { cash_buffer, max_name_fraction } = policy.portfolio_limits;
  const head = {
    ruleId: "allocation" as const,
    severity: "critical" as const,
    expected: `names ≤ ${percentLimit(max_name_fraction)}, cash ≥ ${percentLimit(cash_buffer)}, gross within the regime's cap`,
  };
  if (portfolios === null) return unknown(head, "no portfolio is known");
  let margin = Number.POSITIVE_INFINITY;
  const failing: string[] = [];
  const ask = (value: number, limit: number, reason: (value: string, limit: string) => string) => {
    margin = Math.min(margin, limit - value);
    if (limit - value < -1e-9) failing.push(reason(percentOver(value, limit), percentLimit(limit)));
  };
  for (const { gross, regime, weights } of portfolios) {
    if (gross !== null) {
      if (!Number.isFinite(gross)) return unknown(head, "a portfolio's exposure is not known");
      const cash = percentLimit(cash_buffer);
      ask(gross, 1 - cash_buffer, (is) => `positions of ${is} leave less than ${cash} cash`);
      const cap = grossCap(regime, policy);
      ask(gross, cap, (is, most) => `gross ${is} is above the ${most} of a ${REGIME_TEXT[regime]} market`);
    }
    for (const [symbol, weight] of Object.entries(weights)) {
      ask(weight, max_name_fraction, (is) => `${symbol} is ${is}`);
    }
  }
  return judged(head, Number.isFinite(margin) ? margin : null, actualOf(portfolios), failing);
};
