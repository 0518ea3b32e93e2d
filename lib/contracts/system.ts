import * as z from "zod";
import { MARKETS } from "@/lib/domain/enums.ts";
import { instantOut } from "./codecs.ts";
import { endpoint } from "./endpoint.ts";
import { environmentOut } from "./environment.ts";

export const systemApi = {
  read: endpoint({
    method: "GET",
    path: "/admin/system",
    access: "admin",
    limit: "admin",
    summary:
      "What runs, what is scheduled, how deep the queue is, and how the streams, the clock and the database are.",
    input: z.strictObject({ limit: z.coerce.number().int().min(1).max(100).default(20) }),
    output: z.object({
      /** wall time of the answer */
      at: instantOut,
      /** A worker without a beat for this long counts as gone. */
      silenceMs: z.number().int(),
      processes: z.array(
        z.object({
          owner: z.string(),
          kind: z.enum(["web", "worker", "canary", "watchdog"]),
          build: z.string(),
          orderProtocol: z.number().int(),
          startedAt: instantOut,
          beatAt: instantOut,
          ageMs: z.number().int(),
          /** Longest wait of the event loop between its last two beats. */
          lagMs: z.number().int(),
        }),
      ),
      /** The newest order protocol that ever wrote orders here: older builds send nothing. */
      orderProtocol: z.number().int(),
      leases: z.array(z.object({ name: z.string(), owner: z.string(), beatAt: instantOut, ageMs: z.number().int() })),
      /** Jobs of the whole system and of a market. */
      schedules: z.array(
        z.object({
          key: z.string(),
          job: z.string(),
          market: z.enum(MARKETS).nullable(),
          /** market time where there is a market, else wall time */
          dueAt: instantOut,
          everyMs: z.number().int().nullable(),
          /** wall time */
          lastStartedAt: instantOut.nullable(),
          lastFinishedAt: instantOut.nullable(),
          lastStatus: z.enum(["done", "failed"]).nullable(),
          lastError: z.string().nullable(),
          runs: z.number().int(),
          coalesced: z.number().int(),
        }),
      ),
      /** Jobs that each account has, all accounts together. */
      accountSchedules: z.array(
        z.object({
          job: z.string(),
          accounts: z.number().int(),
          /** Those whose time passed more than a minute ago. */
          overdue: z.number().int(),
          failed: z.number().int(),
          lastFinishedAt: instantOut.nullable(),
          lastError: z.string().nullable(),
        }),
      ),
      /** Null while the queue does not answer. */
      queue: z
        .object({
          pending: z.number().int(),
          processing: z.number().int(),
          completed: z.number().int(),
          failed: z.number().int(),
        })
        .nullable(),
      isQueueActive: z.boolean(),
      /** The last 24 hours, oldest first, the deepest of each ten minutes. */
      queueDepth: z.array(z.object({ at: instantOut, pending: z.number().int().nullable() })),
      /** The last sample, which the depths above are made of; null before the first. */
      newestQueueDepth: z.object({ at: instantOut, pending: z.number().int().nullable() }).nullable(),
      streams: z.object({
        total: z.number().int(),
        connected: z.number().int(),
        /** The worst first: not connected, then longest not read. */
        worst: z.array(
          z.object({
            accountId: z.string(),
            name: z.string(),
            owner: z.string(),
            environmentLabel: environmentOut,
            /** Null where no follower has told of it yet. */
            state: z.string().nullable(),
            since: instantOut.nullable(),
            isConnected: z.boolean(),
            /** wall time of the last reading at the broker */
            reconciledAt: instantOut.nullable(),
            haltReason: z.string().nullable(),
          }),
        ),
      }),
      /** Broker's clock less ours; null with the reason in words. */
      clock: z.object({ skewMs: z.number().int().nullable(), at: instantOut.nullable(), note: z.string() }),
      database: z.object({
        sizeBytes: z.number().int(),
        connections: z.number().int(),
        maxConnections: z.number().int(),
        version: z.string(),
      }),
    }),
  }),
};
