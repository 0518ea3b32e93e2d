import { MINUTE_MS } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import { readQueueDepth } from "../../jobs/kept-jobs.ts";
import { hasMarket } from "../../providers/market-data-registry.ts";
import { countOverdue } from "./count-overdue.ts";

type ReadDepth = () => Promise<{ pending: number; processing: number; failed: number } | null>;

/**
 * A look at the system each minute. It needs neither the queue nor the schedule, so that it runs while they are paused or
 * unavailable. Of several workers in one minute the first one writes.
 */
export async function sampleSystem(context: Context, readDepth: ReadDepth = readQueueDepth): Promise<void> {
  const { db, now } = context;
  const minute = new Date(now().getTime() - (now().getTime() % MINUTE_MS));
  if ((await db.systemSample.findUnique({ where: { at: minute }, select: { at: true } })) !== null) return;
  const [depth, overdueSchedules, clockSkewMs] = await Promise.all([
    readDepth(),
    countOverdue(context),
    readSkew(context),
  ]);
  const sample = {
    at: minute,
    pendingJobs: depth?.pending ?? null,
    processingJobs: depth?.processing ?? null,
    failedJobs: depth?.failed ?? null,
    overdueSchedules,
    clockSkewMs,
  };
  await db.systemSample.createMany({ data: [sample], skipDuplicates: true });
}

/** Broker's clock less ours, in ms, at the middle of the call. The practice market has a time of its own: null. */
async function readSkew({ marketData, now }: Context): Promise<number | null> {
  if (!hasMarket("US")) return null;
  const askedAt = now().getTime();
  try {
    const { now: theirs } = await marketData("US").clock();
    return Math.round(Date.parse(theirs) - (askedAt + now().getTime()) / 2);
  } catch {
    // The schedule reports a clock that cannot be read.
    return null;
  }
}
