import * as z from "zod";
import { KILL_STATES, MARKETS } from "@/lib/domain/enums.ts";
import { idIn, instantOut } from "./codecs.ts";
import { endpoint } from "./endpoint.ts";
import { environmentOut } from "./environment.ts";

const market = z.enum(MARKETS);
const state = z.enum(KILL_STATES);

export const symbolIn = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z][A-Z0-9.]{0,9}$/, "Enter a stock symbol, such as AAPL.");

const reasonIn = z.string().trim().max(300, "A reason may have 300 characters at most.");
/** Where an action needs one. */
export const reasonNeededIn = reasonIn.min(1, "Give a reason.");

/** Whom a switch is about, the widest first. */
const scopeIn = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("system") }),
  z.strictObject({ kind: z.literal("user"), userId: idIn }),
  z.strictObject({ kind: z.literal("account"), accountId: idIn }),
  z.strictObject({ kind: z.literal("symbol"), market, symbol: symbolIn }),
]);

const inForceOut = z.object({
  kind: z.enum(["system", "user", "account", "symbol"]),
  /** "system", the id of the user or account, "US TSLA" */
  key: z.string(),
  userId: z.string().nullable(),
  accountId: z.string().nullable(),
  market: market.nullable(),
  symbol: z.string().nullable(),
  /** "Every account", "ada@example.com", "TSLA" */
  label: z.string(),
  environment: environmentOut.nullable(),
  state,
  /** What the state means. */
  text: z.string(),
  reason: z.string().nullable(),
  /** Wall time. */
  since: instantOut.nullable(),
  /** Who set it; null where the trail does not say. */
  by: z.string().nullable(),
});

export const killSwitchApi = {
  read: endpoint({
    method: "GET",
    path: "/admin/kill-switch",
    access: "admin",
    limit: "admin",
    summary:
      "Every kill switch in force, of the system, of people, accounts and symbols, and how they were set, newest first.",
    input: z.strictObject({}),
    output: z.object({
      /** The widest first; at most 200 of each kind. */
      inForce: z.array(inForceOut),
      /** The last 50 changes. */
      history: z.array(
        z.object({ id: z.string(), at: instantOut, text: z.string(), by: z.string(), whose: z.string().nullable() }),
      ),
    }),
  }),
  set: endpoint({
    method: "POST",
    path: "/admin/kill-switch",
    stepUp: "loosening",
    access: "admin",
    limit: "admin",
    summary:
      "Set or lift a kill switch. It applies from the next order on; exits and stops always pass. Lifting or loosening needs a reason, and is refused while the outcome of an order is not known, or where another state than `from` is in force by then; what is stricter always passes.",
    input: z
      .strictObject({
        scope: scopeIn,
        state,
        reason: reasonIn.optional(),
        /** The state that the caller saw in force. A freer one is refused where another has come into force since; a stricter one never. */
        from: state.optional(),
      })
      .refine(({ scope, state }) => scope.kind !== "symbol" || state === "NONE" || state === "REDUCE_ONLY", {
        path: ["state"],
        message: "A symbol can only be stopped for purchases (REDUCE_ONLY) or released (NONE).",
      }),
    /** isChanged: false when the state was in force already. */
    output: z.object({ state, isChanged: z.boolean() }),
  }),
};
