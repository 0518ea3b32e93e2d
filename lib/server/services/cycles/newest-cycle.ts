import type { MarketName } from "@/lib/domain/enums.ts";
import type { Context } from "../../context.ts";
import type { Cycle } from "../../core/row-types.ts";

/** A cycle that can be decided on. */
export type OpenCycle = Cycle & { snapshotId: string };

/**
 * A job that waited behind others decides on the newest look at the market, never on an old one. The queue is untrusted
 * input: null for a cycle that there is not, that is not done, or that looked at another market than the account's.
 */
export async function newestCycle({ db, log }: Context, asked: string, market?: MarketName): Promise<OpenCycle | null> {
  const cycle = await db.cycle.findFirst({ where: { id: asked, ...(market && { market }), status: "DONE" } });
  if (!cycle) {
    log.error("cycle.rejected", { cycleId: asked, market: market ?? "any" });
    return null;
  }
  const newer = await db.cycle.findFirst({
    where: { market: cycle.market, status: "DONE", startedAt: { gt: cycle.startedAt } },
    orderBy: { startedAt: "desc" },
  });
  const { snapshotId, ...rest } = newer ?? cycle;
  return snapshotId === null ? null : { ...rest, snapshotId };
}
