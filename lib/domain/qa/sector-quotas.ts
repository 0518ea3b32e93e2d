import { knownSector } from "../sectors.ts";
import { counted } from "../counted.ts";
import { judged, percentLimit, percentOver, type QaRule, unknown } from "./rule.ts";

/** Seats of a sector within the quota, enough sectors among full seats, and sector weights within their limit. Margin in seats. */
export const sectorQuotas: QaRule = ({ policy, selection, portfolios }) => {
  const { max_sector_seats, min_sectors, seats } = policy.selector_top50;
  const { max_sector_fraction } = policy.portfolio_limits;
  const head = {
    ruleId: "sector_quotas" as const,
    severity: "high" as const,
    expected: `at most ${max_sector_seats} seats a sector, at least ${min_sectors} sectors, weights ≤ ${percentLimit(max_sector_fraction)}`,
  };
  if (selection === null) return unknown(head, "no selection is known");
  const counts = Object.entries(selection.sectorSeats);
  const crowded = Math.max(0, ...counts.map(([, count]) => count));
  const failing = counts
    .filter(([, count]) => count > max_sector_seats)
    .map(([sector, count]) => `${sector} has ${count} seats`);
  // Fewer eligible names than seats may come from fewer sectors.
  const known = counts.filter(([sector]) => knownSector(sector) !== null).length;
  const isShort = selection.seats.length >= seats && known < min_sectors;
  if (isShort) failing.push(counted(known, "sector"));
  for (const { accountId, sectors } of portfolios ?? []) {
    for (const [sector, weight] of Object.entries(sectors))
      if (weight > max_sector_fraction + 1e-9)
        failing.push(
          `${sector === "" ? "no sector" : sector} is ${percentOver(weight, max_sector_fraction)} of account ${accountId}`,
        );
  }
  const margin = Math.min(max_sector_seats - crowded, isShort ? known - min_sectors : Number.POSITIVE_INFINITY);
  return judged(head, margin, `${counted(known, "sector")}, the largest with ${counted(crowded, "seat")}`, failing);
};
