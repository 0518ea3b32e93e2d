import * as z from "zod";
import { POLICY_STATUSES } from "@/lib/domain/enums.ts";
import { POLICY_SECTIONS, POLICY_VERSION, type PolicySection } from "../domain/policy.ts";
import { instantOut } from "./codecs.ts";
import { endpoint } from "./endpoint.ts";
import { policyChangeOut, WHAT_IF_BOUNDS, whatIfIn, whatIfOut } from "./policy-what-if.ts";

const fieldsOut = z.record(z.string(), z.number().finite());
const sectionsOut = z.object(
  Object.fromEntries(POLICY_SECTIONS.map((section) => [section, fieldsOut])) as Record<PolicySection, typeof fieldsOut>,
);

const versionIn = z.string().regex(POLICY_VERSION, 'A version looks like "2.9.1".');
const revisionIn = z.coerce.number({ error: "Revision must be a number." }).int().min(1).max(1_000_000);
const noteIn = z.string().trim().max(500, "A note may have 500 characters at most.").optional();

const personOut = z.object({ id: z.string(), name: z.string(), email: z.string() });

const versionRowOut = z.object({
  version: z.string(),
  status: z.enum(POLICY_STATUSES),
  basedOn: z.string().nullable(),
  note: z.string().nullable(),
  revision: z.number().int(),
  /** wall time */
  createdAt: instantOut,
  /** Null for the first policy, and for people who are gone. */
  createdBy: personOut.nullable(),
  updatedAt: instantOut.nullable(),
  updatedBy: personOut.nullable(),
  /** The last time; null for drafts. */
  activatedAt: instantOut.nullable(),
  /** Newest first, ten at most. */
  activations: z.array(
    z.object({
      at: instantOut,
      by: personOut.nullable(),
      /** Who asked for it first, where a second administrator confirmed it. */
      requestedBy: personOut.nullable(),
      replaced: z.string(),
      note: z.string().nullable(),
    }),
  ),
});

const versionOut = versionRowOut.extend({
  policy: sectionsOut,
  /** Fields in which it is not the policy in force, `from` being that one's. */
  changes: z.array(policyChangeOut),
  inForce: z.string(),
  /** The latest what-if of this content, of another version too, else the latest of this version; null where there is none. */
  whatIf: whatIfOut.nullable(),
  /** Whether a what-if of exactly this content has come to its end; a version that was in force once needs none. */
  isTried: z.boolean(),
  /** True where the policy in force asks for two administrators. */
  needsSecond: z.boolean(),
  /** The activation that waits for a second administrator; null where none does. */
  pending: z.object({ by: personOut.nullable(), at: instantOut, expiresAt: instantOut, isOwn: z.boolean() }).nullable(),
});

const shared = { access: "admin", limit: "admin" } as const;

export const policyApi = {
  read: endpoint({
    ...shared,
    method: "GET",
    path: "/admin/policy",
    summary: "The policy in force: its version, since when, and its eight sections.",
    input: z.strictObject({}),
    output: sectionsOut.extend({ version: z.string(), updated_at: instantOut }),
  }),
  versions: endpoint({
    ...shared,
    method: "GET",
    path: "/admin/policy/versions",
    summary: "Drafts and versions of the policy, newest first, with who activated them and when.",
    input: z.strictObject({
      cursor: z.string().max(300).optional(),
      limit: z.coerce.number().int().min(1).max(100).default(20),
    }),
    output: z.object({
      versions: z.array(versionRowOut),
      /** The version that a new draft gets unless another is named; null after the last that there can be. */
      nextVersion: z.string().nullable(),
      pagination: z.object({ nextCursor: z.string().nullable(), limit: z.number().int() }),
    }),
  }),
  createDraft: endpoint({
    ...shared,
    method: "POST",
    path: "/admin/policy/versions",
    summary: "A draft with the fields of an existing version.",
    input: z.strictObject({ from: versionIn, version: versionIn.optional(), note: noteIn }),
    output: versionOut,
  }),
  version: endpoint({
    ...shared,
    method: "GET",
    path: "/admin/policy/versions/{version}",
    summary: "One version with its fields, what it changes, and how far its activation is.",
    input: z.strictObject({ version: versionIn }),
    output: versionOut,
  }),
  editDraft: endpoint({
    ...shared,
    method: "PATCH",
    path: "/admin/policy/versions/{version}",
    summary: "Set fields of a draft. Refused if it was edited since `revision`.",
    input: z.strictObject({
      version: versionIn,
      revision: revisionIn,
      /** By path: { "exits.trend_closes": 3 }. */
      fields: z.record(z.string().max(100), z.number({ error: "must be a number" })).default({}),
      note: noteIn,
    }),
    output: versionOut,
  }),
  deleteDraft: endpoint({
    ...shared,
    method: "DELETE",
    path: "/admin/policy/versions/{version}",
    summary: "Delete a draft. A version that was in force stays.",
    input: z.strictObject({ version: versionIn, revision: revisionIn }),
    output: z.object({ version: z.string() }),
  }),
  diff: endpoint({
    ...shared,
    method: "GET",
    path: "/admin/policy/diff",
    summary: "Fields in which two versions differ.",
    input: z.strictObject({ from: versionIn, to: versionIn }),
    output: z.object({ from: z.string(), to: z.string(), changes: z.array(policyChangeOut) }),
  }),
  startWhatIf: endpoint({
    ...shared,
    method: "POST",
    path: "/admin/policy/versions/{version}/what-if",
    summary: "Try a version on the latest recorded cycles. It runs in the worker.",
    input: z.strictObject({
      version: versionIn,
      revision: revisionIn,
      cycles: z.coerce
        .number({ error: "Cycles must be a number." })
        .int()
        .min(WHAT_IF_BOUNDS.cycles.min)
        .max(WHAT_IF_BOUNDS.cycles.max)
        .default(WHAT_IF_BOUNDS.cycles.default),
    }),
    output: whatIfOut,
  }),
  readWhatIf: endpoint({
    ...shared,
    method: "GET",
    path: "/admin/policy/what-ifs/{id}",
    summary: "One what-if: its progress, and its report once it is done.",
    input: z.strictObject(whatIfIn),
    output: whatIfOut,
  }),
  cancelWhatIf: endpoint({
    ...shared,
    method: "POST",
    path: "/admin/policy/what-ifs/{id}/cancel",
    summary: "Cancel a what-if that is waiting or running.",
    input: z.strictObject(whatIfIn),
    output: whatIfOut,
  }),
  activate: endpoint({
    ...shared,
    method: "POST",
    path: "/admin/policy/versions/{version}/activate",
    stepUp: true,
    summary:
      "Put a version in force from the next cycle on: a draft whose what-if was run, or an earlier version to roll back. Where the policy in force asks for it, a second administrator confirms.",
    input: z.strictObject({
      version: versionIn,
      revision: revisionIn,
      /** The version that the administrator saw in force. */
      replaces: versionIn,
      /** The version, typed. */
      confirm: z.string().max(60),
      note: noteIn,
    }),
    output: z.object({
      version: z.string(),
      /** WAITING: for a second administrator, until `expiresAt`. */
      state: z.enum(["IN_FORCE", "WAITING"]),
      expiresAt: instantOut.nullable(),
    }),
  }),
};
