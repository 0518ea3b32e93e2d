/** What a broker's report about an order means for the order and for its intent. */
import type { IntentStatusName, OrderStatusName, SideName } from "../enums.ts";
import { mayBecome } from "./intent-states.ts";
import { intentStatusOf, isTerminal, nextOrderStatus } from "../orders.ts";

/** The order's status after a report. An older report changes nothing, unless it is of the end. */
export function orderAfterReport(
  known: OrderStatusName | null,
  reported: OrderStatusName,
  isOlder: boolean,
): OrderStatusName {
  if (known === null) return reported;
  return isOlder && !isTerminal(reported) ? known : nextOrderStatus(known, reported);
}

export interface IntentFollows {
  /** Null: nothing changes. */
  status: IntentStatusName | null;
  /** Two orders of one symbol and side are open, or one for a decision that ended: a person has to look. */
  halts: boolean;
}

const follows = (status: IntentStatusName | null, halts = false): IntentFollows => Object.freeze({ status, halts });
const KEEP = follows(null);
const RIVALS = follows("PARKED", true);
const KEEP_AND_HALT = follows(null, true);
const TAKE: Record<ReturnType<typeof intentStatusOf>, IntentFollows> = {
  LIVE: follows("LIVE"),
  FILLED: follows("FILLED"),
  CANCELED: follows("CANCELED"),
  EXPIRED: follows("EXPIRED"),
  REJECTED: follows("REJECTED"),
};

/** Another intent of the same symbol and side that is in flight. */
export type Rival = "none" | "unanswered_sale" | "open";

/** `rival`: the status of the other intent, null where there is none. */
export function rivalOf(side: SideName, rival: IntentStatusName | null): Rival {
  if (rival === null) return "none";
  return side === "SELL" && rival !== "LIVE" ? "unanswered_sale" : "open";
}

/**
 * The intent follows its order. An order may appear for an intent that was closed: it is reopened, unless
 * another one of the symbol and side is open. Beside a sale without an answer it waits for that answer: the broker
 * reserves the shares for one of the two, and the other is refused.
 */
export function intentAfterReport(status: IntentStatusName, order: OrderStatusName, rival: Rival): IntentFollows {
  const next = intentStatusOf(order);
  if (next === status) return KEEP;
  if (next === "LIVE" && rival === "unanswered_sale" && mayBecome(status, next)) return KEEP;
  const taken = next === "LIVE" && rival === "open" ? RIVALS : TAKE[next];
  return taken.status === status || (taken.status !== null && mayBecome(status, taken.status)) ? taken : KEEP_AND_HALT;
}

/** While waiting for a cancelled order before a sale: its shares are free only once the broker will no longer fill it. */
export function releaseStep(status: OrderStatusName | null, isOutOfTime: boolean): "released" | "wait" | "give_up" {
  if (status !== null && isTerminal(status)) return "released";
  return isOutOfTime ? "give_up" : "wait";
}
