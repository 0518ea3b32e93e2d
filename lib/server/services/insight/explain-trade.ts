import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { insightApi } from "@/lib/contracts/insight.ts";
import type { tradesApi } from "@/lib/contracts/trades.ts";
import type { GateResult } from "@/lib/domain/engine/plan.ts";
import { type TradeStory, tradeSentences } from "@/lib/domain/insight/trade-sentences.ts";
import type { Sentence } from "@/lib/domain/insight/sentence-parts.ts";
import { text } from "@/lib/domain/money.ts";
import type { Context } from "../../context.ts";
import type { Order } from "../../core/row-types.ts";
import { isFlagOn } from "../flags/read-flags.ts";
import { readTrade } from "../trades/read-trade.ts";
import { writeExplanation } from "./write-explanation.ts";

type Detail = Given<typeof tradesApi.read>;

/** "Why this trade": the records of one trade of the caller's, in words. */
export async function explainTrade(
  context: Context<"user">,
  { id }: Received<typeof insightApi.trade>,
): Promise<Given<typeof insightApi.trade>> {
  // Asked first: another's trade is not found, whether the feature is on or off.
  const sentences = await tradeInWords(context, id);
  if (!(await isFlagOn(context, "ai_insights"))) return { isOn: false, explanation: null };
  return {
    isOn: true,
    explanation: await writeExplanation(
      context,
      { kind: "TRADE", subject: id, userId: context.actor.userId },
      sentences,
    ),
  };
}

/** The sentences as the product writes them itself: no model is asked. */
export async function tradeInWords(context: Context<"user">, id: string): Promise<Sentence[]> {
  const trade = await readTrade(context, { id });
  const row = await context.db.order.findUniqueOrThrow({
    where: { id },
    select: { reason: true, role: true, status: true },
  });
  return tradeSentences(storyOf(trade, row));
}

const decimal = (value: Parameters<typeof text>[0]) => text(value);
const decimalOrNull = (value: Parameters<typeof text>[0] | null) => (value === null ? null : text(value));
const instant = (at: Date | string) => (typeof at === "string" ? at : at.toISOString());

function storyOf(trade: Detail, { reason, role, status }: Pick<Order, "reason" | "role" | "status">): TradeStory {
  const { intent, decision, trip, order } = trade;
  const isOver = trade.side === "SELL" && trip !== null && trip.closedAt !== null;
  return {
    tradeId: trade.id,
    symbol: trade.symbol,
    side: trade.side,
    origin: order.origin,
    role,
    reason,
    qty: decimalOrNull(trade.quantity),
    filledQty: decimal(trade.filledQuantity),
    filledAvgPrice: decimalOrNull(trade.averagePrice),
    filledValue: decimal(trade.totalValue),
    endedAs: status === "REPLACED" ? "REPLACED" : endOf(trade.status),
    // An entry is dated by its sending, and may wait for hours.
    at: instant(trade.fills.at(-1)?.at ?? trade.createdAt),
    intent: intent && {
      strategy: intent.strategy,
      decisionPrice: decimal(intent.decisionPrice),
      stopPrice: decimalOrNull(intent.stopLossPrice),
      targetPrice: decimalOrNull(intent.takeProfitPrice),
      gates:
        ((trade.verdicts.findLast(({ phase }) => phase === "T2") ?? trade.verdicts.at(-1))?.gates as
          | GateResult[]
          | undefined) ?? [],
    },
    decision: decision && {
      id: decision.id,
      at: instant(decision.decidedAt),
      regime: decision.regime,
      rank: decision.scores?.rank ?? null,
      composite: decision.scores?.composite ?? null,
      confidence: decision.confidence,
    },
    isOfRotation: trade.rotationPlanId !== null,
    slippageBps: trade.slippage?.bps ?? null,
    stopRaisedTo: decimalOrNull(trade.legs.findLast(({ isRaised }) => isRaised)?.stopPrice ?? null),
    closed: isOver ? { pnl: decimal(trip.pnl), entryValue: decimal(trip.entryValue) } : null,
  };
}

const endOf = (status: Detail["status"]): TradeStory["endedAs"] =>
  status === "CANCELLED" ? "CANCELED" : status === "REJECTED" ? "REJECTED" : null;
