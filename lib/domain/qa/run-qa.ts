import type { RegimeLabel } from "../enums.ts";
import type { Policy } from "../policy.ts";
import type { RotationProposal } from "../rotation/proposal.ts";
import { allocation } from "./allocation.ts";
import { convictionGates } from "./conviction-gates.ts";
import { fastTrackEvents } from "./fast-track-events.ts";
import { promotionQuality } from "./promotion-quality.ts";
import type { QaInput, QaRule, QaRuleId, QaVerdict } from "./rule.ts";
import { sectorQuotas } from "./sector-quotas.ts";
import { swapLimits } from "./swap-limits.ts";

const RULES: Record<QaRuleId, QaRule> = {
  allocation,
  swap_limits: swapLimits,
  promotion_quality: promotionQuality,
  conviction_gates: convictionGates,
  fast_track_events: fastTrackEvents,
  sector_quotas: sectorQuotas,
};

/** The six rules in their order (engine.md §11), on a selection or a rotation plan. */
export function runQa(input: QaInput): QaVerdict[] {
  return Object.values(RULES).map((rule) => rule(input));
}

/** What the plan raises of an account's weights: the rest stands as its owner or the market left it. */
function raised(after: Record<string, number>, before: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(after).filter(([key, weight]) => weight > (before[key] ?? 0)));
}

/**
 * What a rotation plan brings to the rules, beside the selection that it stands on. Its books are those of the accounts that
 * it buys for, in what it raises: no account's own shares stop the plan of the others.
 */
export function qaOfRotation(
  proposal: RotationProposal,
  selection: QaInput["selection"],
  regime: RegimeLabel,
  policy: Policy,
): QaInput {
  const buying = new Set(proposal.legs.filter(({ side }) => side === "BUY").map(({ accountId }) => accountId));
  return {
    policy,
    selection,
    portfolios: proposal.accounts
      .filter(({ accountId }) => buying.has(accountId))
      .map(({ accountId, current, projected, weights, weightsBefore, sectors, sectorsBefore }) => ({
        accountId,
        isRaise: true,
        regime,
        gross: projected.grossExposurePct > current.grossExposurePct ? projected.grossExposurePct / 100 : null,
        weights: raised(weights, weightsBefore),
        sectors: raised(sectors, sectorsBefore),
      })),
    entries: proposal.accounts.flatMap(({ entries }) => entries),
    rotationSwaps: proposal.accounts.map(({ swaps }) => swaps),
  };
}
