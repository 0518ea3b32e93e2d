import * as z from "zod";
import { LOG_LEVELS, ROLES } from "@/lib/domain/enums.ts";
import { AUDIT_TOPICS } from "../domain/audit-events.ts";
import { dayIn, instantOut } from "./codecs.ts";
import { downloadOut } from "./download.ts";
import { endpoint } from "./endpoint.ts";
import { environmentIn, environmentOut, environmentScopeOut } from "./environment.ts";

const personOut = z.object({ firstName: z.string(), lastName: z.string(), email: z.string() });

export const logLineOut = z.object({
  id: z.string(),
  /** wall time: when it was written */
  timestamp: instantOut,
  level: z.enum(LOG_LEVELS),
  message: z.string(),
  /** market time of what happened; null for what has none */
  marketAt: instantOut.nullable(),
  accountId: z.string().nullable(),
  cycleId: z.string().nullable(),
  account: z.object({ name: z.string(), environmentLabel: environmentOut }).nullable(),
  /** The decision of the caller's own account in that cycle; null where there is none to open. */
  decisionId: z.string().nullable(),
  /** Whose event it is, for administrators; null for what concerns all users. */
  user: personOut.nullable(),
});

export const auditLogOut = z.object({
  id: z.string(),
  /** wall time */
  timestamp: instantOut,
  eventType: z.string(),
  /** The event in words. */
  text: z.string(),
  topic: z.enum(AUDIT_TOPICS),
  /** Where it came from; null for the automation, and where an administrator acted for another user. */
  ipAddress: z.string().nullable(),
  /** Facts, and what was typed. */
  eventData: z.record(z.string(), z.unknown()),
  /** Why what was typed can no longer be shown; null while it can. */
  closed: z.enum(["erased", "unreadable"]).nullable(),
  /** Who did it. Administrators are named to administrators only. */
  actor: z.object({ kind: z.enum(["self", "person", "administrator", "system", "anonymous"]), name: z.string() }),
  /** The user whom it concerns, or who did it where it concerns none; null for the system, and for people who were erased. */
  user: personOut.extend({ role: z.enum(ROLES) }).nullable(),
  /** Of the call that did it, for administrators: what else it did has the same. */
  requestId: z.string().nullable(),
  /** The trade that an order became; null for other events, and for orders that did not become one. */
  tradeId: z.string().nullable(),
});

const auditQuery = z.strictObject({
  topic: z.preprocess((value) => (value === "" ? undefined : value), z.enum(AUDIT_TOPICS).optional()),
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});

/** A filter that is left blank is none. */
const orBlank = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === "" ? undefined : value), schema.optional());

const auditAllQuery = auditQuery.extend({
  eventType: orBlank(z.string().regex(/^[A-Z_]{1,60}$/, "Not an event.")),
  /** Who did it. */
  actor: orBlank(z.enum(["user", "system", "anonymous"])),
  /** Part of the email address of the user who did it or whom it concerns. */
  person: orBlank(z.string().trim().min(2, "Type two letters or more.").max(254)),
  /** New York dates, both inclusive. */
  from: orBlank(dayIn("From is a date such as 2020-03-02.")),
  to: orBlank(dayIn("To is a date such as 2020-03-02.")),
  requestId: orBlank(z.string().trim().max(100)),
});

const auditPage = z.object({
  auditLogs: z.array(auditLogOut),
  /** Over all events that match, not only this page. */
  summary: z.object({ totalEvents: z.number().int() }),
  pagination: z.object({ nextCursor: z.string().nullable(), limit: z.number().int() }),
});

export const logsApi = {
  tail: endpoint({
    method: "GET",
    path: "/logs/tail",
    access: "user",
    limit: "api",
    summary: "The last events of the user's own automation, newest last; for administrators those of the whole system.",
    input: z.strictObject({ limit: z.coerce.number().int().min(1).max(200).default(200) }),
    output: z.object({ logs: z.array(logLineOut) }),
  }),
  dailyReview: endpoint({
    method: "GET",
    path: "/logs/daily-review",
    access: "user",
    limit: "api",
    summary:
      "What the automation did in one environment on the New York day of its market: stocks reviewed and orders executed; for administrators over all users.",
    input: z.strictObject(environmentIn),
    output: z.object({
      ...environmentScopeOut,
      reviewed: z.number().int(),
      executed: z.number().int(),
      decisions: z.number().int(),
      /** New York date of market time; null without an account, and where the market cannot be reached from here. */
      sessionDate: z.iso.date().nullable(),
    }),
  }),
  audit: endpoint({
    method: "GET",
    path: "/logs/audit",
    token: "NONE",
    access: "user",
    limit: "api",
    summary: "The audit trail of the user: sign-ins, settings, accounts and orders, newest first.",
    input: auditQuery,
    output: auditPage,
  }),
  auditAll: endpoint({
    method: "GET",
    path: "/admin/all-audit-logs",
    access: "admin",
    limit: "admin",
    summary: "The whole audit trail, newest first, by topic, event, person, actor, dates or request.",
    input: auditAllQuery,
    output: auditPage,
  }),
  export: endpoint({
    method: "GET",
    path: "/logs/export",
    stepUp: true,
    access: "user",
    limit: "export",
    summary:
      "reports.zip: trades, round trips, positions and equity of one environment, audit and logs as CSV, with a manifest of hashes and row counts; for administrators of all users. One at a time.",
    input: z.strictObject(environmentIn),
    output: downloadOut,
    downloadType: "application/zip",
  }),
};
