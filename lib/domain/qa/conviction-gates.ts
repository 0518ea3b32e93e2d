import { besideLine } from "../beside-line.ts";
import { judged, type QaRule, unknown } from "./rule.ts";

/** Every name about to be bought stands above its conviction line with enough strong factor families. Margin in confidence. */
export const convictionGates: QaRule = ({ policy, entries }) => {
  const { min_families } = policy.signals_confidence;
  const head = {
    ruleId: "conviction_gates" as const,
    severity: "critical" as const,
    expected: `confidence at or above the line, ${min_families} strong factor families`,
  };
  if (entries === null) return unknown(head, "the entries are not known");
  let margin = Number.POSITIVE_INFINITY;
  const failing: string[] = [];
  for (const { symbol, confidence, line, strongFamilies } of entries) {
    if (confidence === null || strongFamilies === null)
      return unknown(head, `the conviction of ${symbol} is not known`);
    margin = Math.min(margin, confidence - line);
    if (confidence < line - 1e-9)
      failing.push(`${symbol} has a confidence of ${besideLine(confidence, line, 3, 2).join(" against ")}`);
    else if (strongFamilies < min_families)
      failing.push(`${symbol} has ${strongFamilies} strong factor ${strongFamilies === 1 ? "family" : "families"}`);
  }
  const actual =
    entries.length === 0 ? "no entries" : `${entries.length - failing.length} of ${entries.length} entries`;
  return judged(head, entries.length === 0 ? null : margin, actual, failing);
};
