import type { backtestGridsApi } from "@/lib/contracts/backtest-grids.ts";
import type { Given } from "@/lib/contracts/endpoint.ts";
import { AXES, cellOfFigures, type GridAxis, ownPlace } from "@/lib/domain/backtest/grid.ts";
import { driftText, gridText, gridTriesText } from "@/lib/domain/backtest/grid-text.ts";
import type { PreferencesView } from "@/lib/domain/preferences.ts";
import type { Context } from "../../context.ts";
import { figuresOf, gridAxesOf, gridCellsOf, preferencesOf } from "../../core/json.ts";
import type { Prisma } from "../../db.ts";
import { SILENT_MS } from "../queue/run-thread.ts";
import { isWorkerBeating } from "../schedule/worker-lease.ts";
import type { BacktestRow } from "./backtest-view.ts";

type View = Given<typeof backtestGridsApi.start>;
type Row = Prisma.BacktestGridGetPayload<object>;

/** One side of a grid, written out. */
export function axisView(side: GridAxis, preferences: PreferencesView): View["rows"] {
  const { label, hint, text } = AXES[side.axis];
  return { axis: side.axis, label, hint, values: side.values.map(text), own: ownPlace(side, preferences) };
}

/** A grid as its owner sees it; its sentences are made from what the runs gave. */
export async function gridView(context: Pick<Context, "db" | "now">, row: Row, backtest: BacktestRow): Promise<View> {
  const { rows, columns } = gridAxesOf(row);
  const preferences = preferencesOf(backtest);
  return {
    id: row.id,
    status: row.status,
    isStalled: await isStalled(context, row),
    progress: { done: row.runsDone, total: rows.values.length * columns.values.length, readPercent: row.readPercent },
    rows: axisView(rows, preferences),
    columns: axisView(columns, preferences),
    error: row.error,
    finishedAt: row.finishedAt,
    result: resultView(row, backtest),
  };
}

function resultView(row: Row, backtest: BacktestRow): View["result"] {
  const cells = gridCellsOf(row);
  if (cells === null) return null;
  const { rows, columns } = gridAxesOf(row);
  const preferences = preferencesOf(backtest);
  const place = { row: ownPlace(rows, preferences), column: ownPlace(columns, preferences) };
  const own = cells[place.row]?.[place.column];
  return {
    sentence: gridText(cells, place),
    tries: gridTriesText(row.tries),
    drift: own === undefined ? null : driftText(own, cellOfFigures(figuresOf(backtest) ?? [])),
    cells,
  };
}

/** Nothing works on it: no worker answers, or the one that had begun fell silent. */
async function isStalled(context: Pick<Context, "db" | "now">, { status, beatAt }: Row): Promise<boolean> {
  if (status === "RUNNING") return beatAt !== null && context.now().getTime() - beatAt.getTime() > SILENT_MS;
  return status === "QUEUED" && !(await isWorkerBeating(context));
}
