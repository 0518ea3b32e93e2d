import type { accountsApi } from "@/lib/contracts/accounts.ts";
import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import { ACCESS_TEXT } from "@/lib/domain/account-access.ts";
import { Failure } from "@/lib/domain/failures.ts";
import type { Context } from "../../context.ts";
import { holdOfAccount } from "../sync/hold-of-account.ts";
import { isOwnersClosing, keepAccount } from "../automation/keep-account.ts";
import { resumeAccount } from "../automation/resume-account.ts";
import { setAccountKillState } from "../automation/set-kill-state.ts";
import { reasonGiven } from "../../core/account-for-operator.ts";
import { inTransaction, lockAccount } from "../../core/transaction.ts";
import { accountNotFound } from "./end-account.ts";

const REASON = "Resumed by its owner";

/**
 * The owner lets an account go on: after a halt its books are compared first; a stop of the drawdown ends with a new mark;
 * a stop of the owner's own is lifted. A closing that they started is taken back first, by itself: that needs no broker, and a reading
 * that ends a halt would go on selling. What an administrator stopped stays stopped. Answers what still holds.
 */
export async function resumeOwnAccount(
  context: Context<"user">,
  { id, reason }: Received<typeof accountsApi.resume>,
): Promise<Given<typeof accountsApi.resume>> {
  const account = await context.db.account.findFirst({
    where: { id, userId: context.actor.userId, deletedAt: null },
  });
  if (!account) throw accountNotFound();
  const why = reasonGiven(reason) ?? REASON;
  const isKept = isOwnersClosing(account);
  if (isKept) await keep(context, id, why);
  const answer = async (isResumed: boolean) => ({ isResumed, isKept, heldBy: await holdOfAccount(context, id) });
  const isDrawdownHalted = account.killSource === "DRAWDOWN";
  if (account.haltedAt === null && isKept) return answer(true);
  if (account.haltedAt === null && !isDrawdownHalted) {
    const { isChanged } = await setAccountKillState(context, { id, killState: "NONE", reason: why });
    return await answer(isChanged);
  }
  try {
    const resumed = await resumeAccount(context, { id, reason: why, resetMark: isDrawdownHalted });
    return await answer(resumed.isResumed || resumed.isDrawdownHaltLifted);
  } catch (error) {
    // It is kept all the same, and the answer says that it is still halted.
    if (isKept && error instanceof Failure) {
      context.log.warn("account.kept-halted", { accountId: id, err: error });
      return answer(false);
    }
    if (error instanceof Failure && error.code === "broker_refused")
      throw new Failure("conflict", ACCESS_TEXT[account.access].stillRefused, { cause: error });
    throw error;
  }
}

async function keep(context: Context<"user">, id: string, why: string): Promise<void> {
  await inTransaction(context, async (tx) => {
    const locked = await lockAccount(tx, id);
    if (locked.deletedAt !== null) throw accountNotFound();
    // Another call kept it while this one waited for the account.
    if (locked.closingAt === null) return;
    await keepAccount(context, tx, locked, why);
  });
}
