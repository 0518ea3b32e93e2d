import * as z from "zod";
import { idIn, instantOut } from "./codecs.ts";
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

const MINUTE_MS = 60_000;

const toggleIn = z.strictObject({ id: idIn, enabled: z.boolean("Say whether the limit is enabled.") });
const createIn = z.strictObject({
  name: z
    .string("A name is required.")
    .trim()
    .min(1, "A name is required.")
    .max(80, "A name may have 80 characters at most."),
  description: z.string().trim().max(500, "A description may have 500 characters at most.").default(""),
  windowMs: z
    .number("The window must be a number of milliseconds.")
    .int("The window must be a whole number of milliseconds.")
    .min(MINUTE_MS, "The window must be 1 to 1440 minutes.")
    .max(1440 * MINUTE_MS, "The window must be 1 to 1440 minutes.")
    .default(900_000),
  maxRequests: z
    .number("Max requests must be a number.")
    .int("Max requests must be a whole number.")
    .min(1, "Max requests must be 1 to 10000.")
    .max(10_000, "Max requests must be 1 to 10000.")
    .default(100),
  skipSuccessfulRequests: z.boolean().default(false),
  skipFailedRequests: z.boolean().default(false),
  enabled: z.boolean().default(true),
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
  save: endpoint({
    method: "POST",
    path: "/admin/rate-limits",
    access: "admin",
    limit: "admin",
    summary:
      "Switches a limit ({ id, enabled }), or stores a full configuration: a new one, or the values of the one with its name.",
    input: z.union([createIn, toggleIn]),
    output: rateLimitOut,
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/admin/rate-limits/{id}",
    access: "admin",
    limit: "admin",
    summary: "Deletes a configuration; a route group without one is limited by the built-in values.",
    input: z.strictObject({ id: idIn }),
    output: z.object({ id: z.string() }),
  }),
};
