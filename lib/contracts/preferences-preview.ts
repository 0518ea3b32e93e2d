import * as z from "zod";
import { MARKETS, RUN_STATUSES } from "@/lib/domain/enums.ts";
import { LIVE_ONLY } from "@/lib/domain/preferences.ts";
import { idIn, moneyOut } from "./codecs.ts";
import { endpoint } from "./endpoint.ts";
import { tradingIn } from "./preferences.ts";

const gainOut = z.object({ symbol: z.string(), pnl: moneyOut, isOpen: z.boolean() }).nullable();

/** A run in a few figures; a position that is still held counts with what it stands at. */
const figuresOut = z.object({
  pnl: moneyOut,
  /** Fraction. */
  totalReturn: z.number().finite(),
  /** Fraction ≤ 0. */
  maxDrawdown: z.number().finite(),
  purchases: z.number().int(),
  won: z.number().int(),
  lost: z.number().int(),
  open: z.number().int(),
  best: gainOut,
  worst: gainOut,
  daysInvested: z.number().int(),
  /** The rule that refused the most candidates first. */
  refused: z.object({ gate: z.string(), word: z.string(), text: z.string(), count: z.number().int() }).nullable(),
  /** The session in which buying was stopped until a person resumes it. */
  halted: z.iso.date().nullable(),
});

export const previewOut = z.object({
  id: z.string(),
  status: z.enum(RUN_STATUSES),
  /** True where no worker answers: it continues when one does. */
  isStalled: z.boolean(),
  /** Sessions of both runs; `total` is null until the history is read, of which `readPercent` says how much is. */
  progress: z.object({
    done: z.number().int(),
    total: z.number().int().nullable(),
    readPercent: z.number().int().nullable(),
  }),
  market: z.enum(MARKETS),
  from: z.iso.date(),
  to: z.iso.date(),
  sessions: z.number().int(),
  cash: moneyOut,
  /** Whose money it begins with, in a sentence. */
  basis: z.string(),
  /** Why it failed, in words. */
  error: z.string().nullable(),
  /** Null until it is done. */
  result: z
    .object({
      sentence: z.string(),
      draft: figuresOut,
      /** Null where the saved settings were the ones that were tried. */
      saved: figuresOut.nullable(),
    })
    .nullable(),
});

export const preferencesPreviewApi = {
  start: endpoint({
    method: "POST",
    path: "/preferences/preview",
    access: "user",
    limit: "api",
    summary:
      "Try settings on the last 20 closed sessions, beside the saved ones. One try at a time: a new one replaces it.",
    input: z.strictObject({ settings: tradingIn.omit(LIVE_ONLY) }),
    output: previewOut,
  }),
  read: endpoint({
    method: "GET",
    path: "/preferences/preview/{id}",
    access: "user",
    limit: "api",
    summary: "The progress and the result of a try of settings.",
    input: z.strictObject({ id: idIn }),
    output: previewOut,
  }),
};
