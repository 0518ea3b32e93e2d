import type { TradeStatus } from "@/lib/domain/enums.ts";
import { Badge } from "./badge.tsx";

const STATUS = {
  FILLED: { tone: "gain", label: "Filled" },
  PENDING: { tone: "warn", label: "Pending" },
  CANCELLED: { tone: "neutral", label: "Cancelled" },
  REJECTED: { tone: "loss", label: "Rejected" },
} as const satisfies Record<TradeStatus, { tone: string; label: string }>;

/** The status of an order in one of the four words of Trade History. */
export function StatusBadge({ status }: { status: TradeStatus }) {
  const { tone, label } = STATUS[status];
  return <Badge tone={tone}>{label}</Badge>;
}
