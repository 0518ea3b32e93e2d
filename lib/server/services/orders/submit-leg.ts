import { UNSETTLED } from "@/lib/domain/protocol/intent-states.ts";
import type { GateResult } from "@/lib/domain/engine/plan.ts";
import { least, money, text, type DecimalText } from "@/lib/domain/money.ts";
import type { Account } from "../../core/row-types.ts";
import type { Broker } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import { crashPoint } from "../../crash-point.ts";
import { readSwitches, refusalToSend } from "./refusal-to-send.ts";
import { protectPositions } from "./protect-positions.ts";
import { hasPurchaseOfOwner } from "./purchase-of-owner.ts";
import { firstFailing, type LegToSend } from "./record-intent.ts";
import { cancelRestingOrders, fetchSellable } from "./cancel-resting-orders.ts";
import { sendLeg, type SubmittedLeg } from "./send-leg.ts";

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

export type { SubmittedLeg };

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
  try {
    const free = await freeQuantity(context, account, broker, leg, options);
    if (free.kind === "not_released") return result("SKIPPED", "resting orders did not become final in time");
    const sized = free.kind === "free" ? { ...leg, order: { ...leg.order, qty: free.qty } } : leg;
    return await sendLeg(context, account, broker, sized, {
      epoch: options.epoch,
      isProtective: free.kind === "free" && free.isPutBack,
      halted: free.kind === "gone" ? free.reason : null,
      regate: (clientOrderId) => options.regate({ ...sized.order, purpose: sized.purpose }, clientOrderId),
    });
  } finally {
    // Whatever became of the sale: shares whose stop was cancelled for it and that it does not sell get one again.
    if (leg.order.side === "SELL") await payAfterSale(context, account.id, symbol, options.epoch);
  }
}

/** What is owed is written down: where it cannot be paid now, the next round of the worker does. */
async function payAfterSale(context: Context, accountId: string, symbol: string, epoch: number): Promise<void> {
  const isOwed = await context.db.owedStop.count({ where: { accountId, symbol, paidAt: null } });
  if (isOwed === 0) return;
  try {
    await protectPositions(context, accountId, epoch, { symbols: [symbol] });
  } catch (error) {
    context.log.error("owed-stop.failed", { accountId, symbol, err: error });
  }
}

/** Why a sale is not sent although it may be: nothing is held, or another order at the broker binds what is or forbids it. */
export const CLOSED_BY_STOP = "closed by its stop";
export const HELD_BY_ANOTHER_ORDER = "another order at the broker holds the shares";
export const BESIDE_A_PURCHASE =
  "an open purchase of the account's owner is at the broker, which takes no sale beside it";

type Free =
  /** Not a sale: the quantity stands as planned. */
  | { kind: "as_planned" }
  /** `isPutBack`: a stop was cancelled for it just now. */
  | { kind: "free"; qty: DecimalText; isPutBack: boolean }
  /** Nothing may be sold, and why. */
  | { kind: "gone"; reason: string }
  | { kind: "not_released" };

/**
 * The shares that a sale may use. Stops are cancelled only for a sale that may go out: the switches and
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
  if (
    refusalToSend(await readSwitches(context.db, account.id, order.symbol), { side: order.side, purpose }, epoch) !==
    null
  )
    return { kind: "as_planned" };
  if (firstFailing(await regate({ ...order, purpose }, "")) !== undefined) return { kind: "as_planned" };
  // It would not be recorded: no stop is cancelled for it.
  if (purpose !== "PROTECT" && (await hasUnsettledSale(context, account.id, order.symbol)))
    return { kind: "as_planned" };
  // The broker would refuse it: the stop stays where it is.
  if (order.orderClass === "SIMPLE" && (await hasPurchaseOfOwner(context.db, account.id, order.symbol)))
    return { kind: "gone", reason: BESIDE_A_PURCHASE };
  const planned = money(order.qty);
  // A protective order for shares that nothing holds cancels nothing that already protects the rest.
  const isBesideOthers = purpose === "PROTECT" && !(await hasLiveSale(context, account.id, order.symbol));
  const freeNow = isBesideOthers ? await fetchSellable(broker, order.symbol) : null;
  if (freeNow?.free.gte(planned)) return { kind: "free", qty: text(planned), isPutBack: false };
  const raisedTo = purpose === "PROTECT" ? (order.stopLossPrice ?? order.stopPrice) : null;
  const owed = { reason: order.reason, planId: leg.planId, raisedTo };
  const released = await cancelRestingOrders(context, account, broker, order.symbol, owed);
  if (released === null) return { kind: "not_released" };
  const qty = least(planned, released.free);
  const isPutBack = purpose === "PROTECT" && released.cancelled > 0;
  if (qty.gt(0)) return { kind: "free", qty: text(qty), isPutBack };
  return { kind: "gone", reason: released.held.gt(0) ? HELD_BY_ANOTHER_ORDER : CLOSED_BY_STOP };
}

async function hasLiveSale({ db }: Context, accountId: string, symbol: string): Promise<boolean> {
  return (await db.intent.count({ where: { accountId, symbol, side: "SELL", status: "LIVE" } })) > 0;
}

async function hasUnsettledSale({ db }: Context, accountId: string, symbol: string): Promise<boolean> {
  const where = { accountId, symbol, side: "SELL" } as const;
  return (await db.intent.count({ where: { ...where, status: { in: [...UNSETTLED] } } })) > 0;
}
