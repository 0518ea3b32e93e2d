import type { Given } from "@/lib/contracts/endpoint.ts";
import type { backtestsApi } from "@/lib/contracts/backtests.ts";
import { valueOf } from "@/lib/domain/statistics/statistics.ts";
import { text } from "@/lib/domain/money.ts";
import { figuresOf } from "../../core/json.ts";
import type { Prisma } from "../../db.ts";
import { sessionOf } from "../../rows.ts";
import { SILENT_MS } from "../queue/run-thread.ts";

type RowView = Given<typeof backtestsApi.list>["backtests"][number];

/** Everything but the days and round trips: what a row of a list is made of. */
export type BacktestRow = Prisma.BacktestGetPayload<{ omit: { record: true } }>;

/** `now` is wall time: a run that sent no heartbeat for long is stalled. */
export function rowView(row: BacktestRow, now: Date): RowView {
  const figures = figuresOf(row);
  const { id, name, market, strategy, status, createdAt, startedAt, finishedAt, error } = row;
  return {
    id,
    name,
    market,
    strategy,
    from: sessionOf(row.fromDate),
    to: sessionOf(row.toDate),
    cash: text(row.cash),
    status,
    progress: { done: row.sessionsDone, total: row.sessionsTotal, readPercent: row.readPercent },
    isStalled: status === "RUNNING" && row.beatAt !== null && now.getTime() - row.beatAt.getTime() > SILENT_MS,
    createdAt,
    startedAt,
    finishedAt,
    error,
    outcome: figures && {
      finalEquity: text(valueOf(figures, "final_equity") ?? 0),
      totalReturn: valueOf(figures, "total_return"),
      maxDrawdown: valueOf(figures, "max_drawdown"),
      sharpe: valueOf(figures, "sharpe"),
      trips: valueOf(figures, "trades") ?? 0,
    },
  };
}
