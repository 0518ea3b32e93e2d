import type { Context } from "../../context.ts";
import type { Prisma } from "../../db.ts";
import { SILENT_MS } from "../queue/run-thread.ts";

/** A try that ended its worker this often is not begun again. */
const MOST_ATTEMPTS = 3;

export type ClaimedPreview = Prisma.SettingsPreviewGetPayload<{ omit: { result: true } }>;

/**
 * Takes the oldest try that waits or has lost its worker, and begins it; null when there is none. Of many workers one gets
 * it. `attempts` is the fence: a holder of an older one writes nothing.
 */
export async function claimPreview({ db, now, log }: Context): Promise<ClaimedPreview | null> {
  const at = now();
  const silentSince = new Date(at.getTime() - SILENT_MS);
  const { count } = await db.settingsPreview.updateMany({
    where: { status: "RUNNING", beatAt: { lt: silentSince }, attempts: { gte: MOST_ATTEMPTS } },
    data: {
      status: "FAILED",
      error: `The worker ended ${MOST_ATTEMPTS} times while these settings were tried, so it is not started again.`,
      finishedAt: at,
    },
  });
  if (count > 0) log.error("settings-preview.dead-lettered", { count });
  const [row] = await db.$queryRaw<{ id: string }[]>`
    update "SettingsPreview" set "status" = 'RUNNING', "attempts" = "attempts" + 1, "startedAt" = ${at}::timestamptz,
      "beatAt" = ${at}::timestamptz, "sessionsDone" = 0, "sessionsTotal" = null, "readPercent" = null
    where "id" = (
      select "id" from "SettingsPreview"
      where "status" = 'QUEUED' or ("status" = 'RUNNING' and "beatAt" < ${silentSince}::timestamptz)
      order by "createdAt", "id" limit 1 for update skip locked)
    returning "id"`;
  return row ? db.settingsPreview.findUnique({ where: { id: row.id }, omit: { result: true } }) : null;
}
