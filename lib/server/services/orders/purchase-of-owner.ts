import { WORKING_STATUSES } from "@/lib/domain/orders.ts";
import type { Db } from "../../db.ts";

/**
 * Whether the account's owner has a purchase of the symbol open at the broker beside which a sale at market and a stop alone are refused as a
 * wash trade. Brackets, pairs (OCO) and trailing stops are exempt, so that an order of ours may rest beside it.
 */
export async function hasPurchaseOfOwner(db: Db, accountId: string, symbol: string): Promise<boolean> {
  const open = await db.order.count({
    where: {
      ...{ accountId, symbol, side: "BUY", origin: "EXTERNAL", status: { in: [...WORKING_STATUSES] } },
      ...{ orderClass: { notIn: ["BRACKET", "OCO"] }, type: { not: "TRAILING_STOP" } },
    },
  });
  return open > 0;
}
