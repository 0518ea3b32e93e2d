import { text } from "@/lib/domain/money.ts";
import { asJson, triedPreferencesOf } from "../../core/json.ts";
import type { Context } from "../../context.ts";
import { sessionOf } from "../../rows.ts";
import { runWaiting } from "../queue/run-waiting.ts";
import { type ClaimedPreview, claimPreview, PREVIEWS } from "./claim-preview.ts";
import { knownCompanies } from "./known-companies.ts";
import { policyOf } from "./policy-of.ts";
import { isSame } from "./preview-view.ts";
import { PAST_HEAP_MB } from "./read-past.ts";
import type { PreviewOutcome, PreviewTask } from "./serve-preview.ts";
import type { ThreadNews } from "./serve-thread.ts";

/** Tries the settings that wait. A try that was replaced by the next one has no row left, and ends. */
export const runPreviews = (context: Context, program: string): Promise<void> =>
  runWaiting(context, program, {
    kind: PREVIEWS,
    claim: claimPreview,
    heapMb: PAST_HEAP_MB,
    what: "The try",
    ask: "Try once more.",
    taskOf,
    progressOf: (news: ThreadNews) =>
      news.kind === "read" ? { readPercent: news.percent } : { sessionsDone: news.done, sessionsTotal: news.total },
    resultOf: (outcome: PreviewOutcome, { sessions }) => {
      const progress = { sessionsDone: sessions, sessionsTotal: sessions, readPercent: 100 };
      return { columns: { result: asJson(outcome), ...progress }, count: sessions };
    },
  });

async function taskOf({ db }: Context, row: ClaimedPreview): Promise<PreviewTask> {
  const { draft, saved } = triedPreferencesOf(row);
  const to = sessionOf(row.toDate);
  return {
    market: row.market,
    policy: await policyOf(db, row.policyVersion),
    draft,
    saved: isSame(draft, saved) ? null : saved,
    cash: text(row.cash),
    from: sessionOf(row.fromDate),
    to,
    companies: await knownCompanies({ db }, row.market, to),
    hasRotation: row.hasRotation,
  };
}
