import { setTimeout as delay } from "node:timers/promises";
import type { GateResult } from "@/lib/domain/engine/plan.ts";
import { least, money, text, type DecimalText } from "@/lib/domain/money.ts";
import { isFreshMark, mayAskAgain, mayPost } from "@/lib/domain/protocol/mark.ts";
import type { Account, Intent } from "./row-types.ts";
import type { Broker, OrderRequest } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import { crashPoint } from "../../crash-point.ts";
import { inAccountQueue } from "./account-queue.ts";
import { changeIntents } from "./change-intents.ts";
import { markSubmitting, renewMark } from "./mark-submitting.ts";
import { readSwitches, refusalToSend } from "./may-send.ts";
import { firstFailing, recordIntent, type LegToSend } from "./record-intent.ts";
import { recordOutcome, type Answer } from "./record-outcome.ts";
import { releaseSymbol, sellable } from "./release-symbol.ts";

export interface SubmitOptions {
  /** The epoch of this writer of the account (account-writer.ts). */
  epoch: number;
  /**
   * The gates asked again just before sending, with fresh figures. The leg's own intent is already
   * recorded then: leave out the open order with this client id.
   */
  regate: (
    order: LegToSend["order"] & { purpose: LegToSend["purpose"] },
    clientOrderId: string,
  ) => GateResult[] | Promise<GateResult[]>;
}

export interface SubmittedLeg {
  leg: number;
  symbol: string;
  /** SKIPPED: nothing was recorded, a later cycle decides anew. */
  status: Intent["status"] | "SKIPPED";
  reason: string | null;
}

/** One leg of a plan from decision to answer: recorded, marked, sent once, recorded. */
export async function submitLeg(
  context: Context,
  account: Account,
  broker: Broker,
  leg: LegToSend,
  options: SubmitOptions,
): Promise<SubmittedLeg> {
  const { symbol } = leg.order;
  const result = (status: SubmittedLeg["status"], reason: string | null): SubmittedLeg => ({
    leg: leg.order.leg,
    symbol,
    status,
    reason,
  });
  crashPoint("before-intent");
  const free = await freeQuantity(context, account, broker, leg, options);
  if (free.kind === "not_released") return result("SKIPPED", "resting orders did not become final in time");
  const sized = free.kind === "free" ? { ...leg, order: { ...leg.order, qty: free.qty } } : leg;
  const recorded = await recordIntent(context, account, sized, free.kind === "gone" ? "closed by its stop" : null);
  if (recorded.kind === "in_flight") return result("SKIPPED", "another order of this symbol and side is in flight");
  crashPoint("after-intent");
  const { intent } = recorded;
  if (intent.status !== "GATED") return result(intent.status, intent.lastError);

  let gates: GateResult[];
  try {
    gates = await options.regate({ ...sized.order, purpose: sized.purpose }, intent.clientOrderId);
  } catch (error) {
    await withdrawIntent(context, intent, "the gates could not be asked again");
    throw error;
  }
  crashPoint("after-regate");
  const { epoch } = options;
  const isPutBack = free.kind === "free" && free.isPutBack;
  const { policyVersion } = leg;
  const mark = await markSubmitting(context, { intentId: intent.id, epoch, isPutBack, gates, policyVersion });
  crashPoint("after-mark");
  if (mark.kind === "refused") return result(mark.status, mark.reason);
  if (mark.kind === "taken") return result("SKIPPED", "another worker sends this leg");
  const { status, reason } = await inAccountQueue(account.id, async () =>
    record(context, intent.id, await send(context, broker, mark.intent, { epoch, isPutBack }), epoch),
  );
  crashPoint("after-record");
  return result(status, reason);
}

/** Nothing was sent: the leg is given up, and does not stand in the way of the next decision. */
async function withdrawIntent({ db }: Context, { id }: Intent, reason: string): Promise<void> {
  await changeIntents(db, { id }, { from: ["GATED"], to: "HALTED", data: { lastError: reason } });
}

type Free =
  /** Not a sale: the quantity stands as planned. */
  | { kind: "as_planned" }
  /** `isPutBack`: a stop was taken away for it just now. */
  | { kind: "free"; qty: DecimalText; isPutBack: boolean }
  /** Nothing is left to sell. */
  | { kind: "gone" }
  | { kind: "not_released" };

/**
 * The shares that a sale may use. Stops are taken away only for a sale that may go out: the switches and
 * the gates are asked before, and again at the mark.
 */
