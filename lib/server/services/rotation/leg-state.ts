import { money } from "@/lib/domain/money.ts";
import { type LegResult, outcomeOfIntent } from "@/lib/domain/rotation/leg-outcome.ts";
import type { Context } from "../../context.ts";
import type { Prisma } from "../../db.ts";
import { logUserEvents, type UserEvent } from "../../core/log-user-events.ts";
import type { Intent } from "../../core/row-types.ts";
import { inTransaction } from "../../core/transaction.ts";
import { outcomeText } from "../orders/outcome-text.ts";
import { wasNeverSent } from "../orders/unsent.ts";

/** A leg with its newest attempt. */
export const WITH_ATTEMPT = {
  intents: {
    orderBy: { attempt: "desc" },
    take: 1,
    include: { orders: { orderBy: { createdAt: "asc" }, select: { id: true, role: true, filledQty: true } } },
  },
} as const satisfies Prisma.RotationLegInclude;

export type LegWithAttempt = Prisma.RotationLegGetPayload<{ include: typeof WITH_ATTEMPT }>;

/** `status`: of the attempt that says so. */
type LegNews = LegResult & { status?: Intent["status"] | undefined };

/** What became of a leg: its newest attempt says so, and before there is one, what was noted. */
export function resultOf(leg: LegWithAttempt): LegNews {
  const noted = { outcome: leg.outcome, reason: leg.outcomeReason } as LegResult;
  const [intent] = leg.intents;
  // What was refused or expired before anything was sent has no order that could say otherwise.
  if (intent === undefined) return noted;
  const isUnsent = wasNeverSent(intent);
  const ofIntent = outcomeOfIntent({
    status: intent.status,
    lastError: intent.lastError,
    isUnsent,
    filledQty: money(orderOf(leg)?.filledQty ?? 0).toNumber(),
    qty: money(intent.qty).toNumber(),
  });
  return ofIntent.outcome === "waiting" ? noted : { ...ofIntent, status: intent.status };
}

/** The order at the broker that came of a leg; its stop and target are not it. */
export function orderOf(leg: LegWithAttempt): { id: string; filledQty: Prisma.Decimal } | null {
  const orders = leg.intents[0]?.orders ?? [];
  return orders.find(({ role }) => role === "ENTRY" || role === "EXIT") ?? orders[0] ?? null;
}

const OPEN = ["waiting", "submitted", "parked"];

/** Records the outcome of a leg, once for each change, and logs it for the account's owner. */
export async function recordLegResult(
  context: Context,
  leg: Prisma.RotationLegGetPayload<object>,
  account: { id: string; userId: string },
  { outcome, reason, status }: LegNews,
  marketAt: Date | null,
): Promise<void> {
  if (leg.outcome === outcome && leg.outcomeReason === reason) return;
  await inTransaction(context, async (tx) => {
    const { count } = await tx.rotationLeg.updateMany({
      where: { id: leg.id, outcome: { in: OPEN } },
      data: { outcome, outcomeReason: reason?.slice(0, 500) ?? null, outcomeAt: context.now() },
    });
    if (count === 0 || leg.outcome === outcome) return;
    const what = `order to ${leg.side === "BUY" ? "buy" : "sell"} ${money(leg.qty).toFixed()} ${leg.symbol} (Rotation)`;
    const line = describeResult(what, { outcome, reason, status });
    if (line === null || leg.outcome !== "waiting") return;
    await logUserEvents(tx, [
      {
        ...line,
        userId: account.userId,
        accountId: account.id,
        marketAt,
        context: { symbol: leg.symbol, side: leg.side, planId: leg.planId, outcome },
      },
    ]);
  });
}

/** In the words of every other order that came to a try; what was settled before there was an order has no status. */
function describeResult(
  what: string,
  { outcome, reason, status }: LegNews,
): Pick<UserEvent, "level" | "message"> | null {
  if (outcome === "waiting") return null;
  if (outcome === "expired") return { level: "info", message: `Not traded: ${what}: ${reason ?? "the plan expired"}` };
  return outcomeText(what, { status: status ?? STATUS[outcome], reason });
}

const STATUS = { submitted: "LIVE", filled: "FILLED", refused: "DENIED", parked: "PARKED" } as const;
