import { accountTitle } from "@/lib/domain/account-title.ts";
import type { BriefFacts, HoldFacts } from "@/lib/domain/insight/facts.ts";
import type { Context } from "../../context.ts";
import { HOLDING_USER, holdsOfAccount, holdsOfAll } from "../automation/holds.ts";
import { isFlagOn } from "../flags/read-flags.ts";
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
      select: HOLDING_USER,
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
  const ofAll = holdsOfAll(user, system, isEnabled);
  const forAll: HoldFacts[] = [
    ...(ofAll.system === null ? [] : [{ kind: "ALL_RESTRICTED" as const, ...ofAll.system }]),
    ...(ofAll.user === null ? [] : [{ kind: "ALL_RESTRICTED" as const, ...ofAll.user }]),
    ...(ofAll.pause === null ? [] : [{ kind: "PAUSED" as const, ...ofAll.pause }]),
    ...(ofAll.isQueuePaused ? [{ kind: "QUEUE_PAUSED" as const }] : []),
    ...(ofAll.isSwitchedOff ? [{ kind: "SWITCHED_OFF" as const }] : []),
  ];
  const isOnly = accounts.length === 1;
  return {
    holds: [...accounts.flatMap((account) => holdsOf(account, isOnly ? null : accountTitle(account))), ...forAll],
    unknownOrders: countOf("UNKNOWN"),
    parkedOrders: countOf("PARKED"),
  };
}

function holdsOf(row: BriefAccount, account: string | null): HoldFacts[] {
  const { halt, restriction, isPaused } = holdsOfAccount(row);
  return [
    ...(halt === null ? [] : [{ kind: "HALTED" as const, account, ...halt }]),
    ...(restriction === null ? [] : [{ kind: "RESTRICTED" as const, account, ...restriction }]),
    ...(isPaused ? [{ kind: "ACCOUNT_PAUSED" as const, account }] : []),
  ];
}