async function freeQuantity(
  context: Context,
  account: Account,
  broker: Broker,
  leg: LegToSend,
  { epoch, regate }: SubmitOptions,
): Promise<Free> {
  const { order, purpose } = leg;
  if (order.side === "BUY") return { kind: "as_planned" };
  const known = await context.db.intent.findUnique({
    where: {
      planId_accountId_leg_attempt: { planId: leg.planId, accountId: account.id, leg: order.leg, attempt: leg.attempt },
    },
  });
  if (known) return { kind: "as_planned" };
  if (refusalToSend(await readSwitches(context.db, account.id), { side: order.side, purpose }, epoch) !== null)
    return { kind: "as_planned" };
  if (firstFailing(await regate({ ...order, purpose }, "")) !== undefined) return { kind: "as_planned" };
  const planned = money(order.qty);
  // A protective order for shares that nothing holds takes nothing away from what already protects the rest.
  const isBesideOthers = purpose === "PROTECT" && !(await hasLiveSale(context, account.id, order.symbol));
  const freeNow = isBesideOthers ? await sellable(broker, order.symbol) : null;
  if (freeNow?.gte(planned)) return { kind: "free", qty: text(planned), isPutBack: false };
  const released = await releaseSymbol(context, account, broker, order.symbol);
  if (released === null) return { kind: "not_released" };
  const qty = least(planned, released.free);
  const isPutBack = purpose === "PROTECT" && released.cancelled > 0;
  return qty.gt(0) ? { kind: "free", qty: text(qty), isPutBack } : { kind: "gone" };
}

async function hasLiveSale({ db }: Context, accountId: string, symbol: string): Promise<boolean> {
  return (await db.intent.count({ where: { accountId, symbol, side: "SELL", status: "LIVE" } })) > 0;
}

const plain = (value: { toString(): string } | null) => (value === null ? null : text(value.toString()));

function requestOf(intent: Intent): OrderRequest {
  const { type, timeInForce } = intent;
  if (type === "TRAILING_STOP") throw new Error("trailing stops are not sent");
  return {
    clientOrderId: intent.clientOrderId,
    symbol: intent.symbol,
    side: intent.side,
    qty: text(intent.qty.toString()),
    orderClass: intent.orderClass,
    type,
    timeInForce: timeInForce === "gtc" ? "gtc" : "day",
    limitPrice: plain(intent.limitPrice),
    stopPrice: plain(intent.stopPrice),
    takeProfitPrice: plain(intent.takeProfitPrice),
    stopLossPrice: plain(intent.stopLossPrice),
  };
}

/** The one call. Only an order that the broker proved not to have taken (429) goes out again, with its id. */
async function send(
  context: Context,
  broker: Broker,
  marked: Intent,
  sender: { epoch: number; isPutBack: boolean },
): Promise<Answer> {
  let intent = marked;
  const isLate = () => !mayPost(context.now().getTime(), intent.submitDeadline?.getTime() ?? null);
  for (let requests = 1; ; requests += 1) {
    // A process that slept between mark and call finds its order given up: it must not send any more.
    if (requests === 1 && isLate()) return LATE;
    if (requests > 1 || !isFreshMark(context.now().getTime(), intent.submittedAt?.getTime() ?? null)) {
      const renewal = await renewMark(context, intent.id, sender);
      if (renewal.kind === "refused") return { kind: "withdrawn", reason: renewal.reason };
      crashPoint("after-renewal");
      intent = renewal.intent;
      if (isLate()) return LATE;
    }
    const outcome = await broker.submit(requestOf(intent));
    crashPoint("after-post");
    if (outcome.kind === "duplicate") return lookUp(broker, intent.clientOrderId);
    if (outcome.kind !== "throttled" || !mayAskAgain(requests)) return outcome;
    await delay(outcome.retryAfterMs);
  }
}

const LATE: Answer = { kind: "withdrawn", reason: "not sent before its deadline" };

/** The broker says that it knows the id: whose order is it? */
async function lookUp(broker: Broker, clientOrderId: string): Promise<Answer> {
  const order = await broker.orderByClientId(clientOrderId).catch(() => null);
  return order ? { kind: "found", order } : { kind: "unknown", cause: "the client id is taken by an order not found" };
}

const RECORD_PAUSES_MS = [100, 500, 2_000];

/** The answer is worth some patience with the database; without it the settling of unknowns finds the order. */
async function record(
  context: Context,
  intentId: string,
  answer: Answer,
  epoch: number,
): Promise<{ status: Intent["status"]; reason: string | null }> {
  for (const pauseMs of RECORD_PAUSES_MS) {
    try {
      return await recordOutcome(context, intentId, answer, epoch);
    } catch (error) {
      context.log.error({ intentId, err: error }, "an answer could not be recorded yet");
      await delay(pauseMs);
    }
  }
  return recordOutcome(context, intentId, answer, epoch);
}
