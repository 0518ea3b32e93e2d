import { WORKING_STATUSES } from "@/lib/domain/orders.ts";
import { money, ZERO, type Money } from "@/lib/domain/money.ts";
import type { Db, Tx } from "../../db.ts";

/**
 * Shares of each symbol that a live stop at the broker would sell. A held stop protects only once its
 * bracket's entry is filled, or beside the target of an OCO; stops that a person placed count too.
 */
export async function protectedQuantity(db: Db | Tx, accountId: string): Promise<Map<string, Money>> {
  const stops = await db.order.findMany({
    where: {
      accountId,
      side: "SELL",
      type: { in: ["STOP", "STOP_LIMIT", "TRAILING_STOP"] },
      status: { in: [...WORKING_STATUSES] },
      qty: { not: null },
    },
    include: { parent: { select: { status: true, role: true } } },
  });
  const covered = new Map<string, Money>();
  for (const stop of stops) {
    const isArmed = stop.parent === null || stop.parent.status === "FILLED" || stop.parent.role === "TARGET";
    if (!isArmed) continue;
    const open = money(stop.qty ?? 0).minus(money(stop.filledQty));
    covered.set(stop.symbol, (covered.get(stop.symbol) ?? ZERO).plus(open));
  }
  return covered;
}
