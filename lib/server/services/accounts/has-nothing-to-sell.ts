import { IN_FLIGHT_INTENTS, WORKING_STATUSES } from "@/lib/domain/orders.ts";
import type { Context } from "../../context.ts";

/** True when the automation holds nothing in the account and no order of it can still buy or sell. */
export async function hasNothingToSell({ db }: Pick<Context, "db">, accountId: string): Promise<boolean> {
  const counts = await Promise.all([
    db.position.count({ where: { accountId, strategy: { not: null } } }),
    db.order.count({ where: { accountId, origin: "OURS", status: { in: [...WORKING_STATUSES] } } }),
    db.intent.count({ where: { accountId, status: { in: [...IN_FLIGHT_INTENTS] } } }),
  ]);
  return counts.every((count) => count === 0);
}
