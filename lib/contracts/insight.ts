import * as z from "zod";
import { INSIGHT_WRITERS, REGIMES, SIDES, TODAY_ACTIONS, TODAY_EVENTS } from "@/lib/domain/enums.ts";
import { REHEARSAL_BOUNDS } from "@/lib/domain/insight/rehearsal-bounds.ts";
import { idIn, instantOut, moneyOut } from "./codecs.ts";
import { endpoint } from "./endpoint.ts";
import { environmentIn, environmentScopeOut } from "./environment.ts";

/** Text in pieces, so that a screen can cover the amounts in it; joined they are the text. */
export const textOut = z.array(
  z.object({
    text: z.string(),
    /** True for an amount of the person's money. */
    isAmount: z.boolean(),
  }),
);

/** Who put the records into words; `model` names the one that did where a model did. */
const writerOut = { writer: z.enum(INSIGHT_WRITERS), model: z.string().nullable() };

/** Never without the records that a sentence tells of. */
export const sentenceOut = z.object({
  parts: textOut,
  cites: z.array(z.object({ label: z.string(), href: z.string() })).min(1),
});
export const sentencesOut = z.array(sentenceOut);

/** A record in words; null where the feature is off. */
const toldOut = z.object({
  isOn: z.boolean(),
  explanation: z.object({ sentences: sentencesOut, ...writerOut }).nullable(),
});

const regimeOut = z.object({
  label: z.enum(REGIMES),
  vix: z.number().finite().nullable(),
  spyClose: z.number().finite().nullable(),
  votes: z.number().int(),
});

const { vix: vixBounds, changePct: changeBounds } = REHEARSAL_BOUNDS;
const changeIn = (label: string) =>
  z
    .number(`${label} must be a number.`)
    .min(changeBounds.min, `${label} must be ${changeBounds.min} % or more.`)
    .max(changeBounds.max, `${label} must be ${changeBounds.max} % or less.`);
const SYMBOLS_MOST = 50;
const symbolIn = z.string().regex(/^[A-Z][A-Z.]{0,9}$/, "Enter a symbol such as AAPL.");

export const insightApi = {
  daily: endpoint({
    method: "GET",
    path: "/insight/daily",
    access: "user",
    limit: "api",
    summary: "The insight of the day: what the records say about the latest session of one environment.",
    input: z.strictObject(environmentIn),
    output: z.object({
      ...environmentScopeOut,
      /** False while `ai_insights` is off: then there is no brief. */
      isOn: z.boolean(),
      /** Null before the first record, too. */
      brief: z
        .object({
          /** New York date of market time. */
          session: z.iso.date(),
          /** The session has ended. */
          isClosed: z.boolean(),
          /** Market time of the oldest reading in the figures. */
          asOf: instantOut,
          headline: textOut,
          sentences: sentencesOut,
          ...writerOut,
        })
        .nullable(),
    }),
  }),
  today: endpoint({
    method: "GET",
    path: "/insight/today",
    access: "user",
    limit: "api",
    summary:
      "The answer of the dashboard: how the day goes, what was done and why, what comes next and whether anything is wrong, with the day in lines.",
    input: z.strictObject(environmentIn),
    output: z.object({
      ...environmentScopeOut,
      /** New York date of market time that the answer is about; null before the first record. */
      session: z.iso.date().nullable(),
      /** Market time of the oldest reading in the figures; null where there are none. */
      asOf: instantOut.nullable(),
      headline: textOut,
      /** What was done and why; then what comes next. */
      sentences: sentencesOut,
      health: z.object({ isWrong: z.boolean(), sentence: sentencesOut.element }),
      action: z.enum(TODAY_ACTIONS),
      /** Whether there is a brief of the day beside it (`ai_insights`). */
      hasInsight: z.boolean(),
      /** Oldest first. */
      timeline: z.array(
        z.object({
          kind: z.enum(TODAY_EVENTS),
          at: instantOut,
          /** The last of a run of looks that say the same. */
          until: instantOut.nullable(),
          parts: textOut,
          /** The page of its record. */
          href: z.string(),
        }),
      ),
    }),
  }),
  trade: endpoint({
    method: "GET",
    path: "/insight/trades/{id}",
    access: "user",
    limit: "api",
    summary: "Why this trade: what its records say, in words.",
    input: z.strictObject({ id: idIn }),
    output: toldOut,
  }),
  decision: endpoint({
    method: "GET",
    path: "/insight/decisions/{id}",
    access: "user",
    limit: "api",
    summary: "Why no trade: what a decision did and what kept it from more, in words; of one stock where it is named.",
    input: z.strictObject({ id: idIn, symbol: symbolIn.optional() }),
    output: toldOut,
  }),
  rotation: endpoint({
    method: "GET",
    path: "/insight/rotation/{planId}",
    access: "admin",
    limit: "admin",
    summary: "A rotation plan in words: what goes, what comes, why, what it costs and whether the guardrails hold.",
    input: z.strictObject({ planId: idIn }),
    output: toldOut,
  }),
  rehearsal: endpoint({
    method: "POST",
    path: "/insight/rehearsal",
    access: "user",
    limit: "api",
    perPerson: "recomputations",
    summary:
      "What would be decided if the VIX, SPY or prices were different: the latest decision made again on that. Nothing is stored, nothing is sent.",
    input: z.strictObject({
      ...environmentIn,
      /** Absent, the account of the environment that decided last is meant. */
      accountId: idIn.optional(),
      vix: z
        .number("VIX must be a number.")
        .min(vixBounds.min, `VIX must be ${vixBounds.min} or more.`)
        .max(vixBounds.max, `VIX must be ${vixBounds.max} or less.`)
        .optional(),
      spyChangePct: changeIn("SPY change").optional(),
      /** Stocks whose price moves otherwise than SPY. */
      changes: z
        .array(
          z.strictObject({
            symbol: symbolIn,
            changePct: changeIn("A change"),
          }),
        )
        .max(SYMBOLS_MOST, `Enter ${SYMBOLS_MOST} symbols at most.`)
        .optional(),
    }),
    output: z.object({
      ...environmentScopeOut,
      /** False while `ai_insights` is off: then there is no rehearsal. */
      isOn: z.boolean(),
      /** Null before the first decision. */
      rehearsal: z
        .object({
          /** Nothing of it was sent or stored. */
          isHypothetical: z.literal(true),
          account: z.object({ id: z.string(), name: z.string() }),
          /** The recorded decision that was made again. */
          decision: z.object({ id: z.string(), decidedAt: instantOut, line: z.string() }),
          /** The plan is the recorded one, byte for byte. */
          isAsRecorded: z.boolean(),
          regime: z.object({ recorded: regimeOut, supposed: regimeOut }),
          line: z.string(),
          orders: z.array(
            z.object({
              leg: z.number().int(),
              purpose: z.string(),
              symbol: z.string(),
              side: z.enum(SIDES),
              quantity: moneyOut,
              limitPrice: moneyOut.nullable(),
              stopPrice: moneyOut.nullable(),
              targetPrice: moneyOut.nullable(),
              decisionPrice: moneyOut,
              reason: z.string(),
            }),
          ),
          cancels: z.number().int(),
          /** Stocks with a signal that would be refused, and by what first. */
          refused: z.array(z.object({ symbol: z.string(), word: z.string(), waitsFor: z.string() })),
          sentences: sentencesOut,
          /** What was assumed where the records say nothing. */
          assumptions: z.array(z.string()),
        })
        .nullable(),
    }),
  }),
};
