import { setTimeout as delay } from "node:timers/promises";
import { afterLookup, isOpenQuestion, isQuestionDue } from "@/lib/domain/protocol/lookup.ts";
import { PARKED_ASK_MS, SETTLE_WINDOW_MS, UNSENT_DEADLINE_MS } from "@/lib/domain/protocol/settings.ts";
import { MINUTE_MS, newYork } from "@/lib/domain/time.ts";
import type { Account, Intent } from "./row-types.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import type { Broker, BrokerOrder } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import { crashPoint } from "../../crash-point.ts";
import { inAccountQueue } from "./account-queue.ts";
import { askAt, recordOutcome } from "./record-outcome.ts";
import { inTransaction } from "./transaction.ts";

/** Market minutes before the decision from which the broker's orders are walked. */
const WALK_OVERLAP_MS = 10 * MINUTE_MS;

export interface SettleOptions {
  /** Not found for this long after it was sent: parked. Wall time. */
  settleWindowMs?: number;
  /** Asks every open question at once, whatever the schedule says. */
  isImpatient?: boolean;
  /** Goes on until no question is open. */
  untilSettled?: boolean;
}

export interface SettleReport {
  adopted: number;
  parked: number;
  expired: number;
  stillUnknown: number;
}

/**
 * Asks the broker what became of orders whose answer was lost. Found: adopted. Not found for the settle
 * window, and not among all orders since: parked, with an alert, and still asked each minute. Nothing is
 * ever sent again from here. Safe to run at any time and twice at once.
 */
export async function settleUnknowns(
  context: Context,
  accountId: string,
  { settleWindowMs = SETTLE_WINDOW_MS, isImpatient = false, untilSettled = false }: SettleOptions = {},
): Promise<SettleReport> {
  const report: SettleReport = { adopted: 0, parked: 0, expired: 0, stillUnknown: 0 };
  await giveUpUnsent(context, accountId);
  for (let round = 0; ; round += 1) {
    const open = await openQuestions(context, accountId);
    const due = open.filter(({ nextAskAt, status }) =>
      isQuestionDue(status, nextAskAt?.getTime() ?? null, context.now().getTime(), isImpatient && round === 0),
    );
    if (due.length > 0) {
      const account = await context.db.account.findUniqueOrThrow({ where: { id: accountId } });
      const broker = context.brokers.forAccount(account);
      for (const intent of due) await ask(context, account, broker, intent, settleWindowMs, report);
    }
    report.stillUnknown = await context.db.intent.count({
      where: { accountId, status: { in: ["SUBMITTING", "UNKNOWN"] } },
    });
    if (!untilSettled || report.stillUnknown === 0) return report;
    await delay(100);
  }
}

/** Recorded and never marked: its sender is gone, and whoever still holds it is refused at the mark. */
async function giveUpUnsent({ db, now }: Context, accountId: string): Promise<void> {
  const before = new Date(now().getTime() - UNSENT_DEADLINE_MS);
  await db.intent.updateMany({
    where: { accountId, status: { in: ["PLANNED", "GATED"] }, gateVerdictId: { not: null }, createdAt: { lt: before } },
    data: { status: "HALTED", lastError: "interrupted before sending" },
  });
}

async function openQuestions({ db, now }: Context, accountId: string): Promise<Intent[]> {
  const sent = await db.intent.findMany({
    where: { accountId, status: { in: ["SUBMITTING", "UNKNOWN", "PARKED"] } },
    orderBy: { createdAt: "asc" },
  });
  return sent.filter(({ status, submitDeadline }) =>
    isOpenQuestion(status, submitDeadline?.getTime() ?? null, now().getTime()),
  );
}

async function ask(
  context: Context,
  account: Account,
  broker: Broker,
  intent: Intent,
  settleWindowMs: number,
  report: SettleReport,
): Promise<void> {
  const { status } = intent;
  const isParked = status === "PARKED";
  const sentAtMs = (intent.submittedAt ?? intent.createdAt).getTime();
  let found = await broker.orderByClientId(intent.clientOrderId);
  crashPoint("after-ask");
  const hasOrder = isParked && (await context.db.order.count({ where: { intentId: intent.id } })) > 0;
  const isSessionOver = isParked && newYork((await broker.clock()).now).date > newYork(intent.decidedAt).date;
  for (let wasWalked = false; ; wasWalked = true) {
    const step = afterLookup({
      status,
      isFound: found !== null,
      wasWalked,
      waitedMs: context.now().getTime() - sentAtMs,
      settleWindowMs,
      isSessionOver,
      hasOrder,
      mayResend: false,
    });
    switch (step) {
      case "adopt":
        if (found) await adopt(context, intent, found, report);
        return;
      case "ask_later":
        return askLater(context, intent, new Date(sentAtMs + settleWindowMs));
      case "walk":
        found = await walk(broker, intent);
        crashPoint("after-walk");
        break;
      case "resend":
      case "park":
        await close(context, account, intent, "PARKED", "not found at the broker within the settle window");
        report.parked += 1;
        return;
      case "expire":
        await close(context, account, intent, "EXPIRED", "never reached the broker: not found after its session");
        report.expired += 1;
        return;
    }
  }
}

/** Unless the question was answered meanwhile. */
async function askLater(context: Context, { id, status, askCount }: Intent, endOfWindow: Date): Promise<void> {
  const isParked = status === "PARKED";
  const nextAskAt = isParked
    ? new Date(context.now().getTime() + PARKED_ASK_MS)
    : askAt(context, askCount + 1, endOfWindow.getTime());
  await context.db.intent.updateMany({
    where: { id, status: isParked ? "PARKED" : { in: ["UNKNOWN", "SUBMITTING"] } },
    data: { ...(isParked ? {} : { status: "UNKNOWN" as const }), askCount: { increment: 1 }, nextAskAt },
  });
}

async function walk(broker: Broker, intent: Intent): Promise<BrokerOrder | null> {
  const since = new Date(intent.decidedAt.getTime() - WALK_OVERLAP_MS).toISOString();
  const orders = await broker.ordersSince(since);
  return orders.find((order) => order.clientOrderId === intent.clientOrderId) ?? null;
}

async function adopt(context: Context, intent: Intent, order: BrokerOrder, report: SettleReport): Promise<void> {
  await inAccountQueue(intent.accountId, () => recordOutcome(context, intent.id, { kind: "found", order }));
  crashPoint("after-adopt");
  report.adopted += 1;
}

/** Gives the question up, unless it was answered meanwhile. */
async function close(
  context: Context,
  account: Account,
  intent: Intent,
  status: "PARKED" | "EXPIRED",
  reason: string,
): Promise<void> {
  await inTransaction(context, async (tx) => {
    const changed = await tx.intent.updateMany({
      where: { id: intent.id, status: intent.status },
      data: {
        status,
        lastError: reason,
        askCount: { increment: 1 },
        nextAskAt: status === "PARKED" ? new Date(context.now().getTime() + PARKED_ASK_MS) : null,
      },
    });
    crashPoint("inside-park");
    if (changed.count === 0) return;
    const { clientOrderId, symbol, side } = intent;
    context.log.error({ accountId: account.id, clientOrderId, symbol, side, reason }, `order ${status.toLowerCase()}`);
    await recordAudit(tx, {
      at: context.now(),
      eventType: status === "PARKED" ? "ORDER_PARKED" : "ORDER_EXPIRED_UNSENT",
      actor: context.actor,
      subjectUserId: account.userId,
      requestId: context.request.id,
      data: { accountId: account.id, clientOrderId, symbol, side, reason },
    });
  });
}
