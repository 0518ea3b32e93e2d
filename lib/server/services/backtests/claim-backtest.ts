import type { Context } from "../../context.ts";
import { isUniqueViolation, type Prisma } from "../../db.ts";
import { SILENT_MS } from "../queue/run-thread.ts";

/** A run that ended its worker this often is not begun again. */
const MOST_ATTEMPTS = 3;

export type ClaimedBacktest = Prisma.BacktestGetPayload<{ omit: { record: true; figures: true } }>;

/**
 * Takes the oldest run that waits or has lost its worker, and begins it; null when there is none. Of many workers one gets
 * it, and a person's runs take turns. `attempts` is the fence: a holder of an older one writes nothing.
 */
export async function claimBacktest(context: Context): Promise<ClaimedBacktest | null> {
  const { db, now } = context;
  await failHopeless(context);
  const at = now();
  const silentSince = new Date(at.getTime() - SILENT_MS);
  let rows: { id: string }[];
  try {
    rows = await db.$queryRaw<{ id: string }[]>`
      update "Backtest" set "status" = 'RUNNING', "attempts" = "attempts" + 1, "startedAt" = ${at}::timestamptz,
        "beatAt" = ${at}::timestamptz, "sessionsDone" = 0, "sessionsTotal" = null, "readPercent" = null
      where "id" = (
        select b."id" from "Backtest" b
        where (b."status" = 'QUEUED' or (b."status" = 'RUNNING' and b."beatAt" < ${silentSince}::timestamptz))
          and not exists (select 1 from "Backtest" r where r."userId" = b."userId" and r."status" = 'RUNNING' and r."id" <> b."id")
        order by b."createdAt", b."id" limit 1 for update skip locked)
      returning "id"`;
  } catch (error) {
    // Another worker began one of the same person at the same moment: the next round looks again.
    if (isUniqueViolation(error)) return null;
    throw error;
  }
  const [row] = rows;
  return row ? db.backtest.findUnique({ where: { id: row.id }, omit: { record: true, figures: true } }) : null;
}

async function failHopeless({ db, now, log }: Context): Promise<void> {
  const at = now();
  const { count } = await db.backtest.updateMany({
    where: {
      status: "RUNNING",
      beatAt: { lt: new Date(at.getTime() - SILENT_MS) },
      attempts: { gte: MOST_ATTEMPTS },
    },
    data: {
      status: "FAILED",
      error: `The worker ended ${MOST_ATTEMPTS} times while this backtest ran, so it is not started again. Choose fewer sessions and try again.`,
      finishedAt: at,
    },
  });
  if (count > 0) log.error("backtest.dead-lettered", { count });
}
