import type { Policy } from "../policy.ts";
import type { RotationConfigView } from "./proposal.ts";

/** What an administrator set. A number that is null is the one of the policy in force. */
export interface RotationSetting {
  advisoryOnly: boolean;
  cadenceDays: number | null;
  turnoverCapPctPerPeriod: number | null;
  costAwareThresholdBps: number | null;
}

/**
 * The configuration in force: the policy says the numbers, and a setting of the console takes the place of one. The limits
 * are only ever tightened by it: the cap is the lower of the two, the cost threshold the higher.
 */
export function rotationConfigInForce(setting: RotationSetting, { cadence }: Policy): RotationConfigView {
  const { cadenceDays, turnoverCapPctPerPeriod, costAwareThresholdBps, advisoryOnly } = setting;
  return {
    advisoryOnly,
    cadenceDays: cadenceDays ?? cadence.rotation_cadence_days,
    turnoverCapPctPerPeriod: Math.min(turnoverCapPctPerPeriod ?? Infinity, cadence.rotation_turnover_cap_pct),
    costAwareThresholdBps: Math.max(costAwareThresholdBps ?? 0, cadence.rotation_cost_threshold_bps),
  };
}

/** A configuration in force, and whether rotations are planned at all. */
export type RotationInForce = RotationConfigView & { enabled: boolean };

const isTraded = ({ enabled, advisoryOnly }: RotationInForce) => enabled && !advisoryOnly;

/** True where a change lets rotations trade, trade more or trade more often. */
export function isLoosenedRotation(before: RotationInForce, after: RotationInForce): boolean {
  return (
    (before.advisoryOnly && !after.advisoryOnly) ||
    (!isTraded(before) && isTraded(after)) ||
    after.cadenceDays < before.cadenceDays ||
    after.turnoverCapPctPerPeriod > before.turnoverCapPctPerPeriod ||
    after.costAwareThresholdBps < before.costAwareThresholdBps
  );
}

/** The configuration of a policy alone, as a backtest trades it: no person approves there. */
export function rotationConfigOf(policy: Policy): RotationConfigView {
  return rotationConfigInForce(
    { advisoryOnly: false, cadenceDays: null, turnoverCapPctPerPeriod: null, costAwareThresholdBps: null },
    policy,
  );
}
