import * as z from "zod";
import { MINUTE_MS } from "@/lib/domain/time.ts";
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

const description = z.string().trim().max(500, "A description may have 500 characters at most.");
const windowMs = z
  .number("The window must be a number of milliseconds.")
  .int("The window must be a whole number of milliseconds.")
  .min(MINUTE_MS, "The window must be 1 to 1,440 minutes.")
  .max(1440 * MINUTE_MS, "The window must be 1 to 1,440 minutes.");
const maxRequests = z
  .number("Max requests must be a number.")
  .int("Max requests must be a whole number.")
  .min(1, "Max requests must be 1 to 10,000.")
  .max(10_000, "Max requests must be 1 to 10,000.");

const createIn = z.strictObject({
  name: z
    .string("A name is required.")
    .trim()
    .min(1, "A name is required.")
    .max(80, "A name may have 80 characters at most."),
  description: description.default(""),
  windowMs: windowMs.default(900_000),
  maxRequests: maxRequests.default(100),
  skipSuccessfulRequests: z.boolean().default(false),
  skipFailedRequests: z.boolean().default(false),
  enabled: z.boolean().default(true),
});

/** What a change does not name stays. A name is not changed: route groups are bound by it. */
const changeIn = z
  .strictObject({
    id: idIn,
    description: description.optional(),
    windowMs: windowMs.optional(),
    maxRequests: maxRequests.optional(),
    skipSuccessfulRequests: z.boolean().optional(),
    skipFailedRequests: z.boolean().optional(),
    enabled: z.boolean("Say whether the limit is enabled.").optional(),
  })
  .refine(({ id: _, ...change }) => Object.keys(change).length > 0, "Say what to change.");

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
    stepUp: "loosening",
    summary:
      "Changes the limit with this id (switches it with { id, enabled }), or creates one from a full configuration with a name that no other has.",
    input: z.union([createIn, changeIn]),
    output: rateLimitOut,
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/admin/rate-limits/{id}",
    access: "admin",
    limit: "admin",
    stepUp: "loosening",
    summary: "Deletes a configuration; a route group without one is limited by the built-in values.",
    input: z.strictObject({ id: idIn }),
    output: z.object({ id: z.string() }),
  }),
};
