import type { rotationApi } from "@/lib/contracts/rotation.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";

export type Plan = Answer<typeof rotationApi.approvePlan>;
export type PlanDetail = Answer<typeof rotationApi.readPlan>;
export type AccountLegs = PlanDetail["accounts"][number];
export type Leg = AccountLegs["legs"][number];

type Tone = "neutral" | "accent" | "gain" | "loss" | "warn";

const STATUS: Record<Plan["approvalStatus"], { label: string; tone: Tone }> = {
  PENDING: { label: "Pending", tone: "warn" },
  APPROVED: { label: "Approved", tone: "accent" },
  REJECTED: { label: "Rejected", tone: "loss" },
  EXECUTED: { label: "Executed", tone: "gain" },
};

/** What a plan is, for its badge: what closed it says more than what it had been before. */
export function statusOf({ approvalStatus, closedAs }: Plan): { label: string; tone: Tone } {
  if (closedAs === "expired") return { label: "Expired", tone: "neutral" };
  if (closedAs === "superseded") return { label: "Superseded", tone: "neutral" };
  return STATUS[approvalStatus];
}

export const costText = (bps: number | null): string => (bps === null ? "Not known" : `${bps.toFixed(1)} bps`);

export const OUTCOME: Record<Leg["outcome"], { label: string; tone: Tone }> = {
  waiting: { label: "Waiting", tone: "neutral" },
  submitted: { label: "Submitted", tone: "accent" },
  filled: { label: "Filled", tone: "gain" },
  refused: { label: "Refused", tone: "loss" },
  expired: { label: "Expired", tone: "warn" },
  parked: { label: "Parked", tone: "loss" },
};

export const KIND: Record<Leg["kind"], string> = {
  forced_exit: "Forced exit",
  swap: "Swap",
  enter: "Entry",
  resize: "Resize",
};

export const QA_NAMES: Record<string, string> = {
  allocation: "Allocation",
  swap_limits: "Swap limits",
  promotion_quality: "Promotion quality",
  conviction_gates: "Conviction gates",
  fast_track_events: "Fast-track events",
  sector_quotas: "Sector quotas",
};

/** Executed, and some of its legs may still change. */
export function isAtWork({ approvalStatus, outcomes }: Plan): boolean {
  return approvalStatus === "EXECUTED" && outcomes.waiting + outcomes.submitted + outcomes.parked > 0;
}

export const isOpen = ({ closedAs, approvalStatus }: Plan) =>
  closedAs === null && (approvalStatus === "PENDING" || approvalStatus === "APPROVED");

export const percentText = (value: number | null) => (value === null ? "—" : `${value.toFixed(1)}%`);

/** "4 filled, 1 refused" */
export function outcomesText(outcomes: Plan["outcomes"]): string {
  const parts = Object.entries(outcomes).filter(([, count]) => count > 0);
  return parts.length === 0
    ? "No orders"
    : parts.map(([outcome, count]) => `${count} ${OUTCOME[outcome as Leg["outcome"]].label.toLowerCase()}`).join(", ");
}
