import { Failure } from "@/lib/domain/failures.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { recordEvent } from "../../core/record-event.ts";
import { requireStepUp } from "../../core/require-step-up.ts";
import type { Account } from "../../core/row-types.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db.ts";
import { KILL_STATE_TEXT } from "@/lib/domain/kill-state-text.ts";
import { refuseWithUnresolvedOrders } from "./unresolved-orders.ts";

/** True where the owner of an account that is being closed started that, so that they can take it back. */
export function isOwnersClosing({
  closingAt,
  closingSource,
  killSource,
}: Pick<Account, "closingAt" | "closingSource" | "killSource">): boolean {
  if (closingAt === null) return false;
  // Rows of before do not say who closes: what an administrator had stopped may be closed by either.
  return closingSource === null ? killSource !== "ADMIN" : closingSource !== "ADMIN";
}

/**
 * The owner keeps an account that they were closing: it is neither sold nor deleted any more. An administrator's stop that the
 * closing replaced holds again, and so does the one after a drawdown. The caller holds the account's lock.
 */
export async function keepAccount(context: Context, tx: Tx, account: Account, why: string): Promise<void> {
  const { id, userId } = account;
  requireStepUp(context);
  if (!isOwnersClosing(account))
    throw new Failure("forbidden", "An administrator closes this account: only an administrator can keep it.");
  // While it is halted nothing is sold in it, and what ends the halt asks for the orders first.
  if (account.haltedAt === null) await refuseWithUnresolvedOrders(tx, { accountId: id });
  const at = context.now();
  const stop = stopAfter(account);
  await tx.account.update({
    where: { id },
    data: {
      ...stop,
      ...{ closingAt: null, closingSource: null },
      ...{ keptKillState: null, keptKillSource: null, keptKillReason: null, keptKillSetAt: null },
    },
  });
  const { killState } = stop;
  const whose = stop.killSource === "DRAWDOWN" ? "The stop after the drawdown" : "An administrator's stop";
  const stopped = killState === "NONE" ? "" : ` ${whose} still holds: ${KILL_STATE_TEXT[killState]}`;
  await recordEvent(context, tx, {
    level: "info",
    message: `The account is not deleted, and is no longer sold.${stopped} Reason: ${why}`,
    userId,
    accountId: id,
  });
  await recordAudit(tx, {
    at,
    eventType: "KILL_STATE_SET",
    actor: context.actor,
    subjectUserId: userId,
    ipAddress: context.request.ipAddress,
    requestId: context.request.id,
    data: { accountId: id, from: account.killState, to: killState, isKept: true },
    personal: { reason: why },
  });
}

type Stop = Pick<Account, "killState" | "killReason" | "killSource" | "killSetAt">;

function stopAfter(account: Account): Stop {
  const { killState, killReason, killSource, killSetAt, keptKillState } = account;
  if (keptKillState !== null)
    return {
      killState: keptKillState,
      killReason: account.keptKillReason,
      killSource: account.keptKillSource ?? "ADMIN",
      killSetAt: account.keptKillSetAt,
    };
  // An administrator's stop with no note of what it was before stays as it is.
  if (killSource === "ADMIN") return { killState, killReason, killSource, killSetAt };
  return { killState: "NONE", killReason: null, killSource: null, killSetAt: null };
}
