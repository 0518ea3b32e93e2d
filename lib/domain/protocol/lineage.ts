/** Whose order a broker's report is about, and what the order is for. */
import type { INTENT_PURPOSES, OrderOriginName, OrderRoleName, OrderTypeName, SideName } from "../enums.ts";
import { identityMismatch } from "../orders.ts";
import type { ReportedOrder } from "./recorded-order.ts";

export interface Lineage {
  origin: OrderOriginName;
  role: OrderRoleName;
  intentId: string | null;
  parentId: string | null;
  reason: string | null;
}

/** What is told of an order by the decision behind it. */
export interface DecidedOrder {
  id: string;
  purpose: (typeof INTENT_PURPOSES)[number];
  reason: string;
  symbol: string;
  side: SideName;
  /** Shares. */
  qty: { toString(): string };
  gateVerdictId: string | null;
}

const EXTERNAL: Lineage = { origin: "EXTERNAL", role: "EXTERNAL", intentId: null, parentId: null, reason: null };

const isStop = (type: OrderTypeName) => type === "STOP" || type === "STOP_LIMIT" || type === "TRAILING_STOP";

/** Legs of a bracket and of an OCO: the stop, and the target beside it. */
function protection(
  type: OrderTypeName,
  intent: Pick<DecidedOrder, "id" | "reason">,
  parentId: string | null,
): Lineage {
  const stopReason = intent.reason === "trailing_stop" ? "trailing_stop" : "protective_stop";
  return isStop(type)
    ? { origin: "OURS", role: "STOP", intentId: intent.id, parentId, reason: stopReason }
    : { origin: "OURS", role: "TARGET", intentId: intent.id, parentId, reason: "profit_target" };
}

/** A leg of an order of ours. `knownReason`: a stop that was raised in place keeps its own. */
export function lineageOfLeg(
  { type }: Pick<ReportedOrder, "type">,
  intent: Pick<DecidedOrder, "id" | "reason">,
  parentId: string,
  knownReason: string | null,
): Lineage {
  const lineage = protection(type, intent, parentId);
  return { ...lineage, reason: knownReason ?? lineage.reason };
}

/** An order that carries the id of a decision of ours. `mismatch`: why it is not the order that was decided; it then counts as external. */
export function lineageOfDecided(
  intent: DecidedOrder,
  reported: Pick<ReportedOrder, "clientOrderId" | "type" | "symbol" | "side" | "qty">,
): { lineage: Lineage; mismatch: string | null } {
  const mismatch =
    intent.gateVerdictId === null
      ? "sent without a passed gate"
      : identityMismatch({ ...intent, qty: intent.qty.toString() }, reported);
  if (mismatch !== null) return { lineage: EXTERNAL, mismatch: `${reported.clientOrderId}: ${mismatch}` };
  if (intent.purpose === "PROTECT") return { lineage: protection(reported.type, intent, null), mismatch: null };
  const role = intent.side === "BUY" ? "ENTRY" : "EXIT";
  return {
    lineage: { origin: "OURS", role, intentId: intent.id, parentId: null, reason: intent.reason },
    mismatch: null,
  };
}

/**
 * An order without a decision of ours. Replaced at the broker by hand: the replacement continues the order that it replaces. Any other
 * one is from elsewhere, a leg beside its parent.
 */
export function lineageOfOther(replaced: Lineage | null, parentId: string | null): Lineage {
  return replaced ?? { ...EXTERNAL, parentId };
}
