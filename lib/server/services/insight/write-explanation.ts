import type { Given } from "@/lib/contracts/endpoint.ts";
import type { insightApi } from "@/lib/contracts/insight.ts";
import { jobs } from "@/lib/contracts/jobs.ts";
import type { InsightKindName } from "@/lib/domain/enums.ts";
import { factsOf, fillTemplates, shownSentences, skeletonsOf } from "@/lib/domain/insight/model-text.ts";
import type { RecordFact } from "@/lib/domain/insight/check-text.ts";
import type { Sentence } from "@/lib/domain/insight/sentence-parts.ts";
import { DAY_MS, HOUR_MS } from "@/lib/domain/time.ts";
import { asJson, templatesOf } from "../../core/json.ts";
import type { Context } from "../../context.ts";
import type { Prisma } from "../../db.ts";
import { env } from "../../env.ts";
import { insightModel } from "../../insight/model-writer.ts";
import { hashOf } from "../cycles/market-record.ts";

/** What a text is about, and whose it is; null where it is no person's. */
export interface Subject {
  kind: InsightKindName;
  subject: string;
  userId: string | null;
}

type Explanation = NonNullable<Given<typeof insightApi.trade>["explanation"]>;
type Needed = Pick<Context, "db" | "now" | "queue">;

/** The model is asked again after this time where it gave no usable answer. */
const AGAIN_AFTER_MS = 6 * HOUR_MS;

/**
 * The sentences with who wrote them. A model's text is shown where there is one of this very record and it checks with the
 * figures as they are now; else the product's own, and the model is asked beside: a page never waits for it.
 */
export async function writeExplanation(context: Needed, about: Subject, sentences: Sentence[]): Promise<Explanation> {
  const own: Explanation = { sentences, writer: "TRADEWIND", model: null };
  const model = insightModel();
  if (model === null || sentences.length === 0) return own;
  const { kind, subject } = about;
  const facts = factsOf(sentences);
  const recordHash = hashOf({ model, facts: skeletonsOf(facts) });
  const row = await context.db.insightText.findUnique({
    where: { kind_subject_recordHash: { kind, subject, recordHash } },
  });
  if (row?.state === "WRITTEN") {
    const made = fillTemplates(templatesOf(row) ?? [], facts);
    return "sentences" in made
      ? { sentences: shownSentences(made.sentences, sentences), writer: "MODEL", model: row.model }
      : own;
  }
  if (row === null || isToBeAskedAgain(context, row)) await askFor(context, about, recordHash, facts);
  return own;
}

function isToBeAskedAgain(
  { now }: Needed,
  { state, fault, askedAt }: Pick<Prisma.InsightTextGetPayload<object>, "state" | "fault" | "askedAt">,
): boolean {
  if (state !== "REFUSED" || fault !== "no_answer" || askedAt === null) return false;
  return now().getTime() - askedAt.getTime() > AGAIN_AFTER_MS;
}

/** Leaves the facts for the worker, as far as the person's calls of the day go. */
async function askFor(
  { db, now, queue }: Needed,
  { kind, subject, userId }: Subject,
  recordHash: string,
  facts: readonly RecordFact[],
): Promise<void> {
  const since = new Date(now().getTime() - DAY_MS);
  const today = await db.insightText.count({ where: { userId, createdAt: { gt: since } } });
  if (today >= env().INSIGHT_DAILY_CALLS) return;
  const fresh = { state: "WAITING" as const, fault: null, askedAt: null, createdAt: now() };
  await db.insightText.upsert({
    where: { kind_subject_recordHash: { kind, subject, recordHash } },
    create: { kind, subject, userId, recordHash, facts: asJson(facts), createdAt: now() },
    update: fresh,
  });
  await queue.enqueue(jobs.insightTexts, {});
}
