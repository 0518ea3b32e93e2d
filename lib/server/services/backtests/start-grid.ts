import type { backtestGridsApi } from "@/lib/contracts/backtest-grids.ts";
import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import { jobs } from "@/lib/contracts/jobs.ts";
import { AXES, AXIS_VALUES_MIN, type GridAxis, axisOf } from "@/lib/domain/backtest/grid.ts";
import { GRID_AXES } from "@/lib/domain/enums.ts";
import { Failure } from "@/lib/domain/failures.ts";
import type { Context } from "../../context.ts";
import { asJson, preferencesOf } from "../../core/json.ts";
import type { Tx } from "../../db.ts";
import type { BacktestRow } from "./backtest-view.ts";
import { gridView } from "./grid-view.ts";
import { NO_BACKTEST, ownBacktest } from "./own-backtest.ts";
import { whyNot } from "./read-options.ts";

type Input = Received<typeof backtestGridsApi.start>;

/**
 * Queues a grid and wakes the worker. It ends the person's open grid, whose run ends. One that was asked for before is
 * shown again, unless it failed: the same runs again would say the same, and count twice.
 */
export async function startGrid(context: Context<"user">, input: Input): Promise<Given<typeof backtestGridsApi.start>> {
  const { db, queue } = context;
  const backtest = await ownBacktest(context, input.id);
  if (backtest.status !== "DONE") throw new Failure("conflict", "Settings can be varied once the backtest has ended.");
  const sides = sidesOf(input, backtest);
  const reason = await whyNot(context, backtest.market);
  if (reason !== null) throw new Failure("unavailable", reason);
  const row = await db.$transaction((tx) => askedFor(tx, context, backtest, sides));
  if (row.status === "QUEUED") await queue.enqueue(jobs.backtestGrid, {});
  return gridView(context, row, backtest);
}

/** The axes in a fixed order, so that (A, B) and (B, A) are one grid. */
function sidesOf({ rows, columns }: Input, backtest: BacktestRow): { rows: GridAxis; columns: GridAxis } {
  if (rows === columns) refuse("columns", "Choose two different settings.");
  const [first, second] = GRID_AXES.filter((axis) => axis === rows || axis === columns);
  const preferences = preferencesOf(backtest);
  const sides = { rows: axisOf(first!, preferences), columns: axisOf(second!, preferences) };
  for (const { axis, values } of [sides.rows, sides.columns])
    if (values.length < AXIS_VALUES_MIN)
      refuse(axis === rows ? "rows" : "columns", `${AXES[axis].label} cannot be varied: it is at its bounds.`);
  return sides;
}

async function askedFor(
  tx: Tx,
  { actor, now }: Context<"user">,
  { id, market, strategy }: BacktestRow,
  { rows, columns }: { rows: GridAxis; columns: GridAxis },
) {
  const { userId } = actor;
  // Two requests at once take turns here, so that one grid is open; a backtest that is being deleted takes no new one.
  await tx.$queryRaw`select 1 from "User" where "id" = ${userId}::uuid for update`;
  const there = await tx.$queryRaw<object[]>`
    select 1 from "Backtest" where "id" = ${id}::uuid and "deletedAt" is null for update`;
  if (there.length === 0) throw new Failure("not_found", NO_BACKTEST);
  const axes = { rowAxis: rows.axis, columnAxis: columns.axis };
  const before = await tx.backtestGrid.findUnique({
    where: { backtestId_rowAxis_columnAxis: { backtestId: id, ...axes } },
  });
  if (before !== null && before.status !== "FAILED")
    return tx.backtestGrid.update({ where: { id: before.id }, data: { askedAt: now() } });
  await tx.backtestGrid.deleteMany({
    where: { userId, OR: [{ status: { in: ["QUEUED", "RUNNING"] } }, { backtestId: id, ...axes }] },
  });
  return tx.backtestGrid.create({
    data: {
      ...{ userId, backtestId: id, market, strategy, ...axes },
      values: asJson({ rows: rows.values, columns: columns.values }),
      createdAt: now(),
      askedAt: now(),
    },
  });
}

function refuse(path: string, message: string): never {
  throw new Failure("invalid_input", message, { issues: [{ path, message }] });
}
