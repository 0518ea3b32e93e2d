import type { Context } from "../../context.ts";
import { endAsWriter } from "./end-account.ts";
import { hasNothingToSell } from "./has-nothing-to-sell.ts";

/**
 * Deletes an account whose owner wanted its positions sold first, once they are. The caller has just held the books
 * against the broker's, and is the account's single writer.
 */
export async function finishClosing(context: Context, accountId: string): Promise<void> {
  const account = await context.db.account.findFirst({
    where: { id: accountId, deletedAt: null, closingAt: { not: null } },
  });
  if (!account || !(await hasNothingToSell(context, accountId))) return;
  await endAsWriter(context, account, account.writerEpoch, { isClosing: true });
}
