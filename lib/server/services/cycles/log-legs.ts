import type { Plan, PlannedOrder } from "@/lib/domain/engine/plan.ts";
import { REASON_TEXT } from "@/lib/domain/engine/reasons.ts";
import type { Context } from "../../context.ts";
import { logUserEvents, type UserEvent } from "../../core/log-user-events.ts";
import { outcomeText } from "../orders/outcome-text.ts";
import { isAtBroker, type SubmittedLeg } from "../orders/send-leg.ts";

function legMessage(order: PlannedOrder, leg: SubmittedLeg): Pick<UserEvent, "level" | "message"> {
  const { side, qty, symbol, purpose } = order;
  const what =
    purpose === "PROTECT"
      ? `protective order for ${qty} ${symbol}`
      : `order to ${side === "BUY" ? "buy" : "sell"} ${qty} ${symbol}`;
  return outcomeText(isAtBroker(leg.status) ? `${what} (${REASON_TEXT[order.reason]})` : what, leg);
}

/** What became of the plan's orders, for the account's user. The audit chain has each step; this is the readable side. */
export async function logLegs(
  { db }: Pick<Context, "db">,
  { cycleId, account, plan }: { cycleId: string; account: { id: string; userId: string }; plan: Plan },
  legs: SubmittedLeg[],
): Promise<void> {
  const events = legs.flatMap((leg): UserEvent[] => {
    const order = plan.orders.find((planned) => planned.leg === leg.leg);
    if (!order) return [];
    const { symbol, side, qty } = order;
    return [
      {
        ...legMessage(order, leg),
        userId: account.userId,
        accountId: account.id,
        cycleId,
        marketAt: new Date(plan.at),
        context: { symbol, side, qty, status: leg.status, reason: order.reason },
      },
    ];
  });
  await logUserEvents(db, events);
}
