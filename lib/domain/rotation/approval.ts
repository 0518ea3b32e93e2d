import type { AccountEnvironment, PlanStatusName, QaStatusName } from "../enums.ts";
import { type Money, money, sum } from "../money.ts";
import type { Policy } from "../policy.ts";
import type { Instant } from "../time.ts";

/** A stored plan, as far as its approval and its execution ask. */
export interface PlanInHand {
  approvalStatus: PlanStatusName;
  closedAs: string | null;
  version: number;
  isAdvisoryOnly: boolean;
  /** market */
  expiresAt: Instant;
}

/** What the caller knows beside the plan. */
interface Asked {
  /** The version that the caller looked at; null when the caller does not say. */
  version: number | null;
  /** Of the plan's market; null while its clock cannot be read. */
  marketNow: Instant | null;
}

export interface ExecutionSwitches {
  isEnabled: boolean;
  isAdvisoryNow: boolean;
  isAutomationOn: boolean;
  isQueueActive: boolean;
  killState: string;
  /** The legs are still those that were planned. */
  isAsPlanned: boolean;
  hasPurchases: boolean;
  qa: readonly { ruleId: string; status: QaStatusName; message: string }[];
}

function notOpen({ approvalStatus, closedAs }: PlanInHand): string | null {
  if (approvalStatus === "EXECUTED") return "This plan was executed already.";
  if (approvalStatus === "REJECTED") return "This plan was rejected.";
  if (closedAs === "superseded") return "A newer plan has taken the place of this one.";
  if (closedAs === "expired") return "This plan has expired.";
  return null;
}

function stale({ version, expiresAt }: PlanInHand, asked: Asked): string | null {
  if (asked.version !== null && asked.version !== version)
    return "This plan was changed since you looked at it. Load it again.";
  if (asked.marketNow !== null && asked.marketNow >= expiresAt) return "This plan has expired.";
  return null;
}

/** Why a plan cannot be approved or rejected; null when it can. */
export function refusalToDecide(plan: PlanInHand, asked: Asked): string | null {
  const refusal = notOpen(plan) ?? stale(plan, asked);
  if (refusal !== null) return refusal;
  return plan.approvalStatus === "APPROVED" ? "This plan was approved already." : null;
}

/** Why a plan cannot be executed; null when it can. */
export function refusalToExecute(plan: PlanInHand, asked: Asked, switches: ExecutionSwitches): string | null {
  const refusal = notOpen(plan) ?? stale(plan, asked);
  if (refusal !== null) return refusal;
  if (plan.approvalStatus !== "APPROVED") return "This plan has not been approved.";
  if (plan.isAdvisoryOnly)
    return "This plan was made as a preview and is never executed. The next plan can be, while rotation trades live.";
  if (switches.isAdvisoryNow) return "Rotation is in Preview Only: no plan is executed.";
  if (!switches.isEnabled) return "Biweekly rotation is disabled.";
  if (!switches.isAsPlanned) return "The legs of this plan were edited after it was made: it cannot be executed.";
  if (switches.killState !== "NONE")
    return `The kill switch of the system is on (${switches.killState.toLowerCase().replaceAll("_", " ")}).`;
  if (!switches.isAutomationOn) return "Automation is switched off (flag automation_enabled).";
  if (!switches.isQueueActive) return "The job queue is stopped: nothing would execute the plan.";
  return switches.hasPurchases ? qaRefusal(switches.qa) : null;
}

/** Every rule must pass before a plan may add risk; one whose evidence is missing counts as failed. */
function qaRefusal(qa: ExecutionSwitches["qa"]): string | null {
  if (qa.length === 0) return "The QA rules were not run on this plan.";
  const failing = qa.find(({ status }) => status !== "PASS");
  return failing === undefined
    ? null
    : `QA rule ${failing.ruleId} ${failing.status === "FAIL" ? "fails" : "could not be judged"}: ${failing.message}`;
}

/** The traded value in USD above which a plan needs a second administrator: of LIVE plans the lower of the two lines; 0 is off. */
export function secondAdministratorLine(
  environment: AccountEnvironment,
  { orders_execution, portfolio_limits }: Policy,
): number {
  const ofAll = orders_execution.two_person_rotation_usd;
  if (environment !== "LIVE") return ofAll;
  const lines = [ofAll, portfolio_limits.live_second_approver_usd].filter((line) => line > 0);
  return lines.length === 0 ? 0 : Math.min(...lines);
}

/** Whether one administrator's word is not enough to execute a plan of this value, USD. */
export function needsSecondAdministrator(
  { environment, tradedUsd }: { environment: AccountEnvironment; tradedUsd: { gt: (line: number) => boolean } },
  policy: Policy,
): boolean {
  const line = secondAdministratorLine(environment, policy);
  return line > 0 && tradedUsd.gt(line);
}

/** Value of all legs at their decision prices, USD. */
export function tradedValue(legs: readonly { qty: string; decisionPrice: string }[]): Money {
  return sum(legs.map(({ qty, decisionPrice }) => money(qty).times(decisionPrice)));
}
