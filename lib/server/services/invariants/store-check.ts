import { asJson } from "../../core/json.ts";
import type { Context } from "../../context.ts";
import { setSystemKillState } from "../automation/set-kill-state.ts";
import { haltAccount } from "../../core/halt-account.ts";
import type { Account } from "../../core/row-types.ts";
import { inTransaction, lockAccount } from "../../core/transaction.ts";
import { type Breach, breachText, isHalting } from "./table.ts";

/** Accounts are checked once in this time: what was halted within it was halted in one round. Wall time. */
const ROUND_MS = 60_000;
/** More accounts than this, halted in one round, are no account's own trouble. */
const MOST_HALTED = 3;

/**
 * Stores the last look at an account, as it was when the look began; halts it where one of `halting` says so, and
 * all entries where many are.
 */
export async function storeAccountCheck(
  context: Context,
  account: Account,
  result: { breaches: Breach[]; halting: Breach[]; undecided: string | null; startedAt: number },
): Promise<void> {
  const { breaches, halting, undecided, startedAt } = result;
  const reasons = halting.filter(isHalting);
  const at = context.now();
  const isNewlyHalted = await inTransaction(context, async (tx) => {
    await lockAccount(tx, account.id);
    // The reconciliation within the check may have halted it already, with its own reason.
    const isHalt = reasons.length > 0 && account.haltedAt === null;
    const row = {
      checkedAt: at,
      durationMs: Math.round(performance.now() - startedAt),
      isWhole: breaches.length === 0,
      breaches: asJson(breaches),
      undecided,
      ...(isHalt ? { haltedAt: at } : {}),
    };
    const before = await tx.invariantCheck.findUnique({ where: { scope: account.id }, select: { brokenSince: true } });
    const brokenSince = breaches.length === 0 ? null : (before?.brokenSince ?? at);
    await tx.invariantCheck.upsert({
      where: { scope: account.id },
      create: { scope: account.id, accountId: account.id, ...row, brokenSince },
      update: { ...row, brokenSince },
    });
    if (isHalt) await haltAccount(context, tx, account.id, `An invariant is broken. ${breachText(reasons)}`);
    return isHalt;
  });
  if (breaches.length > 0)
    context.log.error("invariants.broken", { accountId: account.id, reason: breachText(breaches) });
  if (isNewlyHalted) await stopAllWhereManyBreak(context);
}

/**
 * Stores a look that found these accounts whole, in one statement, and answers for which: one that was looked at since keeps that look, one
 * that is being deleted keeps none.
 */
export async function storeWhole(
  { db, now }: Context,
  accountIds: readonly string[],
  { begunAt, startedAt }: { begunAt: Date; startedAt: number },
): Promise<string[]> {
  if (accountIds.length === 0) return [];
  // The page's duration divided by its accounts.
  const durationMs = Math.round((performance.now() - startedAt) / accountIds.length);
  const rows = await db.$queryRaw<{ accountId: string }[]>`
    insert into "InvariantCheck" as c ("scope", "accountId", "checkedAt", "durationMs", "isWhole", "breaches")
    select a."id"::text, a."id", ${now()}::timestamptz, ${durationMs}::int, true, '[]'::jsonb
    from (select "id" from "Account" where "id" = any(${[...accountIds]}::uuid[]) order by "id" for key share skip locked) a
    on conflict ("scope") do update
    set "checkedAt" = excluded."checkedAt", "durationMs" = excluded."durationMs", "isWhole" = true, "breaches" = '[]'::jsonb,
      "undecided" = null, "brokenSince" = null
    where c."checkedAt" <= ${begunAt}::timestamptz
    returning c."accountId"::text as "accountId"`;
  return rows.map(({ accountId }) => accountId);
}

async function stopAllWhereManyBreak(context: Context): Promise<void> {
  const since = new Date(context.now().getTime() - ROUND_MS);
  const count = await context.db.invariantCheck.count({
    where: { accountId: { not: null }, haltedAt: { gte: since } },
  });
  if (count > MOST_HALTED) await stopEntries(context, `Invariants broke in ${count} accounts within a minute`);
}

/** No account buys any more until a person says so; exits and stops keep working. A stricter stop stays as it is. */
export async function stopEntries(context: Context, reason: string): Promise<void> {
  const { killState } = await context.db.systemState.findUniqueOrThrow({ where: { id: 1 } });
  if (killState !== "NONE") return;
  await setSystemKillState(context, { killState: "NO_NEW_ENTRIES", reason });
  context.log.error("entries.blocked", { reason });
}
