import { ENGINE_VERSION, type AccountState, type MarketView, type Plan } from "@/lib/domain/engine/plan.ts";
import { lookText } from "@/lib/domain/insight/look-text.ts";
import { recordEvent } from "../../core/record-event.ts";
import { asJson } from "../../core/json.ts";
import type { Context } from "../../context.ts";
import { logUserEvents } from "../../core/log-user-events.ts";
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
      const previous = await tx.decisionRecord.findFirst({
        where: { accountId: decision.account.id },
        orderBy: { decidedAt: "desc" },
        select: { line: true },
      });
      const { id } = await tx.decisionRecord.create({ data: rowOf(decision), select: { id: true } });
      for (const { symbol, review } of decision.plan.reviews) {
        await tx.position.updateMany({
          where: { accountId: decision.account.id, symbol },
          data: { review: asJson(review) },
        });
      }
      await logCycleLine(tx, decision, previous?.line ?? null);
      await storeDrawdownHalt(context, tx, decision);
      return id;
    });
  } catch (error) {
    if (isUniqueViolation(error)) return null;
    throw error;
  }
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

async function logCycleLine(
  tx: Tx,
  { cycleId, account, market, plan }: Decision,
  previous: string | null,
): Promise<void> {
  if (previous !== null && withoutClock(previous) === withoutClock(plan.line)) return;
  await logUserEvents(tx, [
    {
      level: "info",
      message: lookText(plan.line),
      userId: account.userId,
      accountId: account.id,
      cycleId,
      marketAt: new Date(market.at),
    },
  ]);
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
