import * as z from "zod";
import { idIn, instantOut } from "./codecs.ts";
import { endpoint } from "./endpoint.ts";

export const accountOut = z.object({
  id: z.string(),
  name: z.string().nullable(),
  accountType: z.enum(["INDIVIDUAL", "JOINT", "TRUST", "CORPORATE"]),
  environment: z.enum(["PAPER", "LIVE"]),
  /** PRACTICE accounts trade on the built-in practice market. */
  broker: z.enum(["PRACTICE", "ALPACA"]),
  status: z.enum(["ACTIVE", "INACTIVE", "PAUSED"]),
  /** First 8 characters of the key, never more. */
  alpacaKey: z.string().max(8).nullable(),
  hasKeys: z.boolean(),
  haltReason: z.string().nullable(),
  createdAt: instantOut,
});

const keyIn = z
  .string({ error: "Alpaca API key and secret are required" })
  .trim()
  .min(1, "Alpaca API key and secret are required")
  .max(128, "This is longer than any Alpaca key.")
  .regex(/^[\x21-\x7e]*$/, "Keys hold letters and digits only.");

export const accountsApi = {
  list: endpoint({
    method: "GET",
    path: "/accounts",
    access: "user",
    limit: "api",
    summary: "The user's brokerage accounts, newest first.",
    input: z.strictObject({}),
    output: z.array(accountOut),
  }),
  add: endpoint({
    method: "POST",
    path: "/accounts",
    access: "user",
    limit: "api",
    summary: "Add a brokerage account. The keys are checked at the broker before anything is stored.",
    input: z.strictObject({
      name: z.string().trim().max(80, "A name may have 80 characters at most.").optional(),
      accountType: z.enum(["INDIVIDUAL", "JOINT", "TRUST", "CORPORATE"]).default("INDIVIDUAL"),
      environment: z.enum(["PAPER", "LIVE"]).default("PAPER"),
      alpacaKey: keyIn,
      alpacaSecret: keyIn,
    }),
    output: accountOut,
  }),
  addPractice: endpoint({
    method: "POST",
    path: "/accounts/practice",
    access: "user",
    limit: "api",
    summary: "Open an account on the practice market, with generated keys.",
    input: z.strictObject({}),
    output: accountOut,
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/accounts/{id}",
    access: "user",
    limit: "api",
    summary: "Delete an account: automation stops, open entry orders are cancelled, keys are erased, history stays.",
    input: z.strictObject({ id: idIn }),
    output: z.object({ id: z.string() }),
  }),
};
