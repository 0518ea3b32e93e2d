import type { Given } from "@/lib/contracts/endpoint.ts";
import type { backtestsApi } from "@/lib/contracts/backtests.ts";
import { overfitText, probabilityText } from "@/lib/domain/statistics/overfit.ts";
import { returnsOf, sharpeAfterTrials, type Trials, withNeighbours } from "@/lib/domain/statistics/statistics.ts";
import type { MarketName, StrategyName } from "@/lib/domain/enums.ts";
import { text } from "@/lib/domain/money.ts";
import type { Context } from "../../context.ts";

type Db = Context["db"];
type OverfitView = Given<typeof backtestsApi.list>["overfit"][number];

export interface Tried {
  userId: string;
  market: MarketName;
  strategy: StrategyName;
}

/** Every run that a result was picked from. */
interface AllTrials extends Trials {
  /** The highest Sharpe ratio of all, whatever is left out of `sharpes`; null where none has one. */
  highest: number | null;
}

/**
 * Runs of the person that came to an end on this market with this strategy, whatever was changed between them; deleted ones
 * count. So do the runs of grids, of which the best could have been picked, each as often as it was made.
 */
export async function readTrials(db: Db, { userId, market, strategy }: Tried): Promise<AllTrials> {
  const where = { userId, market, strategy, status: "DONE" } as const;
  const [rows, grids] = await Promise.all([
    db.backtest.findMany({ where, select: { sharpe: true } }),
    db.backtestGrid.findMany({ where, select: { tries: true, sharpes: true } }),
  ]);
  const own = { count: rows.length, sharpes: rows.flatMap(({ sharpe }) => sharpe ?? []) };
  const varied = {
    count: grids.reduce((total, { tries }) => total + tries, 0),
    sharpes: grids.flatMap(({ sharpes }) => sharpes),
  };
  const highest = [...own.sharpes, ...varied.sharpes].reduce<number | null>(
    (most, each) => (most === null || each > most ? each : most),
    null,
  );
  return { ...withNeighbours(own, varied), highest };
}

/** The deflated Sharpe ratio of a run that is kept, judged beside all tries. */
export function deflatedOf(cash: string, equities: readonly string[], trials: Trials): number | null {
  return sharpeAfterTrials(returnsOf(cash, equities), trials);
}

interface BestRow {
  id: string;
  cash: { toString(): string };
  sharpe: number;
  equity: string[];
  exposure: number[];
}

/** What the best run that is kept is worth, beside all tries of its kind. */
export async function judgeTries(db: Db, tried: Tried): Promise<OverfitView> {
  const trials = await readTrials(db, tried);
  const { userId, market, strategy } = tried;
  const [best] = await db.$queryRaw<BestRow[]>`
    select "id", "cash", "sharpe", "record" #> '{days,equity}' as "equity", "record" #> '{days,exposure}' as "exposure" from "Backtest"
    where "userId" = ${userId}::uuid and "market" = ${market}::"Market" and "strategy" = ${strategy}::"Strategy"
      and "status" = 'DONE' and "deletedAt" is null and "sharpe" is not null
    order by "sharpe" desc, "id" limit 1`;
  const deflated = best ? deflatedOf(text(best.cash.toString()), best.equity, trials) : null;
  const exposure = best ? best.exposure.reduce((total, value) => total + value, 0) / best.exposure.length : null;
  const judged = { tries: trials.count, sharpe: best?.sharpe ?? null, deflated, exposure };
  const isBeaten = best !== undefined && trials.highest !== null && trials.highest > best.sharpe;
  const told = {
    deflatedText: deflated === null ? null : probabilityText(deflated),
    text: overfitText({ ...judged, isBeaten }),
  };
  return { market, strategy, bestId: best?.id ?? null, ...judged, ...told };
}
