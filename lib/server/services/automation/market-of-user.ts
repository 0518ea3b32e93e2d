import type { Context } from "../../context.ts";
import { hasMarket } from "../../providers/market-data-registry.ts";
import { signedInUserId } from "../auth/signed-in-user-id.ts";

/** The market whose clock a user sees: that of their newest active account, else the practice market where there is one. */
export async function marketOfUser({ actor, db }: Pick<Context, "actor" | "db">): Promise<"PRACTICE" | "US"> {
  const account = await db.account.findFirst({
    where: { userId: signedInUserId(actor), deletedAt: null, status: { not: "INACTIVE" } },
    orderBy: { createdAt: "desc" },
    select: { market: true },
  });
  return account?.market ?? (hasMarket("PRACTICE") ? "PRACTICE" : "US");
}
