import { money } from "@/lib/domain/money.ts";
import { type Instant, newYork, newYorkInstant } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import type { Withdrawal } from "./account-effect.ts";

/** What was taken out of an account from a decision on, oldest first. Money of its day counts where the broker tells no moment. */
export async function withdrawalsSince(
  { db }: Pick<Context, "db">,
  { accountId, decidedAt }: { accountId: string; decidedAt: Instant },
): Promise<Withdrawal[]> {
  const day = new Date(newYorkInstant(newYork(decidedAt).date, 0, 0));
  const flows = await db.cashFlow.findMany({
    where: {
      accountId,
      isExternal: true,
      amount: { lt: 0 },
      at: { gte: day },
      OR: [{ movedAt: null }, { movedAt: { gt: new Date(decidedAt) } }],
    },
    select: { amount: true, at: true, movedAt: true },
    orderBy: [{ at: "asc" }, { id: "asc" }],
  });
  return flows.map(({ amount, at, movedAt }) => ({
    at: (movedAt ?? at).toISOString(),
    amount: money(amount).negated(),
  }));
}
