import * as z from "zod";
import { instantOut } from "./codecs.ts";
import { endpoint } from "./endpoint.ts";

const jobStatus = z.enum(["RUNNING", "IDLE", "STOPPED"]);

export const automationApi = {
  heartbeat: endpoint({
    method: "GET",
    path: "/automation/heartbeat",
    access: "user",
    limit: "api",
    summary: "Is automation running, when did it last look at the market, when will it look next.",
    input: z.strictObject({}),
    output: z.object({
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
      /** "10:05: 503 screened, 50 seated, 7 signals, 0 orders: 4 sector, 3 earnings" */
      lastCycle: z.string().nullable(),
      /** Passes that were skipped because the clock ran faster than the work. */
      coalesced: z.number().int(),
    }),
  }),
  market: endpoint({
    method: "GET",
    path: "/automation/market",
    access: "user",
    limit: "api",
    summary: "The clock of the market that the user's accounts trade on.",
    input: z.strictObject({}),
    output: z.object({
      market: z.enum(["PRACTICE", "US"]),
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
};
