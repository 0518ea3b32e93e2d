import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { insightApi } from "@/lib/contracts/insight.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { rotationSentences } from "@/lib/domain/insight/rotation-sentences.ts";
import { text } from "@/lib/domain/money.ts";
import { proposalOf } from "../../core/json.ts";
import type { Context } from "../../context.ts";
import { sessionOf } from "../../rows.ts";
import { isFlagOn } from "../flags/read-flags.ts";
import { writeExplanation } from "./write-explanation.ts";

/** A rotation plan in words, for administrators. It names stocks and sums of all its accounts, and no person. */
export async function explainRotation(
  context: Context<"admin">,
  { planId }: Received<typeof insightApi.rotation>,
): Promise<Given<typeof insightApi.rotation>> {
  const row = await context.db.rotationPlan.findUnique({ where: { id: planId } });
  if (!row) throw new Failure("not_found", "Rotation plan not found.");
  const isOn = await isFlagOn(context, "ai_insights");
  if (!isOn) return { isOn, explanation: null };
  const { accounts, actions, metrics } = proposalOf(row);
  const sentences = rotationSentences({
    planId,
    sessionDate: sessionOf(row.sessionDate),
    accounts: accounts.length,
    isAdvisoryOnly: row.isAdvisoryOnly,
    actions,
    metrics,
    tradedUsd: text(row.tradedUsd),
  });
  return {
    isOn,
    explanation: await writeExplanation(context, { kind: "ROTATION", subject: planId, userId: null }, sentences),
  };
}
