import type { Context } from "../../context.ts";
import type { Prisma } from "../../db.ts";
import { SILENT_MS } from "../queue/run-thread.ts";

/** A grid that ended its worker this often is not begun again. */
const MOST_ATTEMPTS = 3;

const CLAIMED = { omit: { result: true }, include: { backtest: { omit: { record: true, figures: true } } } } as const;

export type ClaimedGrid = Prisma.BacktestGridGetPayload<typeof CLAIMED>;

/**
 * Takes the oldest grid that waits or has lost its worker, and begins it; null when there is none. Of many workers one gets
 * it. `attempts` is the fence: a holder of an older one writes nothing.
 */
export async function claimGrid({ db, now, log }: Context): Promise<ClaimedGrid | null> {
  const at = now();
  const silentSince = new Date(at.getTime() - SILENT_MS);
  const { count } = await db.backtestGrid.updateMany({
    where: { status: "RUNNING", beatAt: { lt: silentSince }, attempts: { gte: MOST_ATTEMPTS } },
    data: {
      status: "FAILED",
      error: `The worker ended ${MOST_ATTEMPTS} times while these settings were varied, so it is not started again.`,
      finishedAt: at,
    },
  });
  if (count > 0) log.error("backtest-grid.dead-lettered", { count });
  const [row] = await db.$queryRaw<{ id: string }[]>`
    update "BacktestGrid" set "status" = 'RUNNING', "attempts" = "attempts" + 1, "startedAt" = ${at}::timestamptz,
      "beatAt" = ${at}::timestamptz, "runsDone" = 0, "readPercent" = null
    where "id" = (
      select "id" from "BacktestGrid"
      where "status" = 'QUEUED' or ("status" = 'RUNNING' and "beatAt" < ${silentSince}::timestamptz)
      order by "createdAt", "id" limit 1 for update skip locked)
    returning "id"`;
  return row ? db.backtestGrid.findUnique({ where: { id: row.id }, ...CLAIMED }) : null;
}
