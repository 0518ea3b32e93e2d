import { jobs } from "@/lib/contracts/jobs.ts";
import type { Context } from "../../context.ts";
import { recordLegResult, resultOf, WITH_ATTEMPT } from "./leg-state.ts";

/** Legs that are looked at in one round; the next round, two seconds later, takes the others. */
const LEGS_MAX = 2_000;

/**
 * The job: notes what became of the legs that were sent, and wakes every account that has some left to send. Postgres holds
 * what is left, so that whatever a lost queue or a dead worker forgot is woken again by the next round.
 */
export async function followRotations(context: Context): Promise<void> {
  const { db, queue } = context;
  const sent = await db.rotationLeg.findMany({
    where: {
      outcome: { in: ["waiting", "submitted", "parked"] },
      plan: { approvalStatus: "EXECUTED" },
      intents: { some: {} },
    },
    orderBy: [{ outcomeAt: { sort: "asc", nulls: "first" } }, { id: "asc" }],
    take: LEGS_MAX,
    include: { ...WITH_ATTEMPT, account: { select: { id: true, userId: true } } },
  });
  for (const { account, ...leg } of sent) await recordLegResult(context, leg, account, resultOf(leg), null);
  const waiting = await db.rotationLeg.findMany({
    where: { outcome: "waiting", plan: { approvalStatus: "EXECUTED" } },
    distinct: ["accountId"],
    select: { accountId: true },
    take: LEGS_MAX,
  });
  if (waiting.length === 0) return;
  await queue.enqueue(
    jobs.rotationAccount,
    waiting.map(({ accountId }) => ({ accountId })),
  );
}
