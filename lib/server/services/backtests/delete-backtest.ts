import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { backtestsApi } from "@/lib/contracts/backtests.ts";
import type { Context } from "../../context.ts";
import { Prisma } from "../../db.ts";
import { ownBacktest } from "./own-backtest.ts";

/**
 * Deletes a run, a running one too: its worker ends it. One that came to an end leaves its trial behind, without its name
 * and figures: what was tried and discarded is what makes the best of the rest look good. So do the runs of its grids.
 */
export async function deleteBacktest(
  context: Context<"user">,
  { id }: Received<typeof backtestsApi.remove>,
): Promise<Given<typeof backtestsApi.remove>> {
  const { db, now } = context;
  await ownBacktest(context, id);
  await db.$transaction([
    db.backtest.deleteMany({ where: { id, status: { not: "DONE" } } }),
    db.backtest.updateMany({
      where: { id, deletedAt: null },
      data: { deletedAt: now(), name: "", figures: Prisma.DbNull, record: Prisma.DbNull },
    }),
    db.backtestGrid.deleteMany({ where: { backtestId: id, status: { not: "DONE" } } }),
    db.backtestGrid.updateMany({
      where: { backtestId: id, deletedAt: null },
      data: { deletedAt: now(), result: Prisma.DbNull },
    }),
  ]);
  return { id };
}
