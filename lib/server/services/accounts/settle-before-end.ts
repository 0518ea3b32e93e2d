import { Failure } from "@/lib/domain/failures.ts";
import { awaitsAnswer, OUTCOME_UNKNOWN } from "@/lib/domain/protocol/intent-states.ts";
import { activePolicy } from "../../core/active-policy.ts";
import type { Context } from "../../context.ts";
import { isRefusal } from "../sync/key-halts.ts";
import { resolveUnknownOrders } from "../sync/resolve-unknown-orders.ts";

export interface Settled {
  /** Symbols of orders that were sent and not found at the broker: they may turn up there yet. */
  symbols: string[];
  /** Some of them may be on their way: the settle window has not passed. */
  isBeingAsked: boolean;
  /** Some were found just now. */
  isAnyAdopted: boolean;
}

export const NOTHING_SENT: Settled = { symbols: [], isBeingAsked: false, isAnyAdopted: false };

/**
 * Asks at once what became of orders whose answer was lost: nothing cancels a purchase that turns up after its account has ended, nor
 * protects what it buys. `canAsk`: the broker can be reached with the account's keys.
 */
export async function settleBeforeEnd(context: Context, accountId: string, canAsk: boolean): Promise<Settled> {
  const read = () =>
    context.db.intent.findMany({
      where: { accountId, status: { in: [...OUTCOME_UNKNOWN] }, orders: { none: {} } },
      orderBy: { symbol: "asc" },
      select: { symbol: true, status: true },
    });
  let intents = await read();
  let isAnyAdopted = false;
  if (canAsk && intents.length > 0) {
    try {
      const { orders_execution } = await activePolicy(context);
      const settleWindowMs = orders_execution.settle_window_seconds * 1000;
      const { adopted } = await resolveUnknownOrders(context, accountId, { settleWindowMs, isImpatient: true });
      isAnyAdopted = adopted > 0;
    } catch (error) {
      // Keys that the broker no longer takes can ask nothing; what follows finds out whether they are to blame.
      if (!isRefusal(error)) throw error;
    }
    intents = await read();
  }
  return {
    symbols: [...new Set(intents.map(({ symbol }) => symbol))],
    isBeingAsked: intents.some(({ status }) => awaitsAnswer(status)),
    isAnyAdopted,
  };
}

export const refuseUnanswered = ({ symbols }: Settled): Failure =>
  new Failure(
    "conflict",
    `The account is not deleted: the broker is still being asked about an order of ${symbols.join(", ")}. Try again in a minute.`,
  );
