import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { decisionsApi } from "@/lib/contracts/decisions.ts";
import { Failure } from "@/lib/domain/failures.ts";
import type { Context } from "../../context.ts";
import { replayDecisions } from "../cycles/replay-decisions.ts";

/** Decides again on the recorded input and compares with the record, byte for byte. Nothing is changed by it. */
export async function recomputeDecision(
  context: Context<"user">,
  { id }: Received<typeof decisionsApi.recompute>,
): Promise<Given<typeof decisionsApi.recompute>> {
  const row = await context.db.decisionRecord.findFirst({
    where: { id, account: { userId: context.actor.userId } },
    select: { cycleId: true, accountId: true, engineVersion: true, outputHash: true },
  });
  if (!row) throw new Failure("not_found", "Decision not found.");
  const { cycleId, accountId, engineVersion, outputHash } = row;
  const startedAt = performance.now();
  const replay = await replayDecisions(context, { cycleId, accountId }).next();
  // One account decides once in a cycle: the row that was found is the one that is replayed.
  if (replay.done) throw new Failure("not_found", "Decision not found.");
  const { refusal, differences } = replay.value;
  return {
    isIdentical: refusal === null && differences.length === 0,
    refusal,
    differences,
    engineVersion,
    outputHash,
    durationMs: Math.round(performance.now() - startedAt),
  };
}
