import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { insightApi } from "@/lib/contracts/insight.ts";
import { Failure } from "@/lib/domain/failures.ts";
import {
  type DecisionStory,
  decisionStorySentences,
  symbolStorySentences,
} from "@/lib/domain/insight/refusal-sentences.ts";
import { accountStateOf, WITH_SHEET, wholePlanOf } from "../../core/json.ts";
import type { Context } from "../../context.ts";
import { readMarketView } from "../cycles/market-record.ts";
import { isFlagOn } from "../flags/read-flags.ts";
import { writeExplanation } from "./write-explanation.ts";

type Answer = Given<typeof insightApi.decision>;

/** "Why no trade": a decision of the caller's, or one stock in it, in words. */
export async function explainDecision(
  context: Context<"user">,
  { id, symbol }: Received<typeof insightApi.decision>,
): Promise<Answer> {
  const { actor, db } = context;
  const row = await db.decisionRecord.findFirst({
    where: { id, account: { userId: actor.userId } },
    include: {
      ...WITH_SHEET,
      intents: { select: { leg: true, orders: { where: { parentId: null }, select: { id: true } } } },
    },
  });
  if (!row) throw new Failure("not_found", "Decision not found.");
  const isOn = await isFlagOn(context, "ai_insights");
  if (!isOn) return { isOn, explanation: null };
  const plan = wholePlanOf(row);
  const { regime } = await readMarketView({ db }, row.snapshotId);
  const { automationOff, haltReason } = accountStateOf(row);
  const tradeOf = new Map(row.intents.flatMap(({ leg, orders }) => orders.map((order) => [leg, order.id] as const)));
  const story: DecisionStory = {
    id,
    at: row.decidedAt.toISOString(),
    line: row.line,
    regime,
    automationOff,
    haltReason,
    orders: plan.orders.map((order) => ({ ...order, tradeId: tradeOf.get(order.leg) ?? null })),
    candidates: plan.candidates,
  };
  const sentences = symbol === undefined ? decisionStorySentences(story) : symbolStorySentences(story, symbol);
  if (sentences === null) throw new Failure("not_found", `The decision did not look at ${symbol}.`);
  const subject = symbol === undefined ? id : `${id} ${symbol}`;
  return {
    isOn,
    explanation: await writeExplanation(context, { kind: "DECISION", subject, userId: actor.userId }, sentences),
  };
}
