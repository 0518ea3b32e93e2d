import { setTimeout as delay } from "node:timers/promises";
import { AWAITING_ANSWER, awaitsAnswer, UNSETTLED, UNSENT } from "@/lib/domain/protocol/intent-states.ts";
import { afterLookup, isUnresolved, isLookupDue } from "@/lib/domain/protocol/lookup.ts";
import { PARKED_ASK_MS, SETTLE_WINDOW_MS, UNSENT_DEADLINE_MS } from "@/lib/domain/protocol/settings.ts";
import { latestOf, sinceMs } from "@/lib/domain/wall-clock.ts";
import { INTERRUPTED_BEFORE_SENDING } from "../orders/unsent.ts";
import type { Account, Intent } from "../../core/row-types.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import type { Broker, BrokerOrder } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import { crashPoint } from "../../crash-point.ts";
import { inAccountQueue } from "../../core/account-queue.ts";
import { changeIntents } from "../orders/change-intents.ts";
import { isSessionOver, sentAtMs, waitedMs, walkOrders } from "../orders/look-up-order.ts";
import { askAt, recordOutcome } from "../orders/record-outcome.ts";
import { inTransaction } from "../../core/transaction.ts";

export interface SettleOptions {
  /** Not found for this long after it was sent: parked. Wall time. */
  settleWindowMs?: number;
  /** Asks every open question at once, whatever the schedule says. */
  isImpatient?: boolean;
  /** Continues until no question is open. */
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
export async function resolveUnknownOrders(
  context: Context,
  accountId: string,
  { settleWindowMs = SETTLE_WINDOW_MS, isImpatient = false, untilSettled = false }: SettleOptions = {},
): Promise<SettleReport> {
  const report: SettleReport = { adopted: 0, parked: 0, expired: 0, stillUnknown: 0 };
  for (let round = 0; ; round += 1) {
    const intents = await unansweredIntents(context, accountId);
    if (round === 0 && intents.some((intent) => isUnsent(context, intent))) await haltUnsent(context, accountId);
    const open = intents.filter(({ status, submitDeadline }) =>
      isUnresolved(status, submitDeadline?.getTime() ?? null, context.now().getTime()),
    );
    const due = open.filter(({ nextAskAt, status }) =>
      isLookupDue(status, nextAskAt?.getTime() ?? null, context.now().getTime(), isImpatient && round === 0),
    );
    if (due.length > 0) {
      const account = await context.db.account.findUniqueOrThrow({ where: { id: accountId } });
      const broker = context.brokers.forAccount(account);
      for (const intent of due) await ask(context, account, broker, intent, settleWindowMs, report);
    }
    // As they were read, where nothing was asked since.
    const after = due.length === 0 ? intents : await unansweredIntents(context, accountId);
    report.stillUnknown = after.filter(({ status }) => awaitsAnswer(status)).length;
    if (!untilSettled || report.stillUnknown === 0) return report;
    await delay(100);
  }
}

/** Recorded and never marked: its sender is gone, and a sender that still holds it is refused at the mark. */
function isUnsent(context: Context, { status, gateVerdictId, createdAt }: Intent): boolean {
  return (
    UNSENT.some((unsent) => unsent === status) &&
    gateVerdictId !== null &&
    sinceMs(createdAt, context.now()) > UNSENT_DEADLINE_MS
  );
}

async function haltUnsent(context: Context, accountId: string): Promise<void> {
  const now = context.now();
  const lastUnsent = new Date(now.getTime() - UNSENT_DEADLINE_MS);
  const isOver = { OR: [{ createdAt: { lt: lastUnsent } }, { createdAt: { gt: latestOf(0, now) } }] };
  await changeIntents(
    context.db,
    { accountId, gateVerdictId: { not: null }, ...isOver },
    { from: UNSENT, to: "HALTED", data: { lastError: INTERRUPTED_BEFORE_SENDING } },
  );
}

/** Those that were sent and not answered, or never sent, and the parked ones, which may be answered yet. */
async function unansweredIntents({ db }: Context, accountId: string): Promise<Intent[]> {
  return db.intent.findMany({
    where: { accountId, status: { in: [...UNSETTLED] } },
    orderBy: { createdAt: "asc" },
  });
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
  let found = await broker.orderByClientId(intent.clientOrderId);
  crashPoint("after-ask");
  const hasOrder = isParked && (await context.db.order.count({ where: { intentId: intent.id } })) > 0;
  const isOver = isParked && (await isSessionOver(broker, intent));
  for (let wasWalked = false; ; wasWalked = true) {
    const step = afterLookup({
      status,
      isFound: found !== null,
      wasWalked,
      waitedMs: waitedMs(context, intent),
      settleWindowMs,
      isSessionOver: isOver,
      hasOrder,
    });
    switch (step) {
      case "adopt":
        if (found) await adopt(context, intent, found, report);
        return;
      case "ask_later":
        return askLater(context, intent, sentAtMs(intent) + settleWindowMs);
      case "walk":
        found = await walkOrders(broker, intent);
        crashPoint("after-walk");
        break;
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
async function askLater(context: Context, { id, status, askCount }: Intent, endOfWindowMs: number): Promise<void> {
  const isParked = status === "PARKED";
  const nextAskAt = isParked
    ? new Date(context.now().getTime() + PARKED_ASK_MS)
    : askAt(context, askCount + 1, endOfWindowMs);
  await changeIntents(
    context.db,
    { id },
    {
      from: isParked ? ["PARKED"] : AWAITING_ANSWER,
      to: isParked ? "PARKED" : "UNKNOWN",
      data: { askCount: { increment: 1 }, nextAskAt },
    },
  );
}

async function adopt(context: Context, intent: Intent, order: BrokerOrder, report: SettleReport): Promise<void> {
  await inAccountQueue(intent.accountId, () => recordOutcome(context, intent, { kind: "found", order }));
  crashPoint("after-adopt");
  report.adopted += 1;
}

/** Closes the intent, unless it was resolved meanwhile. */
async function close(
  context: Context,
  account: Account,
  intent: Intent,
  status: "PARKED" | "EXPIRED",
  reason: string,
): Promise<void> {
  await inTransaction(context, async (tx) => {
    const data = {
      lastError: reason,
      askCount: { increment: 1 },
      nextAskAt: status === "PARKED" ? new Date(context.now().getTime() + PARKED_ASK_MS) : null,
    };
    const changed = await changeIntents(tx, { id: intent.id }, { from: [intent.status], to: status, data });
    crashPoint("inside-park");
    if (changed === 0) return;
    const { clientOrderId, symbol, side } = intent;
    context.log.error("unknown-order.settled", { accountId: account.id, clientOrderId, symbol, side, status, reason });
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
