import { money } from "@/lib/domain/money.ts";
import type { Order } from "../../core/row-types.ts";

type Leg = Pick<Order, "submittedAt"> & { parent: Pick<Order, "role" | "filledAt" | "filledQty" | "endedAt"> | null };

/**
 * A leg of a bracket rests once its entry has ended with shares: filled, or cancelled after a part was. Null before, and where nothing filled: the
 * broker holds the leg until then, and it protects nothing.
 */
export function restingSince({ parent, submittedAt }: Leg): Date | null {
  if (parent === null || parent.role === "STOP" || parent.role === "TARGET") return submittedAt;
  const filledAt = parent.filledAt ?? (money(parent.filledQty).gt(0) ? parent.endedAt : null);
  return filledAt === null || filledAt > submittedAt ? filledAt : submittedAt;
}
