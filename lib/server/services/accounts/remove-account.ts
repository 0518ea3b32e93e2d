import type { accountsApi } from "@/lib/contracts/accounts.ts";
import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import { ACCESS_TEXT } from "@/lib/domain/account-access.ts";
import { Failure } from "@/lib/domain/failures.ts";
import type { Context } from "../../context.ts";
import { changeAccountKillState, logged } from "../automation/set-kill-state.ts";
import { areKeysUnopenable } from "../sync/key-halts.ts";
import type { Account } from "../../core/row-types.ts";
import { callFacts, recordAudit } from "../../audit/record-audit.ts";
import { isAdministrator } from "../../core/account-for-operator.ts";
import { inTransaction, lockAccount } from "../../core/transaction.ts";
import { accountNotFound, endAccount } from "./end-account.ts";
import { hasNothingToSell } from "./has-nothing-to-sell.ts";

type Removal = Received<typeof accountsApi.remove>;

/**
 * The owner deletes an account. Positions stay with their protective stops, unless `closePositions`: then the account
 * is flattened first, by the worker and while the market is open, and deleted when nothing is left (finish-closing.ts).
 */
export async function removeAccount(
  context: Context<"user">,
  { id, closePositions = "false", leaveBare = "false" }: Pick<Removal, "id"> & Partial<Removal>,
  { isErasure = false }: { isErasure?: boolean } = {},
): Promise<Given<typeof accountsApi.remove>> {
  const { userId } = context.actor;
  const account = await context.db.account.findFirst({ where: { id, userId, deletedAt: null } });
  if (!account) throw accountNotFound();
  if (closePositions === "true" && !(await hasNothingToSell(context, id))) {
    await startClosing(context, account);
    return { id, state: "closing" };
  }
  await endAccount(context, account, { isErasure, mayLeaveRejected: leaveBare === "true" });
  return { id, state: "deleted" };
}

/** Flattens the account; once nothing is left it is deleted. `reason` is sent to its owner. */
export async function startClosing(
  context: Context,
  account: Account,
  reason = "Its owner deletes the account: its positions are sold first.",
): Promise<void> {
  const { id, userId } = account;
  refuseToClose(context, account);
  const closingSource = isAdministrator(context.actor) ? ("ADMIN" as const) : ("OWNER" as const);
  // In one transaction: what is sold and not known to be closing would have lost the stop that it keeps.
  const change = await inTransaction(context, async (tx) => {
    const before = await lockAccount(tx, id);
    if (before.deletedAt !== null) throw accountNotFound();
    if (before.closingAt !== null) {
      // From now on its owner cannot keep it.
      if (closingSource === "ADMIN")
        await tx.account.update({ where: { id }, data: { closingSource, killSource: "ADMIN" } });
      return null;
    }
    const killed = await changeAccountKillState(context, tx, before, { killState: "FLATTEN", reason });
    const at = context.now();
    await tx.account.update({ where: { id }, data: { closingAt: at, closingSource, ...keptStop(before) } });
    await recordAudit(tx, {
      at,
      eventType: "ACCOUNT_CLOSING",
      ...callFacts(context),
      subjectUserId: userId,
      data: { accountId: id },
    });
    return killed;
  });
  if (change !== null) logged(context, change, { accountId: id, reason });
}

/**
 * The stop that the closing replaces, to be restored where the account is kept: an administrator's, or the one after a drawdown. The owner's
 * own ends as it does when they resume; the closing itself is none, also where an administrator closes.
 */
function keptStop({ killSource, killState, killReason, killSetAt }: Account) {
  const isKept = killSource === "ADMIN" || killSource === "DRAWDOWN";
  return {
    keptKillState: isKept ? killState : null,
    keptKillSource: isKept ? killSource : null,
    keptKillReason: isKept ? killReason : null,
    keptKillSetAt: isKept ? killSetAt : null,
  };
}

/** What cannot send an order cannot sell: the owner sells at the broker, and deletes without selling here. */
function refuseToClose({ brokers }: Context, account: Account): void {
  if (account.broker === "PRACTICE" && !brokers.hasPracticeMarket)
    throw new Failure(
      "conflict",
      "This installation no longer has a practice market. Delete the account without selling.",
    );
  const instead = "Delete it without selling, and sell at the broker.";
  if (account.sealedKeys === null || areKeysUnopenable(account))
    throw new Failure("conflict", `${ACCESS_TEXT[account.access].unusable} ${instead}`);
  if (account.haltedAt !== null)
    throw new Failure(
      "conflict",
      `This account is halted, so nothing can be sold from here. Resume it first. ${instead}`,
    );
  if (account.status === "INACTIVE")
    throw new Failure("conflict", `This account is not confirmed, so nothing can be sold from here. ${instead}`);
}
