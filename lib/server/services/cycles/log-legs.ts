import type { Plan, PlannedOrder } from "@/lib/domain/engine/plan.ts";
import { REASON_TEXT } from "@/lib/domain/engine/reasons.ts";
import type { Context } from "../../context.ts";
import { logUserEvents, type UserEvent } from "../../core/log-user-events.ts";
import type { SubmittedLeg } from "../orders/submit-leg.ts";
import { undecidedText } from "../orders/undecided-text.ts";

type LegMessage = Pick<UserEvent, "level" | "message">;

function legMessage(order: PlannedOrder, { status, reason }: SubmittedLeg): LegMessage {
  const { side, qty, symbol, purpose } = order;
  const what =
    purpose === "PROTECT"
      ? `protective order for ${qty} ${symbol}`
      : `order to ${side === "BUY" ? "buy" : "sell"} ${qty} ${symbol}`;
  const why = REASON_TEXT[order.reason];
  switch (status) {
    case "LIVE":
    case "FILLED":
      return { level: "info", message: `Sent: ${what} (${why})` };
    case "SKIPPED":
      return { level: "debug", message: `Postponed to the next look: ${what}: ${reason ?? "no reason"}` };
    case "DENIED":
    case "HALTED":
      return { level: "warn", message: `Not sent: ${what}: ${reason ?? "no reason"}` };
    case "REJECTED":
      return { level: "error", message: `Rejected by the broker: ${what}: ${reason ?? "no reason"}` };
    default:
      return (
        undecidedText(what, { status, reason }) ?? {
          level: "info",
          message: `${status.toLowerCase()}: ${what}${reason === null ? "" : `: ${reason}`}`,
        }
      );
  }
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
