import { cellOf, type GridAxis, type GridCell, gridSettings } from "@/lib/domain/backtest/grid.ts";
import { runBacktest } from "@/lib/domain/backtest/run-backtest.ts";
import type { PreferencesView } from "@/lib/domain/preferences.ts";
import { serveThread } from "../queue/serve-thread.ts";
import { type Past, type ReadNews, readPast } from "./read-past.ts";

export interface GridTask extends Past {
  preferences: PreferencesView;
  rows: GridAxis;
  columns: GridAxis;
  /** USD */
  cash: string;
  hasRotation: boolean;
}

/** The figures of every cell, by row and by column. */
export type GridOutcome = GridCell[][];

export type GridNews = ReadNews | { kind: "run"; done: number };

/** Repeats a backtest with two settings varied, all within the thread. */
export const serveGridThread = () => serveThread(foldGrid);

/** The history is read and its features are made once for all runs. */
async function foldGrid(task: GridTask, post: (news: GridNews) => void): Promise<GridOutcome> {
  const { policy, preferences, rows, columns, cash, hasRotation } = task;
  const { index, features, first, last } = await readPast(task, post);
  let done = 0;
  return gridSettings(preferences, rows, columns).map((row) =>
    row.map((settings) => {
      const cell = cellOf(
        runBacktest({
          ...{ index, features, policy, cash, hasRotation },
          preferences: settings,
          // The backtest's own: its settings give its figures.
          seed: 1,
          from: first,
          to: last,
        }),
      );
      post({ kind: "run", done: (done += 1) });
      return cell;
    }),
  );
}
