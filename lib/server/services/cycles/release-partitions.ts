import { DAY_MS } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import { env } from "../../env.ts";

/** What reads a partition waits so long at most while it is written anew. */
const MOST_MS = 5_000;

/** What was deleted in this run may be visible to a transaction that began before, and would be written along: a later run's turn. */
const GRACE_DAYS = 2;

/**
 * Gives the room of deleted decisions back, in partitions whose decisions are all two days older than DECISIONS_KEPT_DAYS: an empty one is
 * dropped, and of the others one in each run is written anew.
 */
export async function releasePartitions({ db, now, log }: Pick<Context, "db" | "now" | "log">): Promise<void> {
  const { DECISIONS_KEPT_DAYS: days } = env();
  if (days === undefined) return;
  const before = new Date(now().getTime() - (days + GRACE_DAYS) * DAY_MS);
  const ended = await db.$queryRaw<{ part: string }[]>`
    select "part" from ended_decision_partitions(${before}::timestamptz)`;
  let mayRewrite = true;
  // The newest first: the oldest holds everything before the first month, and if that takes too long, the others had their turn.
  for (const { part: partition } of ended.toReversed()) {
    try {
      const outcome = await db.$transaction(
        async (tx) => {
          await tx.$executeRawUnsafe(`set local statement_timeout = ${MOST_MS}`);
          const [row] = await tx.$queryRaw<{ outcome: string }[]>`
            select release_decision_partition(${partition}, ${before}::timestamptz, ${mayRewrite}) as "outcome"`;
          return row?.outcome ?? "kept";
        },
        { timeout: 2 * MOST_MS },
      );
      if (outcome === "kept") continue;
      log.info("decisions.partition-released", { partition, outcome });
      if (outcome === "rewritten") mayRewrite = false;
    } catch (error) {
      // Held by others, or too much to write in that time (docs/operations.md).
      log.warn("decisions.partition-not-released", { partition, err: error });
      mayRewrite = false;
    }
  }
}
