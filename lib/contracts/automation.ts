import * as z from "zod";
import { MARKETS } from "@/lib/domain/enums.ts";
import { instantOut } from "./codecs.ts";
import { decisionOutcome } from "./decisions.ts";
import { endpoint } from "./endpoint.ts";
import { environmentIn, environmentScopeOut } from "./environment.ts";

const jobStatus = z.enum(["RUNNING", "IDLE", "STOPPED"]);

/** The person's own pause. */
const pauseOut = z.object({ isPaused: z.boolean(), since: instantOut.nullable(), reason: z.string().nullable() });

export const automationApi = {
  heartbeat: endpoint({
    method: "GET",
    path: "/automation/heartbeat",
    access: "user",
    limit: "api",
    summary:
      "Whether automation is running in one environment, when it last looked at its market and when it looks next. Without an account there it has never looked.",
    input: z.strictObject(environmentIn),
    output: z.object({
      ...environmentScopeOut,
      orderStatusUpdate: z.object({ status: jobStatus, lastRunAt: instantOut.nullable() }),
      marketScreening: z.object({
        status: jobStatus,
        /** market time */
        lastRunAt: instantOut.nullable(),
        /** market time */
        nextRunAt: instantOut.nullable(),
      }),
      isInitialized: z.boolean(),
      pausedReason: z.string().nullable(),
      /** What the market's sources or the broker do not give now, in one sentence; null where all is there. */
      limitation: z.string().nullable(),
      /** The latest decision of the environment's accounts: /decisions/{id}. */
      lastDecision: z.object(decisionOutcome).nullable(),
      /** Whether anything was ever decided for the person, in whichever environment. */
      hasDecided: z.boolean(),
      /** Whether the trading preferences have been saved since registration. */
      hasChosenStrategy: z.boolean(),
      /** Passes that were skipped because the clock ran faster than the work. */
      coalesced: z.number().int(),
    }),
  }),
  market: endpoint({
    method: "GET",
    path: "/automation/market",
    access: "user",
    limit: "api",
    summary: "The clock of the market that the user's accounts of one environment trade on.",
    input: z.strictObject(environmentIn),
    output: z.object({
      market: z.enum(MARKETS),
      /** market time at `readAt` */
      now: instantOut,
      /** wall time of the reading: with `speed`, a screen runs the clock on by itself */
      readAt: instantOut,
      isOpen: z.boolean(),
      nextOpen: instantOut,
      nextClose: instantOut,
      /** Market seconds per wall second; 1 for the real market. */
      speed: z.number(),
    }),
  }),
  readPause: endpoint({
    method: "GET",
    path: "/automation/pause",
    access: "user",
    limit: "api",
    summary: "Whether the user has paused automation.",
    input: z.strictObject({}),
    output: pauseOut,
  }),
  pause: endpoint({
    method: "POST",
    path: "/automation/pause",
    token: "STEER",
    access: "user",
    limit: "api",
    summary:
      "Pause automation in all accounts: nothing is bought, open purchase orders are cancelled, exits and stops keep working.",
    input: z.strictObject({
      reason: z.string().trim().max(300, "A reason may have 300 characters at most.").optional(),
    }),
    output: pauseOut,
  }),
  resume: endpoint({
    method: "POST",
    path: "/automation/resume",
    token: "STEER",
    access: "user",
    limit: "api",
    summary: "Resume automation.",
    input: z.strictObject({}),
    output: pauseOut,
  }),
};
