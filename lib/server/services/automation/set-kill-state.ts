import type { KillStateName } from "@/lib/domain/enums.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { lowerFirst } from "@/lib/domain/insight/sentence-parts.ts";
import { recordEvent } from "../../core/record-event.ts";
import { callFacts, recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db.ts";
import { KILL_STATE_TEXT } from "@/lib/domain/kill-state-text.ts";
import { strictness } from "@/lib/domain/kill-strictness.ts";
import type { Account } from "../../core/row-types.ts";
import {
  isAdministrator,
  reasonGiven,
  reasonNeeded,
  requireAdministrator,
  accountForOperator,
} from "../../core/account-for-operator.ts";
import { requireStepUp } from "../../core/require-step-up.ts";
import { inTransaction, lockAccount } from "../../core/transaction.ts";
import { refuseWithUnresolvedOrders } from "./unresolved-orders.ts";

export interface KillChange {
  killState: KillStateName;
  /** False when the state was in force already. */
  isChanged: boolean;
}

/** Whom a change stops; without a user or an account, all of them. */
interface KillTarget {
  accountId?: string;
  userId?: string;
  symbol?: string;
  reason: string | null;
}

export interface KillInput {
  killState: KillStateName;
  /** Required to resume trading, optional otherwise. */
  reason?: string | null;
  /** The state that the caller saw in force; without one, whatever is in force may be loosened. */
  from?: KillStateName;
}

/**
 * Stops an account, or resumes it. A stricter state is always taken. A freer one needs a reason, and is
 * refused while an order's status is unknown, while the account is halted, and to the owner where an
 * administrator stopped it. The next order meets the state in the transaction that marks it for sending.
 */
export async function setAccountKillState(
  context: Context,
  { id, ...change }: KillInput & { id: string },
): Promise<KillChange> {
  await accountForOperator(context, id);
  const changed = await inTransaction(context, async (tx) => {
    const account = await lockAccount(tx, id);
    if (account.deletedAt !== null) throw new Failure("not_found", "Account not found.");
    return changeAccountKillState(context, tx, account, change);
  });
  return logged(context, changed, { accountId: id, reason: reasonGiven(change.reason) });
}

/** The same as a part of the caller's transaction, who holds the account's lock, may change it, and logs the change after the commit. */
export async function changeAccountKillState(
  context: Context,
  tx: Tx,
  account: Account,
  { killState, reason, from }: KillInput,
): Promise<KillChange> {
  const { id } = account;
  const isAdmin = isAdministrator(context.actor);
  const step = strictness(killState) - strictness(account.killState);
  // A stop that an administrator puts on an account that its owner closes outlives the closing.
  const isOverClosing = account.closingSource === "OWNER" && account.keptKillState !== killState;
  const isTakenOver =
    step === 0 && killState !== "NONE" && isAdmin && (account.killSource !== "ADMIN" || isOverClosing);
  if (step === 0 && !isTakenOver) return { killState, isChanged: false };
  if (step < 0) {
    refuseOvertaken(account.killState, from);
    requireStepUp(context);
    refuseToOwner(account, isAdmin);
    if (account.haltedAt !== null)
      throw new Failure("conflict", `The account is halted and has to be resumed first: ${account.haltReason ?? ""}`);
    await refuseWithUnresolvedOrders(tx, { accountId: id });
  }
  const why = step < 0 ? reasonNeeded(reason) : reasonGiven(reason);
  const at = context.now();
  await tx.account.update({
    where: { id },
    data: {
      ...(killState === "NONE"
        ? { killState, killReason: null, killSource: null, killSetAt: null }
        : { killState, killReason: why, killSource: sourceAfter(account, step, isAdmin), killSetAt: at }),
      // An account that is sold no more is not on its way out either.
      ...(killState === "FLATTEN" ? {} : { closingAt: null, closingSource: null }),
      ...(isTakenOver && isOverClosing
        ? { keptKillState: killState, keptKillSource: "ADMIN" as const, keptKillReason: why, keptKillSetAt: at }
        : {}),
    },
  });
  const message = `${headline("This account", killState)}. ${KILL_STATE_TEXT[killState]}${why === null ? "" : ` Reason: ${why}`}`;
  await recordEvent(context, tx, {
    level: killState === "NONE" ? "info" : "warn",
    message,
    userId: account.userId,
    accountId: id,
    alerts: [
      {
        to: { userId: account.userId },
        key: `kill-state:${id}:${at.toISOString()}`,
        isUrgent: true,
        subject: headline("Your account", killState),
      },
    ],
  });
  await audit(context, tx, { at, from: account.killState, to: killState, reason: why, account });
  return { killState, isChanged: true };
}

/** The same for every account at once. For administrators; accounts keep their own states beside it. */
export async function setSystemKillState(
  context: Context,
  { killState, reason, from }: KillInput,
): Promise<KillChange> {
  requireAdministrator(context.actor);
  return inTransaction(context, async (tx) => {
    // Orders share this lock while they are marked for sending: none is between its last look and its mark.
    await tx.$queryRaw`select 1 from "SystemState" where "id" = 1 for update`;
    const system = await tx.systemState.findUniqueOrThrow({ where: { id: 1 } });
    const step = strictness(killState) - strictness(system.killState);
    if (step === 0) return { killState, isChanged: false };
    if (step < 0) {
      refuseOvertaken(system.killState, from);
      requireStepUp(context);
      await refuseWithUnresolvedOrders(tx, { account: { deletedAt: null } });
    }
    const why = step < 0 ? reasonNeeded(reason) : reasonGiven(reason);
    const at = context.now();
    await tx.systemState.update({
      where: { id: 1 },
      data:
        killState === "NONE"
          ? { killState, killReason: null, killSetAt: null }
          : { killState, killReason: why, killSetAt: at },
    });
    const message = `${headline("Every account", killState)}. ${KILL_STATE_TEXT[killState]}${why === null ? "" : ` Reason: ${why}`}`;
    await recordEvent(context, tx, {
      level: killState === "NONE" ? "info" : "warn",
      message,
      userId: null,
      alerts: [
        {
          to: "administrators",
          key: `kill-state:system:${at.toISOString()}`,
          isUrgent: true,
          subject: headline("Every account", killState),
        },
      ],
    });
    await audit(context, tx, { at, from: system.killState, to: killState, reason: why, account: null });
    return { killState, isChanged: true };
  }).then((change) => logged(context, change, { reason: reasonGiven(reason) }));
}

/**
 * Refuses a loosening by a caller who saw another state than the one in force: they meant to tighten what they saw, or to
 * lift a stop that has become another one since.
 */
export function refuseOvertaken(inForce: KillStateName, seen: KillStateName | undefined): void {
  if (seen !== undefined && seen !== inForce)
    throw new Failure(
      "conflict",
      `The kill switch was changed meanwhile. In force now: ${KILL_STATE_TEXT[inForce]} Look at it, then change it again.`,
    );
}

function refuseToOwner(account: Account, isAdmin: boolean): void {
  const isOwnersToLift = account.killSource === "OWNER" || account.killSource === "DRAWDOWN";
  if (!isAdmin && !isOwnersToLift)
    throw new Failure("forbidden", "An administrator stopped this account: only an administrator can resume it.");
}

/** Who may lift the stop afterwards: what an administrator stopped stays theirs, however the owner tightens it. */
function sourceAfter({ killSource }: Account, step: number, isAdmin: boolean): Account["killSource"] {
  if (step < 0 || killSource === "ADMIN") return killSource;
  return isAdmin ? "ADMIN" : "OWNER";
}

export function headline(what: string, killState: KillStateName): string {
  switch (killState) {
    case "NONE":
      return `The stop of ${lowerFirst(what)} was lifted`;
    case "NO_NEW_ENTRIES":
      return `${what} opens no new positions`;
    case "REDUCE_ONLY":
      return `${what} only reduces its positions`;
    case "FLATTEN":
      return `${what} sells its positions`;
  }
}

async function audit(
  context: Context,
  tx: Parameters<typeof recordAudit>[0],
  change: { at: Date; from: KillStateName; to: KillStateName; reason: string | null; account: Account | null },
): Promise<void> {
  const { at, from, to, reason, account } = change;
  await recordAudit(tx, {
    at,
    eventType: account ? "KILL_STATE_SET" : "SYSTEM_KILL_STATE_SET",
    ...callFacts(context),
    ...(account ? { subjectUserId: account.userId } : {}),
    data: { accountId: account?.id ?? null, from, to },
    personal: { reason },
  });
}

export function logged<C extends KillChange>(context: Context, change: C, target: KillTarget): C {
  if (change.isChanged)
    context.log[change.killState === "NONE" ? "info" : "warn"]("kill-state.set", {
      accountId: null,
      userId: null,
      symbol: null,
      ...target,
      state: change.killState,
    });
  return change;
}
