import type { backtestGridsApi } from "@/lib/contracts/backtest-grids.ts";
import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import { AXIS_VALUES_MIN, axisOf } from "@/lib/domain/backtest/grid.ts";
import { GRID_AXES } from "@/lib/domain/enums.ts";
import type { Context } from "../../context.ts";
import { preferencesOf } from "../../core/json.ts";
import { axisView, gridView } from "./grid-view.ts";
import { ownBacktest } from "./own-backtest.ts";

/** What of a backtest can be varied, and the grid of it that was asked for last. */
export async function readGrid(
  context: Context<"user">,
  { id }: Received<typeof backtestGridsApi.read>,
): Promise<Given<typeof backtestGridsApi.read>> {
  const backtest = await ownBacktest(context, id);
  const preferences = preferencesOf(backtest);
  const rows = await context.db.backtestGrid.findMany({
    where: { backtestId: id, userId: context.actor.userId },
    orderBy: [{ askedAt: "desc" }, { id: "desc" }],
  });
  const [row = null] = rows;
  return {
    axes: GRID_AXES.map((axis) => axisOf(axis, preferences))
      .filter(({ values }) => values.length >= AXIS_VALUES_MIN)
      .map((side) => axisView(side, preferences)),
    played: rows
      .filter(({ status }) => status === "DONE")
      .map(({ rowAxis, columnAxis }) => ({ rows: rowAxis, columns: columnAxis })),
    grid: row && (await gridView(context, row, backtest)),
  };
}
