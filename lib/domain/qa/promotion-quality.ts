import { besideLine } from "../beside-line.ts";
import { judged, type QaRule, unknown } from "./rule.ts";

/** What takes a seat has a composite, a coverage and a history that carry it. Margin in composite points. */
export const promotionQuality: QaRule = ({ policy, selection }) => {
  const { promotion_min_composite, min_coverage, min_bars } = policy.selector_top50;
  const head = {
    ruleId: "promotion_quality" as const,
    severity: "high" as const,
    expected: `composite ≥ ${promotion_min_composite}, coverage ≥ ${min_coverage}, ≥ ${min_bars} bars`,
  };
  if (selection === null) return unknown(head, "no selection is known");
  const seats = new Map(selection.seats.map((seat) => [seat.symbol, seat]));
  let margin = Number.POSITIVE_INFINITY;
  const failing: string[] = [];
  for (const symbol of selection.promoted) {
    const seat = seats.get(symbol);
    if (seat === undefined) return unknown(head, `${symbol} was promoted but is not seated`);
    margin = Math.min(margin, seat.composite - promotion_min_composite);
    if (seat.composite < promotion_min_composite)
      failing.push(`${symbol} has a composite of ${besideLine(seat.composite, promotion_min_composite, 1)[0]}`);
    // 0.45 + 0.25 is 0.7 but for the last bit.
    if (seat.coverage < min_coverage - 1e-9)
      failing.push(`${symbol} has a coverage of ${besideLine(seat.coverage, min_coverage, 2)[0]}`);
    if (seat.barCount < min_bars) failing.push(`${symbol} has ${seat.barCount} bars`);
  }
  const count = selection.promoted.length;
  const actual =
    count === 0
      ? "no promotions"
      : `${count - new Set(failing.map((reason) => reason.split(" ")[0])).size} of ${count} promotions`;
  return judged(head, count === 0 ? null : margin, actual, failing);
};
