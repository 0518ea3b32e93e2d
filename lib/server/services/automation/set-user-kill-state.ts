import { Failure } from "@/lib/domain/failures.ts";
import { KILL_STATE_TEXT } from "@/lib/domain/kill-state-text.ts";
import { recordEvent } from "../../core/record-event.ts";
import type { Context } from "../../context.ts";
import { strictness } from "@/lib/domain/kill-strictness.ts";
import { requireStepUp } from "../../core/require-step-up.ts";
import { inTransaction } from "../../core/transaction.ts";
import { refuseWithUnresolvedOrders } from "./unresolved-orders.ts";
import { headline, logged, refuseOvertaken, type KillChange, type KillInput } from "./set-kill-state.ts";
import { reasonGiven, reasonNeeded, requireAdministrator } from "../../core/account-for-operator.ts";

/**
 * Stops all accounts of a person, those that are added later too, or resumes them. For administrators; each account
 * keeps its own state beside it, and the strictest holds. A freer state needs a reason, and is refused while the
 * status of an order of the person is unknown.
 */
export async function setUserKillState(
  context: Context,
  { userId, killState, reason, from }: KillInput & { userId: string },
): Promise<KillChange> {
  requireAdministrator(context.actor);
  return inTransaction(context, async (tx) => {
    // Orders share this lock while they are marked for sending: none is between its last look and its mark.
    await tx.$queryRaw`select 1 from "User" where "id" = ${userId}::uuid for no key update`;
    const user = await tx.user.findUnique({ where: { id: userId }, select: { killState: true } });
    const key = await tx.subjectKey.findUnique({ where: { userId }, select: { erasedAt: true } });
    if (user === null || key?.erasedAt) throw new Failure("not_found", "User not found.");
    const step = strictness(killState) - strictness(user.killState);
    if (step === 0) return { killState, isChanged: false };
    if (step < 0) {
      refuseOvertaken(user.killState, from);
      requireStepUp(context);
      await refuseWithUnresolvedOrders(tx, { account: { userId, deletedAt: null } });
    }
    const why = step < 0 ? reasonNeeded(reason) : reasonGiven(reason);
    const at = context.now();
    await tx.user.update({
      where: { id: userId },
      data:
        killState === "NONE"
          ? { killState, killReason: null, killSetAt: null }
          : { killState, killReason: why, killSetAt: at },
    });
    const message = `${headline("Each of your accounts", killState)}, by an administrator. ${KILL_STATE_TEXT[killState]}${why === null ? "" : ` Reason: ${why}`}`;
    await recordEvent(context, tx, {
      level: killState === "NONE" ? "info" : "warn",
      message,
      userId,
      alerts: [
        {
          to: { userId },
          key: `kill-state:user:${userId}:${at.toISOString()}`,
          isUrgent: true,
          subject: headline("Each of your accounts", killState),
        },
      ],
      at,
      audit: {
        eventType: "USER_KILL_STATE_SET",
        data: { userId, from: user.killState, to: killState },
        personal: { reason: why },
      },
    });
    return { killState, isChanged: true };
  }).then((change) => logged(context, change, { userId, reason: reasonGiven(reason) }));
}
