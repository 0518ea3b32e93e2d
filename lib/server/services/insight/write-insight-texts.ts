import { Failure } from "@/lib/domain/failures.ts";
import type { RefusedText, TemplateSentence } from "@/lib/domain/insight/check-text.ts";
import { fillTemplates, skeletonsOf } from "@/lib/domain/insight/model-text.ts";
import { DAY_MS, MINUTE_MS } from "@/lib/domain/time.ts";
import { asJson, recordFactsOf } from "../../core/json.ts";
import type { Context } from "../../context.ts";
import { isFlagOn } from "../flags/read-flags.ts";
import { askModel, insightModel } from "../../insight/model-writer.ts";

/** A run ends after these: the job's turn comes again. */
const TEXTS_MOST = 20;
/** A worker that asked and was gone for this long does not continue it. */
const ABANDONED_MS = 2 * MINUTE_MS;
const KEPT_MS = 90 * DAY_MS;

type Needed = Pick<Context, "db" | "now" | "log">;

interface Waiting {
  id: string;
  kind: string;
  facts: never;
}

/**
 * Asks the model for the texts that wait, the oldest first, and for none while the flag ai_insights is off: what was asked
 * for before waits. Where it does not answer, the others wait for the next turn.
 */
export async function writeInsightTexts(context: Needed): Promise<void> {
  const model = insightModel();
  if (model === null) return;
  const { db, now } = context;
  await db.insightText.deleteMany({ where: { createdAt: { lt: new Date(now().getTime() - KEPT_MS) } } });
  for (let n = 0; n < TEXTS_MOST; n += 1) {
    if (!(await isFlagOn({ db }, "ai_insights"))) return;
    const row = await claim(context);
    if (row === null || (await writeText(context, row, model)) === "no_answer") return;
  }
}

/** One that waits, or that a worker asked for and left: taken by one of many workers. */
async function claim({ db, now }: Needed): Promise<Waiting | null> {
  const at = now();
  const [row] = await db.$queryRaw<Waiting[]>`
    update "InsightText" set "state" = 'ASKED', "askedAt" = ${at}
    where "id" = (select "id" from "InsightText"
      where "state" = 'WAITING' or ("state" = 'ASKED' and "askedAt" < ${new Date(at.getTime() - ABANDONED_MS)})
      order by "createdAt" limit 1 for update skip locked)
    returning "id", "kind"::text as "kind", "facts"`;
  return row ?? null;
}

/** What the model wrote fails in the checker: it counts as a failed call of the provider. */
class RefusedAnswer extends Error {
  constructor(readonly reason: RefusedText) {
    super(`the text is refused: ${reason}`);
    this.name = "ZodError";
  }
}

async function writeText(context: Needed, row: Waiting, model: string): Promise<"written" | "unusable" | "no_answer"> {
  const { db, log } = context;
  const { id, kind } = row;
  const facts = recordFactsOf(row);
  const startedAt = performance.now();
  const durationMs = () => Math.round(performance.now() - startedAt);
  const where = { id, state: "ASKED" as const };
  try {
    const sentences = await askModel(skeletonsOf(facts), (templates: TemplateSentence[]) => {
      const made = fillTemplates(templates, facts);
      if ("refused" in made) throw new RefusedAnswer(made.refused);
      return templates;
    });
    await db.insightText.updateMany({ where, data: { state: "WRITTEN", sentences: asJson(sentences), model } });
    log.info("insight.written", { kind, count: sentences.length, durationMs: durationMs() });
    return "written";
  } catch (error) {
    const fault = error instanceof RefusedAnswer || isFormFault(error) ? "unusable" : "no_answer";
    await db.insightText.updateMany({ where, data: { state: "REFUSED", fault } });
    const reason = error instanceof RefusedAnswer ? error.reason : error instanceof Failure ? error.message : fault;
    log.warn("insight.refused", { kind, reason, durationMs: durationMs() });
    return fault;
  }
}

/** An answer came, and it was none: the adapter gives words as the cause of that alone. */
const isFormFault = (error: unknown) => error instanceof Failure && typeof error.cause === "string";
