import { UNSENT } from "@/lib/domain/protocol/intent-states.ts";
import type { MarketView, PlannedOrder } from "@/lib/domain/engine/plan.ts";
import type { Policy } from "@/lib/domain/policy.ts";
import { type LegOutcome, legsToSend } from "@/lib/domain/rotation/leg-outcome.ts";
import { gatesOfLeg, orderOfLeg } from "@/lib/domain/rotation/order-of-leg.ts";
import type { Context } from "../../context.ts";
import { withAccountWriter } from "../../core/account-writer.ts";
import { changeIntents } from "../orders/change-intents.ts";
import type { Account } from "../../core/row-types.ts";
import { submitLeg, type SubmitOptions } from "../orders/submit-leg.ts";
import { INTERRUPTED_BEFORE_SENDING } from "../orders/unsent.ts";
import { recoveredSinceStart } from "../sync/recover-accounts.ts";
import { activePolicy } from "../../core/active-policy.ts";
import { isRotationTraded, readConfigRow } from "./config-row.ts";
import { legOf } from "./fingerprint.ts";
import { type LegWithAttempt, recordLegResult, resultOf, WITH_ATTEMPT } from "./leg-state.ts";
import { readState } from "./load-states.ts";
import { refreshMarketView } from "./refresh-market-view.ts";

const WRITER_WAIT_MS = 10_000;
/** A leg that was halted unsent this often has a fault that no further attempt corrects. */
const MOST_ATTEMPTS = 5;

/**
 * The job: sends what may go out now of the executed rotation plans of one account, as its single writer: forced exits and
 * sells first, purchases once every sell is settled. Each call starts from what is recorded, so that whatever ended the one
 * before, the next takes it up: a leg that was sent is never sent again.
 */
export async function sendRotationLegs(context: Context, { accountId }: { accountId: string }): Promise<void> {
  const work = (epoch: number) => sendOf(context, accountId, epoch);
  if ((await withAccountWriter(context, accountId, work, { waitMs: WRITER_WAIT_MS })) === null)
    context.log.info("rotation.deferred", { accountId });
}

async function sendOf(context: Context, accountId: string, epoch: number): Promise<void> {
  const { db } = context;
  const account = await db.account.findUniqueOrThrow({ where: { id: accountId } });
  const plans = await db.rotationPlan.findMany({
    where: { approvalStatus: "EXECUTED", legs: { some: { accountId, outcome: "waiting" } } },
    orderBy: { executedAt: "asc" },
    select: { id: true, expiresAt: true },
  });
  for (const plan of plans) await sendPlan(context, { plan, account, epoch });
}

interface Sending {
  plan: { id: string; expiresAt: Date };
  account: Account;
  epoch: number;
}

async function sendPlan(context: Context, { plan, account, epoch }: Sending): Promise<void> {
  const legs = await context.db.rotationLeg.findMany({
    where: { planId: plan.id, accountId: account.id },
    orderBy: { leg: "asc" },
    include: WITH_ATTEMPT,
  });
  const inHand = legs.map((row) => ({ leg: row.leg, side: row.side, outcome: resultOf(row).outcome, row }));
  const waiting = inHand.filter(({ outcome }) => outcome === "waiting").map(({ row }) => row);
  for (const row of waiting) await withdrawUnsent(context, row);
  const gone = whyGone(account);
  const clock = await context.marketData(account.market).clock();
  if (gone !== null || clock.now >= plan.expiresAt.toISOString()) {
    const outcome: LegOutcome = gone === null ? "expired" : "refused";
    const reason = gone ?? "The plan expired before this order could be sent.";
    for (const row of waiting) await recordLegResult(context, row, account, { outcome, reason }, new Date(clock.now));
    return;
  }
  const isOff = await refuseSwitchedOff(context, waiting, account, clock.now);
  // Recovery comes before new work, a halt waits for a person, and outside a session everything waits.
  if (account.haltedAt !== null || !clock.isOpen || !(await recoveredSinceStart(context, account))) return;
  const policy = await activePolicy(context);
  for (const { row } of legsToSend(inHand)) {
    // What was refused stays so, also where the rotation was switched on again meanwhile.
    const isRefused = isOff ? row.side === "BUY" : await refuseSwitchedOff(context, [row], account, clock.now);
    if (!isRefused) await sendOne(context, { row, account, epoch, policy });
  }
}

