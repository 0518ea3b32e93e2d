import type { MarketName } from "@/lib/domain/enums.ts";
import { MINUTE_MS } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import { hasMarket } from "../../providers/market-data-registry.ts";
import { scheduleKey } from "../schedule/schedule-keys.ts";

const FAILED =
  "The last look at the market failed: nothing new is decided until one succeeds, stops that rest at the broker keep working.";
const OVERDUE =
  "The look at the market that is due has not begun: nothing new is decided until it has, stops that rest at the broker keep working.";

interface ScreeningState {
  /** A look was due and woken, whatever became of it. */
  hasBegun: boolean;
  /** Market time of the last look that succeeded, as is the next. */
  lastRunAt: Date | null;
  /** Null also where its time has passed. */
  nextRunAt: Date | null;
  /** Why no look succeeds now, for people. */
  fault: string | null;
  coalesced: number;
}

/**
 * How the looks at a market go. A row that is taken is no look yet: what was looked at is a cycle that is done. A late row is seen
 * where market time is wall time; the practice market's waits for a clock of its own.
 */
export async function readScreening(
  { db, now }: Pick<Context, "db" | "now">,
  market: MarketName,
): Promise<ScreeningState> {
  const [row, cycle] = await Promise.all([
    db.schedule.findUnique({ where: { key: scheduleKey("screening", market) } }),
    db.cycle.findFirst({
      where: { market, status: "DONE" },
      orderBy: { startedAt: "desc" },
      select: { startedAt: true },
    }),
  ]);
  const isOverdue = market === "US" && row !== null && row.dueAt.getTime() < now().getTime() - MINUTE_MS;
  // Without a source of its data a market is not looked at, and that is said elsewhere.
  const isLookedAt = market === "PRACTICE" || hasMarket(market);
  const fault = isOverdue ? OVERDUE : row?.lastStatus === "failed" ? FAILED : null;
  return {
    hasBegun: row?.lastMarketAt != null,
    lastRunAt: cycle?.startedAt ?? null,
    nextRunAt: isOverdue ? null : (row?.dueAt ?? null),
    fault: isLookedAt ? fault : null,
    coalesced: row?.coalesced ?? 0,
  };
}
