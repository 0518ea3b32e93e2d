import { type PreviewFigures, previewFigures } from "@/lib/domain/backtest/preview.ts";
import { runBacktest } from "@/lib/domain/backtest/run-backtest.ts";
import type { PreferencesView } from "@/lib/domain/preferences.ts";
import { serveThread } from "../queue/serve-thread.ts";
import { type Past, readPast } from "./read-past.ts";
import { sessionsDone, type ThreadNews } from "./serve-thread.ts";

export interface PreviewTask extends Past {
  draft: PreferencesView;
  /** Null where they are the ones that are tried. */
  saved: PreferencesView | null;
  /** USD */
  cash: string;
  hasRotation: boolean;
}

export interface PreviewOutcome {
  draft: PreviewFigures;
  saved: PreviewFigures | null;
}

/** Tries settings on a market's past, all within the thread, as a backtest is figured. */
export const servePreviewThread = () => serveThread(foldPreview);

/** The history is read and its features are made once for both. */
async function foldPreview(task: PreviewTask, post: (news: ThreadNews) => void): Promise<PreviewOutcome> {
  const { policy, draft, saved, cash, hasRotation } = task;
  const { index, features, first, last } = await readPast(task, post);
  const runs = saved === null ? 1 : 2;
  // The backtests' own seed: settings that are tried give what a backtest of them gives.
  const figuresOf = (preferences: PreferencesView, before: number) =>
    previewFigures(
      runBacktest({
        index,
        features,
        policy,
        preferences,
        cash,
        seed: 1,
        from: first,
        to: last,
        hasRotation,
        onSession: (done, total) => post({ kind: "session", done: sessionsDone(done, total, before, runs), total }),
      }),
    );
  return { draft: figuresOf(draft, 0), saved: saved === null ? null : figuresOf(saved, 1) };
}
