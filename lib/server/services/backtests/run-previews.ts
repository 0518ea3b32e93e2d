import { Failure } from "@/lib/domain/failures.ts";
import { text } from "@/lib/domain/money.ts";
import { asJson, triedPreferencesOf } from "../../core/json.ts";
import type { Context } from "../../context.ts";
import type { Prisma } from "../../db.ts";
import { sessionOf } from "../../rows.ts";
import { startThread } from "../../start-thread.ts";
import { areThreadsReleased, runThread, type End } from "../queue/run-thread.ts";
import { type ClaimedPreview, claimPreview } from "./claim-preview.ts";
import { knownCompanies } from "./known-companies.ts";
import { policyOf } from "./policy-of.ts";
import { isSame } from "./preview-view.ts";
import { PAST_HEAP_MB } from "./read-past.ts";
import type { PreviewOutcome, PreviewTask } from "./serve-preview.ts";
import type { ThreadNews } from "./serve-thread.ts";

/** Tries the settings that wait, one after the other, each in a thread of its own. Done twice at once, each is still done once. */
export async function runPreviews(context: Context, program: string): Promise<void> {
  for (let row = await claimPreview(context); row !== null; row = await claimPreview(context)) {
    await runClaimed(context, row, program);
    if (areThreadsReleased()) return;
  }
}

async function runClaimed(context: Context, row: ClaimedPreview, program: string): Promise<void> {
  const { db, log, now } = context;
  const startedAt = performance.now();
  const end = await taskOf(context, row).then(
    (task) => playInThread(context, row, task, program),
    (error: unknown): End<PreviewOutcome> => {
      if (error instanceof Failure) return { kind: "failed", message: error.message };
      throw error;
    },
  );
  const where = { id: row.id, status: "RUNNING", attempts: row.attempts } as const;
  const facts = { jobId: row.id, durationMs: Math.round(performance.now() - startedAt) };
  if (end.kind === "done") {
    const { sessions } = row;
    const { count } = await db.settingsPreview.updateMany({
      where,
      data: {
        status: "DONE",
        result: asJson(end.outcome),
        sessionsDone: sessions,
        sessionsTotal: sessions,
        readPercent: 100,
        finishedAt: now(),
      },
    });
    log.info("settings-preview.completed", { ...facts, count: sessions, state: count > 0 ? "stored" : "discarded" });
  } else if (end.kind === "failed") {
    await db.settingsPreview.updateMany({
      where,
      data: { status: "FAILED", error: end.message.slice(0, 500), finishedAt: now() },
    });
    log.warn("settings-preview.failed", { ...facts, reason: end.message });
  } else if (end.kind === "released") {
    const waiting = { sessionsDone: 0, sessionsTotal: null, readPercent: null, startedAt: null, beatAt: null };
    await db.settingsPreview.updateMany({ where, data: { status: "QUEUED", ...waiting } });
    log.info("settings-preview.requeued", facts);
  } else {
    log.info("settings-preview.stopped", facts);
  }
}

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

function playInThread(context: Context, row: ClaimedPreview, task: PreviewTask, program: string) {
  const { db, now } = context;
  return runThread<ThreadNews, Prisma.SettingsPreviewUpdateManyMutationInput, PreviewOutcome>(context, {
    id: row.id,
    thread: startThread(program, task, { maxOldGenerationSizeMb: PAST_HEAP_MB }),
    what: "The try",
    ask: "Try once more.",
    progressOf: (news) =>
      news.kind === "read" ? { readPercent: news.percent } : { sessionsDone: news.done, sessionsTotal: news.total },
    // A try that was replaced by the next one no longer has a row, and ends.
    beat: async (progress) => {
      const { count } = await db.settingsPreview.updateMany({
        where: { id: row.id, status: "RUNNING", attempts: row.attempts },
        data: { beatAt: now(), ...progress },
      });
      return count > 0;
    },
  });
}
