import type { accountsApi } from "@/lib/contracts/accounts.ts";
import type { Given } from "@/lib/contracts/endpoint.ts";
import type { Context } from "@/lib/server/context.ts";
import { signedInUserId } from "../auth/signed-in-user-id.ts";
import { accountColumns, accountView } from "./account-view.ts";

export async function listAccounts({ actor, db }: Context): Promise<Given<typeof accountsApi.list>> {
  const accounts = await db.account.findMany({
    where: { userId: signedInUserId(actor), deletedAt: null },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    select: accountColumns,
  });
  return accounts.map(accountView);
}
