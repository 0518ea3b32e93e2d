import type { MarketName } from "@/lib/domain/enums.ts";
import type { Context } from "../../context.ts";
import { hasMarket } from "../../providers/market-data-registry.ts";
import { sessionOf } from "../../rows.ts";
import { scheduleKey } from "../schedule/schedule-keys.ts";
import { isWorkerBeating } from "../schedule/worker-lease.ts";

/** In the order in which they are offered. */
const OFFERED: readonly MarketName[] = ["US", "PRACTICE"];

export interface LastSelection {
  id: string;
  sessionDate: Date;
  policyVersion: string;
}

/**
 * The market that a selector page is of, what was screened there last, and what every answer about it says. Without a
 * wish: US where it is configured and has been screened, else PRACTICE.
 */
export async function marketScope(context: Context, wanted: MarketName | undefined) {
  const last = {
    US: await lastSelection(context, "US"),
    PRACTICE: await lastSelection(context, "PRACTICE"),
  };
  const markets = OFFERED.filter((market) => hasMarket(market) || last[market] !== null);
  const usual = hasMarket("US") && last.US !== null ? "US" : "PRACTICE";
  const market = wanted ?? (markets.includes(usual) ? usual : (markets[0] ?? usual));
  const selection = last[market];
  return {
    market,
    selection,
    scope: {
      market,
      markets,
      sessionDate: selection && sessionOf(selection.sessionDate),
      nextScreening: await nextScreening(context, market),
    },
  };
}

function lastSelection({ db }: Pick<Context, "db">, market: MarketName): Promise<LastSelection | null> {
  return db.selection.findFirst({
    where: { market },
    orderBy: { sessionDate: "desc" },
    select: { id: true, sessionDate: true, policyVersion: true },
  });
}

async function nextScreening(
  context: Context,
  market: MarketName,
): Promise<{ at: Date | null; reason: string | null }> {
  const notDue = (reason: string) => ({ at: null, reason });
  if (!hasMarket(market)) return notDue("Market data of this market is not configured.");
  const [due, isBeating, system] = await Promise.all([
    context.db.schedule.findUnique({ where: { key: scheduleKey("screening", market) }, select: { dueAt: true } }),
    isWorkerBeating(context),
    context.db.systemState.findUniqueOrThrow({ where: { id: 1 }, select: { isQueueActive: true } }),
  ]);
  if (!isBeating) return notDue("No worker is running.");
  if (!system.isQueueActive) return notDue("The job queue is paused.");
  return due === null ? notDue("No screening is scheduled yet.") : { at: due.dueAt, reason: null };
}