/** A rotation that is switched off or a preview buys nothing more, whatever was claimed before; what it sells goes on. Answers whether it refused any. */
async function refuseSwitchedOff(
  context: Context,
  rows: readonly LegWithAttempt[],
  account: Account,
  marketNow: string,
): Promise<boolean> {
  const purchases = rows.filter(({ side }) => side === "BUY");
  if (purchases.length === 0) return false;
  const config = await readConfigRow(context.db);
  if (isRotationTraded(config)) return false;
  const what = config.enabled ? "Rotation was switched to Preview Only" : "Biweekly rotation was disabled";
  const result = { outcome: "refused", reason: `${what} before this order was sent.` } as const;
  for (const row of purchases) await recordLegResult(context, row, account, result, new Date(marketNow));
  return true;
}

function whyGone({ deletedAt, sealedKeys, status }: Account): string | null {
  if (deletedAt !== null) return "the account was deleted";
  if (sealedKeys === null) return "the account has no keys";
  return status === "INACTIVE" ? "the account is inactive" : null;
}

/** A decision that a worker recorded and did not live to send: this writer's epoch fences that worker off. */
async function withdrawUnsent({ db }: Context, { intents: [intent] }: LegWithAttempt): Promise<void> {
  if (intent === undefined) return;
  const data = { lastError: INTERRUPTED_BEFORE_SENDING };
  await changeIntents(db, { id: intent.id }, { from: UNSENT, to: "HALTED", data });
}

interface OneLeg {
  row: LegWithAttempt;
  account: Account;
  epoch: number;
  policy: Policy;
}

async function sendOne(context: Context, { row, account, epoch, policy }: OneLeg): Promise<void> {
  const leg = legOf(row);
  const view = await freshView(context, account, row.symbol);
  if (view === null) return;
  const marketAt = new Date(view.at);
  const attempt = (row.intents[0]?.attempt ?? 0) + 1;
  const state = await readState(context, account, view.at, policy);
  const answer = orderOfLeg(leg, state, view, policy);
  if (answer.order === null || attempt > MOST_ATTEMPTS) {
    const reason = answer.refusal ?? "it could not be sent in several attempts";
    const outcome = answer.order === null && answer.mayPass ? "waiting" : "refused";
    return recordLegResult(context, row, account, { outcome, reason }, marketAt);
  }
  const { purpose, ...order } = answer.order;
  const regate: SubmitOptions["regate"] = (asked, clientOrderId) =>
    askAgain(context, account, policy, leg, { ...asked, purpose }, clientOrderId);
  const broker = context.brokers.forAccount(account);
  const toSend = {
    planId: row.planId,
    decisionId: null,
    rotationLegId: row.id,
    attempt,
    policyVersion: policy.version,
    decidedAt: view.at,
    purpose,
    order,
  };
  const sent = await submitLeg(context, account, broker, toSend, { epoch, regate });
  context.log.info("rotation-leg.submitted", { accountId: account.id, planId: row.planId, ...sent });
  const after = await context.db.rotationLeg.findUniqueOrThrow({ where: { id: row.id }, include: WITH_ATTEMPT });
  const result = resultOf(after);
  const isWaiting = result.outcome === "waiting";
  await recordLegResult(context, row, account, isWaiting ? { ...result, reason: sent.reason } : result, marketAt);
}

async function freshView(context: Context, account: Account, symbol: string): Promise<MarketView | null> {
  const held = await context.db.position.findMany({ where: { accountId: account.id }, select: { symbol: true } });
  return refreshMarketView(context, account.market, [...new Set([symbol, ...held.map((row) => row.symbol)])]);
}

/** Just before sending: the leg's guards and the gates with fresh figures, the leg's own intent left out. */
async function askAgain(
  context: Context,
  account: Account,
  policy: Policy,
  leg: ReturnType<typeof legOf>,
  order: PlannedOrder,
  clientOrderId: string,
) {
  const view = await freshView(context, account, leg.symbol);
  if (view === null) throw new Error("the market view of this session is gone");
  const state = await readState(context, account, view.at, policy);
  const openOrders = state.openOrders.filter((open) => open.clientOrderId !== clientOrderId);
  return gatesOfLeg(leg, order, { ...state, openOrders }, view, policy);
}
