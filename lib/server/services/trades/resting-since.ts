import { money } from "@/lib/domain/money.ts";
import type { Order } from "../../core/row-types.ts";

type Leg = Pick<Order, "submittedAt"> & { parent: Pick<Order, "role" | "filledAt" | "filledQty"> | null };

/** A leg of a bracket rests from its entry's fill on: null where that never filled, so that the leg protected nothing. */
export function restingSince({ parent, submittedAt }: Leg): Date | null {
  if (parent === null || parent.role === "STOP" || parent.role === "TARGET") return submittedAt;
  const filledAt = parent.filledAt ?? (money(parent.filledQty).gt(0) ? submittedAt : null);
  return filledAt === null || filledAt > submittedAt ? filledAt : submittedAt;
}
