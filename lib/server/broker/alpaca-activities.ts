/** Alpaca's account activities to the port's: executions, and everything else that moves shares or money. */
import * as z from "zod";
import { money } from "@/lib/domain/money.ts";
import { newYork } from "@/lib/domain/time.ts";
import { decimal, id, instant, maybeDecimal, maybeInstant, maybeText, side, symbol } from "./alpaca-wire.ts";
import type { BrokerActivity, BrokerExecution } from "./broker.ts";
import { OTHER_ASSET, otherClassOf } from "./other-assets.ts";
const fillWire = z.object({
  id,
  order_id: id,
  cum_qty: decimal,
  qty: decimal,
  price: decimal,
  side,
  symbol,
  transaction_time: instant,
  status: maybeText,
});

/** Alpaca documents these words for other activities and leaves those of executions open: both spellings count. */
const AMENDMENTS: Record<string, NonNullable<BrokerExecution["amendment"]>> = {
  canceled: "canceled",
  correct: "corrected",
  corrected: "corrected",
};

export function positive(execution: BrokerExecution): BrokerExecution {
  const isSound =
    money(execution.qty).gt(0) &&
    money(execution.price).gt(0) &&
    money(execution.cumulativeQty).gte(money(execution.qty));
  if (!isSound)
    throw new RangeError(`an execution of ${execution.qty} at ${execution.price}, ${execution.cumulativeQty} in all`);
  return execution;
}

export function executionFromWire(wire: unknown): { activityId: string; execution: BrokerExecution } {
  const fill = fillWire.parse(wire);
  const amendment = Object.hasOwn(AMENDMENTS, fill.status ?? "") ? AMENDMENTS[fill.status ?? ""] : undefined;
  const assetClass = otherClassOf(fill.symbol);
  const execution: BrokerExecution = {
    orderId: fill.order_id,
    cumulativeQty: fill.cum_qty,
    qty: fill.qty,
    price: fill.price,
    side: fill.side,
    symbol: fill.symbol,
    at: fill.transaction_time,
    ...(amendment === undefined ? {} : { amendment }),
    ...(assetClass === null ? {} : { assetClass }),
  };
  // What was taken back may be listed with nothing left of it.
  return { activityId: fill.id, execution: amendment === "canceled" ? execution : positive(execution) };
}

const activityWire = z.object({
  id,
  activity_type: z.string().min(1).max(32),
  date: z.string().regex(/^\d{4}-\d{2}-\d{2}/),
  symbol: maybeText,
  net_amount: maybeDecimal,
  qty: maybeDecimal,
  status: maybeText,
  created_at: maybeInstant.catch(null),
  group_id: maybeText.catch(null),
});

/** Kinds whose quantity is what they were paid on or charged for, not what moved. */
const isAboutMoney = (type: string) =>
  /^(DIV|INT|CG|PTC|PTR)/.test(type) || ["CFEE", "CIL", "CSD", "CSW", "FEE", "JNL", "JNLC", "TRANS"].includes(type);

/** Trades, exercises and expiries of options, fees of crypto. */
const isAboutOthers = (type: string, symbolOf: string | null) =>
  /^OP(ASN|CA|CSH|EXC|EXP|TRD)$/.test(type) ||
  type === "CFEE" ||
  (symbolOf !== null && otherClassOf(symbolOf) !== null);

export function activityFromWire(wire: unknown): { activityId: string; activity: BrokerActivity } {
  const activity = activityWire.parse(wire);
  const isOther = isAboutOthers(activity.activity_type, activity.symbol);
  const isMoving =
    !isOther && !isAboutMoney(activity.activity_type) && activity.qty !== null && !money(activity.qty).isZero();
  const date = activity.date.slice(0, 10);
  const at = activity.created_at;
  return {
    activityId: activity.id,
    activity: {
      id: activity.id,
      type: isOther ? OTHER_ASSET : activity.activity_type,
      symbol: activity.symbol,
      netAmount: activity.net_amount ?? "0",
      qty: isMoving ? activity.qty : null,
      date,
      ...(at !== null && newYork(at).date === date ? { at } : {}),
      ...(activity.group_id === null ? {} : { group: activity.group_id }),
      isCanceled: activity.status === "canceled",
    },
  };
}
