import * as z from "zod";
import { instantOut } from "./codecs.ts";
import { downloadOut } from "./download.ts";
import { endpoint } from "./endpoint.ts";

export const AUDIT_BOUNDS = {
  /** Events verified by one call: a long chain is verified part by part. */
  verified: 25_000,
  /** Events of one export. */
  exported: 200_000,
} as const;

const numberIn = (label: string) =>
  z.coerce
    .number({ error: `${label} must be a number.` })
    .int()
    .min(1)
    .max(Number.MAX_SAFE_INTEGER)
    .optional();

export const auditApi = {
  verify: endpoint({
    method: "POST",
    path: "/admin/audit/verify",
    access: "admin",
    limit: "admin",
    summary: `Verify the hash chain of the audit trail, ${AUDIT_BOUNDS.verified} events at a time: \`next\` says where to continue. One at a time.`,
    input: z.strictObject({ from: numberIn("From") }),
    output: z.object({
      ok: z.boolean(),
      from: z.number().int(),
      /** Events that were read and found right in this part. */
      rows: z.number().int(),
      /** The last event of the chain when this part began. */
      last: z.number().int(),
      /** Where the next part begins; null at the end of the chain. */
      next: z.number().int().nullable(),
      firstBad: z
        .object({
          seq: z.number().int(),
          problem: z.enum(["edited", "missing", "cut", "extra", "rolled_back"]),
          text: z.string(),
        })
        .nullable(),
      /** Signed heads kept outside of the database that this part was held against; lines there that are none. */
      anchors: z.object({ compared: z.number().int(), unreadable: z.number().int() }),
      verifiedAt: instantOut,
      durationMs: z.number().int(),
    }),
  }),
  export: endpoint({
    method: "GET",
    path: "/admin/audit/export",
    stepUp: true,
    access: "admin",
    limit: "export",
    summary: `The chain, or a part of it, as compressed NDJSON for the offline verifier; ${AUDIT_BOUNDS.exported} events at most. Personal details stay encrypted. One export at a time.`,
    input: z.strictObject({ from: numberIn("From"), to: numberIn("To") }),
    output: downloadOut,
    downloadType: "application/gzip",
  }),
};
