import type { Context } from "../../context.ts";
import { withAccountWriter } from "../../core/account-writer.ts";
import { accountsToProtect } from "./bare-shares.ts";
import { protectPositions } from "./protect-positions.ts";

/** One round of the worker over all accounts with bare shares; beside the queue, so that none has to be woken for it. */
export async function protectAccounts(context: Context): Promise<void> {
  for (const accountId of await accountsToProtect(context.db, context.now())) {
    await withAccountWriter(context, accountId, (epoch) => protectPositions(context, accountId, epoch)).catch(
      (error: unknown) => context.log.error("protection.failed", { accountId, err: error }),
    );
  }
}
