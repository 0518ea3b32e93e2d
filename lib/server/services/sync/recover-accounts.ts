import type { Context } from "../../context.ts";
import { withAccountWriter } from "../../core/account-writer.ts";
import { recoverAccount } from "./recover-account.ts";

/**
 * Start-up and recovery are one path: every account's unknowns are settled and its books reconciled before
 * anything new is decided. An account whose recovery fails takes no new orders until one succeeds: its
 * `reconciledAt` is emptied, which the gates read, and the reason is in the log.
 */
export async function recoverAccounts(context: Context): Promise<void> {
  const accounts = await context.db.account.findMany({
    where: { deletedAt: null, sealedKeys: { not: null } },
    select: { id: true },
  });
  for (const { id } of accounts) {
    try {
      await withAccountWriter(context, id, () => recoverAccount(context, id));
    } catch (error) {
      await context.db.account.update({ where: { id }, data: { reconciledAt: null } });
      context.log.error("recovery.failed", { accountId: id, err: error });
    }
  }
  context.log.info("recovery.completed", { accounts: accounts.length });
}
