import type { Given } from "@/lib/contracts/endpoint.ts";
import type { preferencesPreviewApi } from "@/lib/contracts/preferences-preview.ts";
import type { PreviewFigures } from "@/lib/domain/backtest/preview.ts";
import { GATE_OF } from "@/lib/domain/gates/gates.ts";
import { previewBasis, previewSentence } from "@/lib/domain/insight/preview-text.ts";
import { text } from "@/lib/domain/money.ts";
import { PREFERENCE_NAMES, type PreferencesView } from "@/lib/domain/preferences.ts";
import type { Context } from "../../context.ts";
import { previewResultOf } from "../../core/json.ts";
import type { Prisma } from "../../db.ts";
import { sessionOf } from "../../rows.ts";
import { SILENT_MS } from "../queue/run-thread.ts";
import { isWorkerBeating } from "../schedule/worker-lease.ts";

type View = Given<typeof preferencesPreviewApi.read>;
type Row = Prisma.SettingsPreviewGetPayload<object>;

/** True where both decide alike. */
export const isSame = (one: PreferencesView, other: PreferencesView): boolean =>
  PREFERENCE_NAMES.every((name) => one[name] === other[name]);

/** A try as its owner sees it; its sentence is made from what the run gave. */
export async function previewView(context: Pick<Context, "db" | "now">, row: Row): Promise<View> {
  const { id, status, market, sessions, cashOf, error } = row;
  const [from, to] = [sessionOf(row.fromDate), sessionOf(row.toDate)];
  const result = previewResultOf(row);
  return {
    id,
    status,
    isStalled: await isStalled(context, row),
    progress: { done: row.sessionsDone, total: row.sessionsTotal, readPercent: row.readPercent },
    market,
    from,
    to,
    sessions,
    cash: text(row.cash),
    basis: previewBasis(row.cash.toNumber(), cashOf),
    error,
    result: result && {
      sentence: previewSentence({
        sessions,
        from,
        to,
        draft: numbersOf(result.draft),
        saved: result.saved && numbersOf(result.saved),
      }),
      draft: figuresView(result.draft),
      saved: result.saved && figuresView(result.saved),
    },
  };
}

/** Nothing works on it: no worker answers, or the one that had begun fell silent. */
async function isStalled(context: Pick<Context, "db" | "now">, { status, beatAt }: Row): Promise<boolean> {
  if (status === "RUNNING") return beatAt !== null && context.now().getTime() - beatAt.getTime() > SILENT_MS;
  return status === "QUEUED" && !(await isWorkerBeating(context));
}

const numbersOf = ({ pnl, totalReturn, purchases }: PreviewFigures) => ({ pnl: Number(pnl), totalReturn, purchases });

const figuresView = ({ refused, ...figures }: PreviewFigures) => ({
  ...figures,
  refused: refused && {
    ...refused,
    word: GATE_OF[refused.gate].label,
    text: GATE_OF[refused.gate].explanation,
  },
});
