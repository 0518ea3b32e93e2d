import type { accountsApi } from "@/lib/contracts/accounts.ts";
import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { recordEvent } from "../../core/record-event.ts";
import type { Context } from "../../context.ts";
import { inTransaction } from "../../core/transaction.ts";
import { holdOfAccount } from "../sync/hold-of-account.ts";
import { accountColumns, accountView } from "./account-view.ts";
import { lockOwnAccount } from "./lock-own-account.ts";

const CHANGES = {
  PAUSED: {
    eventType: "ACCOUNT_PAUSED",
    message: "The account is paused: nothing is bought, exits and stops keep working.",
    level: "warn",
  },
  ACTIVE: { eventType: "ACCOUNT_UNPAUSED", message: "The account was resumed after its pause.", level: "info" },
} as const;

/** Pauses an account, or ends the pause. Orders meet it in the transaction that marks them for sending. */
export async function setAccountStatus(
  context: Context<"user">,
  { id, status }: Received<typeof accountsApi.setStatus>,
): Promise<Given<typeof accountsApi.setStatus>> {
  const { actor } = context;
  return inTransaction(context, async (tx) => {
    const account = await lockOwnAccount(tx, actor, id);
    if (account.status === "INACTIVE")
      throw new Failure("conflict", "This account does not trade yet. Confirm it first.");
    if (account.status !== status) {
      await tx.account.update({ where: { id }, data: { status } });
      const { eventType, message, level } = CHANGES[status];
      await recordEvent(context, tx, {
        level,
        message,
        userId: account.userId,
        accountId: id,
        audit: { eventType, data: { accountId: id, from: account.status, to: status } },
      });
    }
    const now = await tx.account.findUniqueOrThrow({ where: { id }, select: accountColumns });
    return { ...accountView(now), heldBy: await holdOfAccount(context, id, tx) };
  });
}
