import { setTimeout as delay } from "node:timers/promises";
import { MINUTE_MS, newYork } from "@/lib/domain/time.ts";
import type { Account, Intent } from "./row-types.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import type { Broker, BrokerOrder } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import { inAccountQueue } from "./account-queue.ts";
import { askAt, recordOutcome } from "./record-outcome.ts";
import { inTransaction } from "./transaction.ts";

const SETTLE_WINDOW_MS = 60_000;
const PARKED_ASK_MS = 60_000;
/** From the record to the mark there are only local steps and a few reads of the broker. */
const UNSENT_DEADLINE_MS = 60_000;
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
    const due = open.filter(
      ({ nextAskAt, status }) =>
        (isImpatient && round === 0) ||
        status === "SUBMITTING" ||
        // A parked intent without a time has its answer already: it waits for a person.
        (nextAskAt === null ? status === "UNKNOWN" : nextAskAt <= context.now()),
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

/** A submission past its deadline has nobody waiting for the answer: it is a question like the others. */
function openQuestions({ db, now }: Context, accountId: string): Promise<Intent[]> {
  return db.intent.findMany({
    where: {
      accountId,
      OR: [{ status: { in: ["UNKNOWN", "PARKED"] } }, { status: "SUBMITTING", submitDeadline: { lt: now() } }],
    },
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
  const found = await broker.orderByClientId(intent.clientOrderId);
  if (found) return adopt(context, intent, found, report);
  if (intent.status === "PARKED") return askParked(context, broker, intent, report);
  const waitedMs = context.now().getTime() - (intent.submittedAt ?? intent.createdAt).getTime();
  if (waitedMs < settleWindowMs) {
    const nextAskAt = askAt(context, intent.askCount + 1);
    const endOfWindow = new Date(context.now().getTime() + settleWindowMs - waitedMs);
    await context.db.intent.updateMany({
      where: { id: intent.id, status: { in: ["UNKNOWN", "SUBMITTING"] } },
      data: {
        status: "UNKNOWN",
        askCount: { increment: 1 },
        nextAskAt: nextAskAt < endOfWindow ? nextAskAt : endOfWindow,
      },
    });
    return;
  }
  // A lookup may lag behind the list: every order since the decision is walked before the question is given up.
  const walked = await walk(broker, intent);
  if (walked) return adopt(context, intent, walked, report);
  await close(context, account, intent, "PARKED", "not found at the broker within the settle window");
  report.parked += 1;
}

async function walk(broker: Broker, intent: Intent): Promise<BrokerOrder | null> {
  const since = new Date(intent.decidedAt.getTime() - WALK_OVERLAP_MS).toISOString();
  const orders = await broker.ordersSince(since);
  return orders.find((order) => order.clientOrderId === intent.clientOrderId) ?? null;
}

async function adopt(context: Context, intent: Intent, order: BrokerOrder, report: SettleReport): Promise<void> {
  await inAccountQueue(intent.accountId, () => recordOutcome(context, intent.id, { kind: "found", order }));
  report.adopted += 1;
}

/** No order outlives a queue for a whole session: after it, and after one more walk, the leg never existed. */
async function askParked(context: Context, broker: Broker, intent: Intent, report: SettleReport): Promise<void> {
  const { now } = await broker.clock();
  const hasOrder = (await context.db.order.count({ where: { intentId: intent.id } })) > 0;
  if (!hasOrder && newYork(now).date > newYork(intent.decidedAt).date) {
    const walked = await walk(broker, intent);
    if (walked) return adopt(context, intent, walked, report);
    const account = await context.db.account.findUniqueOrThrow({ where: { id: intent.accountId } });
    await close(context, account, intent, "EXPIRED", "never reached the broker: not found after its session");
    report.expired += 1;
    return;
  }
  await context.db.intent.updateMany({
    where: { id: intent.id, status: "PARKED" },
    data: { askCount: { increment: 1 }, nextAskAt: new Date(context.now().getTime() + PARKED_ASK_MS) },
  });
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
