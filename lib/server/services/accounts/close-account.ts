import type { adminUsersApi } from "@/lib/contracts/admin-users.ts";
import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { Context } from "../../context.ts";
import { reasonNeeded, requireAdministrator, accountForOperator } from "../../core/account-for-operator.ts";
import { endAccount } from "./end-account.ts";
import { hasNothingToSell } from "./has-nothing-to-sell.ts";
import { startClosing } from "./remove-account.ts";

/** An administrator closes a user's account: as its owner deletes it, with the reason in the trail. */
export async function closeAccount(
  context: Context,
  { id, closePositions, reason }: Received<typeof adminUsersApi.closeAccount>,
): Promise<Given<typeof adminUsersApi.closeAccount>> {
  requireAdministrator(context.actor);
  const why = reasonNeeded(reason);
  const account = await accountForOperator(context, id);
  if (closePositions && !(await hasNothingToSell(context, id))) {
    await startClosing(context, account, `An administrator closes the account, its positions are sold first: ${why}`);
    return { state: "closing" };
  }
  await endAccount(context, account, { reason: why });
  return { state: "deleted" };
}
