import type { Context } from "../../context.ts";
import { SILENT_MS } from "../queue/run-thread.ts";
import type { WhatIfRow } from "./what-if-view.ts";

/** A run that ended its worker this often is not begun again. */
const MOST_ATTEMPTS = 3;

/**
 * Takes the oldest what-if that waits or has lost its worker, and begins it; null when there is none. Of many workers one
 * gets it. `attempts` is the fence: a holder of an older one writes nothing.
 */
export async function claimWhatIf({ db, now, log }: Context): Promise<WhatIfRow | null> {
  const at = now();
  const silentSince = new Date(at.getTime() - SILENT_MS);
  const { count } = await db.whatIf.updateMany({
    where: { status: "RUNNING", beatAt: { lt: silentSince }, attempts: { gte: MOST_ATTEMPTS } },
    data: {
      status: "FAILED",
      error: `The worker ended ${MOST_ATTEMPTS} times while this what-if ran, so it is not started again. Choose fewer cycles and try again.`,
      finishedAt: at,
    },
  });
  if (count > 0) log.error("what-if.dead-lettered", { count });
  const [row] = await db.$queryRaw<{ id: string }[]>`
    update "WhatIf" set "status" = 'RUNNING', "attempts" = "attempts" + 1, "startedAt" = ${at}::timestamptz,
      "beatAt" = ${at}::timestamptz, "decisionsDone" = 0, "decisionsTotal" = null
    where "id" = (
      select "id" from "WhatIf"
      where "status" = 'QUEUED' or ("status" = 'RUNNING' and "beatAt" < ${silentSince}::timestamptz)
      order by "createdAt", "id" limit 1 for update skip locked)
    returning "id"`;
  return row ? db.whatIf.findUnique({ where: { id: row.id } }) : null;
}
