import { ENGINE_VERSION, type AccountState, type MarketView, type Plan } from "@/lib/domain/engine/plan.ts";
import { lookText } from "@/lib/domain/insight/look-text.ts";
import { recordEvent } from "../../core/record-event.ts";
import { asJson } from "../../core/json.ts";
import type { Context } from "../../context.ts";
import { logUserEvents, type UserEvent } from "../../core/log-user-events.ts";
import { inTransaction, lockAccount } from "../../core/transaction.ts";
import { isUniqueViolation, type Tx } from "../../db.ts";
import { hashOf } from "./market-record.ts";

export interface Decision {
  cycleId: string;
  account: { id: string; userId: string };
  snapshotId: string;
  state: AccountState;
  market: MarketView;
  plan: Plan;
}

/** Stores the decision, the engine's memory of positions and what it says to people; null when this cycle was decided before. */
export async function recordDecision(context: Context, decision: Decision): Promise<string | null> {
  try {
    return await inTransaction(context, async (tx) => {
      // A change of an account's switches and positions locks its row first.
      if (decision.plan.latch !== null) await lockAccount(tx, decision.account.id);
      const lines = await readLatestLines(tx, [decision.account.id]);
      const { id } = await tx.decisionRecord.create({ data: rowOf(decision), select: { id: true } });
      await storeReviews(tx, [decision]);
      await logUserEvents(tx, cycleLines([decision], lines));
      await storeDrawdownHalt(context, tx, decision);
      return id;
    });
  } catch (error) {
    if (isUniqueViolation(error)) return null;
    throw error;
  }
}

/** A decision that was made without being the account's writer. */
export interface QuietDecision extends Decision {
  /** When each of the positions that were looked at was opened, by symbol. */
  openedAt: ReadonlyMap<string, Date>;
}

/**
 * The same for decisions that send nothing, of several accounts of a cycle at once. What was decided before stays, and keeps no other
 * from being stored.
 */
export async function recordQuietDecisions(context: Context, decisions: readonly QuietDecision[]): Promise<void> {
  if (decisions.length === 0) return;
  await inTransaction(context, async (tx) => {
    const lines = await readLatestLines(
      tx,
      decisions.map(({ account }) => account.id),
    );
    const made = await tx.decisionRecord.createManyAndReturn({
      data: decisions.map(rowOf),
      skipDuplicates: true,
      select: { accountId: true },
    });
    const ids = new Set(made.map(({ accountId }) => accountId));
    const stored = decisions.filter(({ account }) => ids.has(account.id));
    await storeReviews(tx, stored);
    await logUserEvents(tx, cycleLines(stored, lines));
  });
}

/** What each account's latest decision said, by account. */
async function readLatestLines(tx: Tx, accountIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await tx.$queryRaw<{ id: string; line: string }[]>`
    select w."id", d."line" from unnest(${[...accountIds]}::uuid[]) as w("id") cross join lateral (
      select "line" from "DecisionRecord" where "accountId" = w."id" order by "decidedAt" desc limit 1) d`;
  return new Map(rows.map(({ id, line }) => [id, line]));
}

/**
 * The engine's memory of the positions, in one statement. A position that was sold and bought again since it was looked at has a
 * memory of its own.
 */
async function storeReviews(tx: Tx, decisions: readonly (Decision | QuietDecision)[]): Promise<void> {
  const reviews = decisions.flatMap((decision) =>
    decision.plan.reviews.map(({ symbol, review }) => ({
      accountId: decision.account.id,
      symbol,
      review,
      openedAt: "openedAt" in decision ? (decision.openedAt.get(symbol) ?? null) : null,
    })),
  );
  if (reviews.length === 0) return;
  await tx.$executeRaw`
    update "Position" p set "review" = w."review", "updatedAt" = now()
    from jsonb_to_recordset(${JSON.stringify(reviews)}::jsonb)
      as w("accountId" uuid, "symbol" text, "review" jsonb, "openedAt" timestamptz)
    where p."accountId" = w."accountId" and p."symbol" = w."symbol" and p."review" <> w."review"
      and (w."openedAt" is null or p."openedAt" = w."openedAt")`;
}

function rowOf({ cycleId, account, snapshotId, state, market, plan }: Decision) {
  const { policyVersion, line } = plan;
  return {
    cycleId,
    accountId: account.id,
    engineVersion: ENGINE_VERSION,
    policyVersion,
    snapshotId,
    inputHash: hashOf({ state, market, policyVersion, engineVersion: ENGINE_VERSION }),
    accountState: asJson(state),
    plan: asJson(plan),
    outputHash: hashOf(plan),
    line,
    decidedAt: new Date(market.at),
  };
}

/** A line without its time of day: every five minutes the same words come again, and are not written again. */
const withoutClock = (line: string) => line.replace(/^\d\d:\d\d: /, "");

/** What is said to people, of those decisions whose accounts did not hear the same just before. */
function cycleLines(decisions: readonly Decision[], latest: ReadonlyMap<string, string>): UserEvent[] {
  return decisions.flatMap(({ cycleId, account, market, plan }): UserEvent[] => {
    const previous = latest.get(account.id);
    if (previous !== undefined && withoutClock(previous) === withoutClock(plan.line)) return [];
    const { id: accountId, userId } = account;
    const message = lookText(plan.line);
    return [{ level: "info", message, userId, accountId, cycleId, marketAt: new Date(market.at) }];
  });
}

/** The hard drawdown line was passed: the account only reduces from now on, until a person resumes it. */
async function storeDrawdownHalt(
  context: Context,
  tx: Tx,
  { cycleId, account, market, plan }: Decision,
): Promise<void> {
  const { latch } = plan;
  if (latch === null) return;
  const stopped = await tx.account.findUnique({ where: { id: account.id }, select: { killSource: true } });
  const latched = await tx.account.updateMany({
    // A stricter kill state set meanwhile stays.
    where: { id: account.id, killState: { in: ["NONE", "NO_NEW_ENTRIES"] } },
    data: {
      killState: latch.killState,
      killReason: latch.reason,
      killSource: stopped?.killSource === "ADMIN" ? "ADMIN" : "DRAWDOWN",
      killSetAt: context.now(),
    },
  });
  if (latched.count === 0) return;
  const { id: accountId, userId } = account;
  const message = `The account only reduces its positions until a person resumes it: ${latch.reason}`;
  await recordEvent(context, tx, {
    level: "error",
    message,
    userId,
    accountId,
    cycleId,
    marketAt: new Date(market.at),
    alerts: [
      {
        to: { userId },
        key: `latched:${accountId}:${cycleId}`,
        subject: "Your account only reduces its positions",
        isUrgent: true,
      },
    ],
    audit: { eventType: "ACCOUNT_LATCHED", data: { accountId, killState: latch.killState, reason: latch.reason } },
  });
}
