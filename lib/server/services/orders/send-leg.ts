import { setTimeout as delay } from "node:timers/promises";
import type { GateResult } from "@/lib/domain/engine/plan.ts";
import { isFreshMark, mayAskAgain, mayPost } from "@/lib/domain/protocol/mark.ts";
import type { Account, Intent } from "../../core/row-types.ts";
import type { Broker, OrderRequest } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import { crashPoint } from "../../crash-point.ts";
import { decimalText, decimalTextOrNull } from "../../rows.ts";
import { traced } from "../../tracing.ts";
import { inAccountQueue } from "../../core/account-queue.ts";
import { changeIntents } from "./change-intents.ts";
import { markSubmitting, renewMark } from "./mark-submitting.ts";
import { recordIntent, type LegToSend } from "./record-intent.ts";
import { GATES_NOT_ASKED } from "./unsent.ts";
import { recordOutcome, type Answer } from "./record-outcome.ts";

export interface SubmittedLeg {
  leg: number;
  symbol: string;
  /** SKIPPED: nothing was recorded, a later cycle decides anew. */
  status: Intent["status"] | "SKIPPED";
  reason: string | null;
}

/** The broker has the order, or has executed it. */
export const isAtBroker = (status: SubmittedLeg["status"]): boolean => status === "LIVE" || status === "FILLED";

export interface SendOptions {
  /** The epoch of this writer of the account (account-writer.ts). */
  epoch: number;
  /** As `refusalToSend` says. */
  isProtective: boolean;
  /** Records a leg that will not be sent, with the reason; null to send it. */
  halted: string | null;
  /** The gates asked again just before sending; the leg's own intent has this client id then. */
  regate: (clientOrderId: string) => GateResult[] | Promise<GateResult[]>;
}

/** A leg whose quantity stands, from the record of its decision to that of its answer: recorded, marked, sent once. */
export function sendLeg(
  context: Context,
  account: Account,
  broker: Broker,
  leg: LegToSend,
  options: SendOptions,
): Promise<SubmittedLeg> {
  return traced("order", { side: leg.order.side, purpose: leg.purpose }, async (span) => {
    const sent = await sendOnce(context, account, broker, leg, options);
    span.set({ outcome: sent.status });
    return sent;
  });
}

/** One of the protocol's steps as a span of its own. */
const step = <T>(name: string, work: () => Promise<T>) => traced("step", { step: name }, work);

async function sendOnce(
  context: Context,
  account: Account,
  broker: Broker,
  leg: LegToSend,
  { epoch, isProtective, halted, regate }: SendOptions,
): Promise<SubmittedLeg> {
  const result = (status: SubmittedLeg["status"], reason: string | null): SubmittedLeg => ({
    leg: leg.order.leg,
    symbol: leg.order.symbol,
    status,
    reason,
  });
  const recorded = await step("t1 intent", () => recordIntent(context, account, leg, { halted, isProtective }));
  if (recorded.kind === "in_flight") return result("SKIPPED", "another order of this symbol and side is in flight");
  crashPoint("after-intent");
  const { intent } = recorded;
  if (intent.status !== "GATED") return result(intent.status, intent.lastError);

  let gates: GateResult[];
  try {
    gates = await step("regate", async () => regate(intent.clientOrderId));
  } catch (error) {
    await withdrawIntent(context, intent, GATES_NOT_ASKED);
    throw error;
  }
  crashPoint("after-regate");
  const { policyVersion } = leg;
  const marking = { intent, epoch, isProtective, gates, policyVersion };
  const mark = await step("t2 mark", () => markSubmitting(context, marking));
  crashPoint("after-mark");
  if (mark.kind === "refused") return result(mark.status, mark.reason);
  if (mark.kind === "taken") return result("SKIPPED", "another worker sends this leg");
  const { status, reason } = await inAccountQueue(account.id, async () => {
    const answer = await send(context, broker, mark.intent, { epoch, isProtective });
    return step("t3 record", () => record(context, intent, answer, epoch));
  });
  crashPoint("after-record");
  return result(status, reason);
}

/** Nothing was sent: the leg is halted, and does not block the next decision. */
async function withdrawIntent({ db }: Context, { id }: Intent, reason: string): Promise<void> {
  await changeIntents(db, { id }, { from: ["GATED"], to: "HALTED", data: { lastError: reason } });
}

function requestOf(intent: Intent): OrderRequest {
  const { type, timeInForce } = intent;
  if (type === "TRAILING_STOP") throw new Error("trailing stops are not sent");
  return {
    clientOrderId: intent.clientOrderId,
    symbol: intent.symbol,
    side: intent.side,
    qty: decimalText(intent.qty),
    orderClass: intent.orderClass,
    type,
    timeInForce,
    limitPrice: decimalTextOrNull(intent.limitPrice),
    stopPrice: decimalTextOrNull(intent.stopPrice),
    takeProfitPrice: decimalTextOrNull(intent.takeProfitPrice),
    stopLossPrice: decimalTextOrNull(intent.stopLossPrice),
  };
}

/** The one call. Only an order that the broker proved not to have taken (429) goes out again, with its id. */
async function send(
  context: Context,
  broker: Broker,
  marked: Intent,
  sender: { epoch: number; isProtective: boolean },
): Promise<Answer> {
  let intent = marked;
  const isLate = () => !mayPost(context.now().getTime(), intent.submitDeadline?.getTime() ?? null);
  for (let requests = 1; ; requests += 1) {
    // A process that slept between mark and call finds its order closed: it must no longer send.
    if (requests === 1 && isLate()) return LATE;
    if (requests > 1 || !isFreshMark(context.now().getTime(), intent.submittedAt?.getTime() ?? null)) {
      const renewal = await renewMark(context, intent, sender);
      if (renewal.kind === "refused") return { kind: "withdrawn", reason: renewal.reason };
      crashPoint("after-renewal");
      intent = renewal.intent;
      if (isLate()) return LATE;
    }
    const outcome = await broker.submit(requestOf(intent));
    crashPoint("after-post");
    if (outcome.kind === "duplicate") return lookUp(context, broker, intent);
    if (outcome.kind !== "throttled" || !mayAskAgain(requests)) return outcome;
    await delay(outcome.retryAfterMs);
  }
}

const LATE: Answer = { kind: "withdrawn", reason: "not sent before its deadline" };

/** The broker says that it knows the id: whose order is it? */
async function lookUp({ log }: Context, broker: Broker, { accountId, clientOrderId }: Intent): Promise<Answer> {
  const order = await broker.orderByClientId(clientOrderId).catch((error: unknown) => {
    log.warn("order.not-read", { accountId, clientOrderId, err: error });
    return null;
  });
  return order ? { kind: "found", order } : { kind: "unknown", cause: "the client id is taken by an order not found" };
}

const RECORD_PAUSES_MS = [100, 500, 2_000];

/** The answer is worth some patience with the database; without it the settling of unknowns finds the order. */
async function record(
  context: Context,
  intent: Intent,
  answer: Answer,
  epoch: number,
): Promise<{ status: Intent["status"]; reason: string | null }> {
  for (const pauseMs of RECORD_PAUSES_MS) {
    try {
      return await recordOutcome(context, intent, answer, epoch);
    } catch (error) {
      context.log.error("outcome.record-failed", { intentId: intent.id, err: error });
      await delay(pauseMs);
    }
  }
  return recordOutcome(context, intent, answer, epoch);
}
