import * as z from "zod";
import { instantOut } from "./codecs.ts";
import { endpoint } from "./endpoint.ts";

export const rateLimitOut = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  windowMs: z.number().int(),
  maxRequests: z.number().int(),
  skipSuccessfulRequests: z.boolean(),
  skipFailedRequests: z.boolean(),
  enabled: z.boolean(),
  createdAt: instantOut,
  /** The group of calls that it acts on; null: a name that is not bound to a route group. */
  boundTo: z.enum(["auth", "api", "admin", "export"]).nullable(),
  /** What holds: limits of guessing passwords have a floor that no setting gets below. Null: nothing is limited. */
  inForce: z.object({ windowMs: z.number().int(), maxRequests: z.number().int() }).nullable(),
});

/** Of all web processes since `lastReset` (wall time). */
export const rateLimitStatsOut = z.object({
  totalRequests: z.number().int(),
  blockedRequests: z.number().int(),
  /** milliseconds; null before the first answer */
  averageResponseTime: z.number().nullable(),
  lastReset: instantOut,
});

export const rateLimitsApi = {
  list: endpoint({
    method: "GET",
    path: "/admin/rate-limits",
    access: "admin",
    limit: "admin",
    summary: "The configured rate limits, and what was counted under each of them, by the configuration's id.",
    input: z.strictObject({}),
    output: z.object({ configs: z.array(rateLimitOut), stats: z.record(z.string(), rateLimitStatsOut) }),
  }),
};
