import * as z from "zod";
import { instantOut } from "./codecs.ts";
import { endpoint } from "./endpoint.ts";
import { environmentOut } from "./environment.ts";

const accountOut = z.object({
  id: z.string(),
  title: z.string(),
  environment: environmentOut,
  user: z.object({ id: z.string(), name: z.string(), email: z.string() }),
});

export const invariantOut = z.object({
  id: z.string(),
  sentence: z.string(),
  /** ACCOUNTS, SYSTEM or both look each minute; an empty list: proved elsewhere. */
  checkedIn: z.array(z.enum(["ACCOUNTS", "SYSTEM"])),
  /** Whether a breach halts the account or stops all entries. */
  isHalting: z.boolean(),
  /** Where it is held up. */
  proof: z.string(),
  /** wall time; null where it was never checked, and where it is proved elsewhere */
  lastCheckedAt: instantOut.nullable(),
  state: z.enum(["whole", "broken", "unchecked", "proved_elsewhere"]),
  /** Breaches now, over all accounts. */
  breaches: z.number().int(),
});

export const invariantsApi = {
  read: endpoint({
    method: "GET",
    path: "/admin/invariants",
    access: "admin",
    limit: "admin",
    summary:
      "Each invariant with its last check, what is broken or undecided now, and the accounts that were halted by one.",
    input: z.strictObject({}),
    output: z.object({
      /** wall time */
      readAt: instantOut,
      accounts: z.object({
        /** With keys: those that are checked each minute. */
        total: z.number().int(),
        /** Checked within the last five minutes. */
        recent: z.number().int(),
        broken: z.number().int(),
        undecided: z.number().int(),
      }),
      systemCheckedAt: instantOut.nullable(),
      invariants: z.array(invariantOut),
      /** The longest broken first, 200 at most. */
      breaches: z.array(
        z.object({
          invariant: z.string(),
          subject: z.string(),
          detail: z.string(),
          /** Null for what all accounts share. */
          account: accountOut.nullable(),
          brokenSince: instantOut.nullable(),
          checkedAt: instantOut,
          haltedAt: instantOut.nullable(),
        }),
      ),
      /** Accounts whose books could not be held against the broker, 100 at most. */
      undecided: z.array(z.object({ account: accountOut, why: z.string(), checkedAt: instantOut })),
      /** Accounts halted by a broken invariant, newest first, 50 at most. */
      history: z.array(
        z.object({
          id: z.string(),
          at: instantOut,
          reason: z.string(),
          /** Null for an account that is gone. */
          account: accountOut.nullable(),
          isHaltedStill: z.boolean(),
        }),
      ),
    }),
  }),
};
