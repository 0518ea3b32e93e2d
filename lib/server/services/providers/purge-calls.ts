import { DAY_MS, HOUR_MS } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";

const KEPT_MS = 30 * DAY_MS;
/** The shorter ranges are read from minutes, the longer ones from hours. */
const MINUTES_KEPT_MS = DAY_MS + HOUR_MS;
const SAMPLES_KEPT_MS = 7 * DAY_MS;
/** Disagreements between sources that are over: a symbol's page tells of half a year. */
const DISAGREEMENTS_KEPT_MS = 180 * DAY_MS;

/** Drops counts of provider calls and of agreements, checks, ended disagreements and samples of the system that no page shows. */
export async function purgeCalls({ db, now, log }: Pick<Context, "db" | "now" | "log">): Promise<void> {
  const before = (keptMs: number) => new Date(now().getTime() - keptMs);
  // The hour in which the longest range begins stays.
  const calls = await db.providerCall.deleteMany({
    where: {
      OR: [{ at: { lt: before(KEPT_MS + HOUR_MS) } }, { span: "MINUTE", at: { lt: before(MINUTES_KEPT_MS) } }],
    },
  });
  const checks = await db.providerCheck.deleteMany({ where: { at: { lt: before(KEPT_MS) } } });
  const samples = await db.systemSample.deleteMany({ where: { at: { lt: before(SAMPLES_KEPT_MS) } } });
  const agreement = await db.sourceAgreement.deleteMany({ where: { at: { lt: before(KEPT_MS + HOUR_MS) } } });
  const disagreements = await db.sourceDisagreement.deleteMany({
    where: { clearedAt: { not: null }, createdAt: { lt: before(DISAGREEMENTS_KEPT_MS) } },
  });
  const purged = [calls, checks, samples, agreement, disagreements];
  log.info("provider-calls.purged", { count: purged.reduce((sum, { count }) => sum + count, 0) });
}
