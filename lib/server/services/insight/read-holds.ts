import type { BriefFacts, HoldFacts } from "@/lib/domain/insight/facts.ts";
import type { Context } from "../../context.ts";
import { KILL_STATE_TEXT } from "../automation/set-kill-state.ts";
import { isFlagOn } from "../flags/read-flags.ts";
import { accountTitle } from "../../core/account-title.ts";
import type { BriefAccount, BriefScope } from "./accounts-of-brief.ts";

/** What keeps the automation from buying now, that of single accounts first, and orders whose status is unknown. */
export async function readHolds(
  context: Context,
  { accounts }: BriefScope,
): Promise<Pick<BriefFacts, "holds" | "unknownOrders" | "parkedOrders">> {
  const { db } = context;
  const [user, system, isEnabled, open] = await Promise.all([
    db.user.findUniqueOrThrow({
      where: { id: accounts[0].userId },
      select: { automationPausedAt: true, pausedReason: true, killState: true, killReason: true },
    }),
    db.systemState.findUniqueOrThrow({ where: { id: 1 } }),
    isFlagOn(context, "automation_enabled"),
    db.intent.groupBy({
      by: ["status"],
      where: { accountId: { in: accounts.map(({ id }) => id) }, status: { in: ["UNKNOWN", "PARKED"] } },
      _count: true,
    }),
  ]);
  const countOf = (status: string) => open.find((row) => row.status === status)?._count ?? 0;
  const forAll: HoldFacts[] = [
    ...(system.killState === "NONE"
      ? []
      : [{ kind: "ALL_RESTRICTED" as const, meaning: KILL_STATE_TEXT[system.killState], reason: system.killReason }]),
    ...(user.killState === "NONE"
      ? []
      : [{ kind: "ALL_RESTRICTED" as const, meaning: KILL_STATE_TEXT[user.killState], reason: user.killReason }]),
    ...(user.automationPausedAt === null ? [] : [{ kind: "PAUSED" as const, reason: user.pausedReason }]),
    ...(system.isQueueActive ? [] : [{ kind: "QUEUE_PAUSED" as const }]),
    ...(isEnabled ? [] : [{ kind: "SWITCHED_OFF" as const }]),
  ];
  const isOnly = accounts.length === 1;
  return {
    holds: [...accounts.flatMap((account) => holdsOf(account, isOnly ? null : accountTitle(account))), ...forAll],
    unknownOrders: countOf("UNKNOWN"),
    parkedOrders: countOf("PARKED"),
  };
}

function holdsOf(
  { haltedAt, haltReason, killState, killReason, status }: BriefAccount,
  account: string | null,
): HoldFacts[] {
  return [
    ...(haltedAt === null ? [] : [{ kind: "HALTED" as const, account, reason: haltReason }]),
    ...(killState === "NONE"
      ? []
      : [{ kind: "RESTRICTED" as const, account, meaning: KILL_STATE_TEXT[killState], reason: killReason }]),
    ...(status === "PAUSED" ? [{ kind: "ACCOUNT_PAUSED" as const, account }] : []),
  ];
}
