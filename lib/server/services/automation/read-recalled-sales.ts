import { WORKING_STATUSES } from "@/lib/domain/orders.ts";
import type { Context } from "../../context.ts";
import { byAccount } from "../../core/by-account.ts";
import type { Account } from "../../core/row-types.ts";
import type { AskedBack } from "./ask-back.ts";

/**
 * Open sales of a stop that sold everything, in accounts in which no level says so any more: the stop was lifted, or the deletion of the
 * account was taken back, after they were sent.
 */
export async function readRecalledSales({
  db,
}: Pick<Context, "db">): Promise<{ account: Account; sales: AskedBack[] }[]> {
  const { killState } = await db.systemState.findUniqueOrThrow({ where: { id: 1 } });
  if (killState === "FLATTEN") return [];
  const intents = await db.intent.findMany({
    where: {
      status: "LIVE",
      purpose: "FLATTEN",
      account: {
        ...{ deletedAt: null, sealedKeys: { not: null }, killState: { not: "FLATTEN" } },
        user: { killState: { not: "FLATTEN" } },
      },
    },
    select: { id: true },
  });
  if (intents.length === 0) return [];
  const open = await db.order.findMany({
    where: { intentId: { in: intents.map(({ id }) => id) }, origin: "OURS", status: { in: [...WORKING_STATUSES] } },
    select: { id: true, accountId: true, brokerOrderId: true, clientOrderId: true, symbol: true },
  });
  const accounts = await db.account.findMany({
    where: { id: { in: open.map(({ accountId }) => accountId) } },
    orderBy: { id: "asc" },
  });
  const salesOf = byAccount(open);
  return accounts.map((account) => ({ account, sales: salesOf(account.id) }));
}
