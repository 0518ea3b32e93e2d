import { ownPlace } from "@/lib/domain/backtest/grid.ts";
import { text } from "@/lib/domain/money.ts";
import { asJson, gridAxesOf, preferencesOf } from "../../core/json.ts";
import type { Context } from "../../context.ts";
import { sessionOf } from "../../rows.ts";
import { runWaiting } from "../queue/run-waiting.ts";
import { type ClaimedGrid, claimGrid, GRIDS } from "./claim-grid.ts";
import { knownCompanies } from "./known-companies.ts";
import { policyOf } from "./policy-of.ts";
import { PAST_HEAP_MB } from "./read-past.ts";
import type { GridNews, GridOutcome, GridTask } from "./serve-grid.ts";

/** Makes the grids that wait. One that was replaced by the next question, or went with its backtest, has no row left, and ends. */
export const runGrids = (context: Context, program: string): Promise<void> =>
  runWaiting(context, program, {
    kind: GRIDS,
    claim: claimGrid,
    heapMb: PAST_HEAP_MB,
    what: "The grid",
    ask: "Vary the settings of a shorter backtest.",
    taskOf,
    progressOf: (news: GridNews) => (news.kind === "read" ? { readPercent: news.percent } : { runsDone: news.done }),
    resultOf: (cells: GridOutcome, row) => {
      const count = cells.flat().length;
      return { columns: { result: asJson(cells), ...triesOf(row, cells), runsDone: count, readPercent: 100 }, count };
    },
  });

/** Every cell but the backtest's own, which is counted already. */
function triesOf(row: ClaimedGrid, cells: GridOutcome): { tries: number; sharpes: number[] } {
  const { rows, columns } = gridAxesOf(row);
  const settings = preferencesOf(row.backtest);
  const own = { row: ownPlace(rows, settings), column: ownPlace(columns, settings) };
  const others = cells.flatMap((line, i) => line.filter((_, j) => i !== own.row || j !== own.column));
  return { tries: others.length, sharpes: others.flatMap(({ sharpe }) => sharpe.value ?? []) };
}

async function taskOf({ db }: Context, row: ClaimedGrid): Promise<GridTask> {
  const { backtest } = row;
  const to = sessionOf(backtest.toDate);
  return {
    ...gridAxesOf(row),
    market: backtest.market,
    policy: await policyOf(db, backtest.policyVersion),
    preferences: preferencesOf(backtest),
    cash: text(backtest.cash),
    from: sessionOf(backtest.fromDate),
    to,
    companies: await knownCompanies({ db }, backtest.market, to),
    hasRotation: backtest.hasRotation,
  };
}
