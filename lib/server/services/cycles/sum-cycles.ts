import type { MarketName } from "@/lib/domain/enums.ts";
import { clockText } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import { cycleTotal, type SaidLine } from "./cycle-total.ts";

/** A decision that began before the newest look may be recorded after it. */
const LATEST = 2;

/**
 * Writes the totals of the market's latest cycles from their decisions: the next look at the market does so for those before
 * it. Totals kept by each decision in its own transaction would make all accounts of a cycle wait for one row.
 */
export async function sumLatestCycles({ db, log }: Pick<Context, "db" | "log">, market: MarketName): Promise<void> {
  const cycles = await db.cycle.findMany({
    where: { market, status: "DONE" },
    orderBy: { startedAt: "desc" },
    take: LATEST,
    select: { id: true, startedAt: true, screened: true, seated: true },
  });
  for (const { id, startedAt, screened, seated } of cycles) {
    try {
      const lines = await db.$queryRaw<SaidLine[]>`
        select "line", count(*)::int as "count" from "DecisionRecord" where "cycleId" = ${id}::uuid group by "line"`;
      const data = cycleTotal({ clock: clockText(startedAt.toISOString()), screened, seated }, lines);
      await db.cycle.update({ where: { id }, data });
    } catch (error) {
      // Totals of the past are no reason to miss a look at the market.
      log.error("cycle.total-failed", { cycleId: id, err: error });
    }
  }
}
