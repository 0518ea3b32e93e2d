import * as z from "zod";
import { accountTitle } from "@/lib/domain/account-title.ts";
import {
  ACCOUNT_ACCESSES,
  ACCOUNT_ENVIRONMENTS,
  ACCOUNT_STATUSES,
  ACCOUNT_TYPES,
  BROKERS,
  KILL_SOURCES,
  KILL_STATES,
} from "@/lib/domain/enums.ts";
import { idIn, instantOut, moneyOut } from "./codecs.ts";
import { endpoint } from "./endpoint.ts";

export const accountOut = z.object({
  id: z.string(),
  name: z.string().nullable(),
  accountType: z.enum(ACCOUNT_TYPES),
  environment: z.enum(ACCOUNT_ENVIRONMENTS),
  /** PRACTICE accounts trade on the built-in practice market. */
  broker: z.enum(BROKERS),
  /** OAUTH: granted by its owner at Alpaca; there is no key then. */
  access: z.enum(ACCOUNT_ACCESSES),
  status: z.enum(ACCOUNT_STATUSES),
  /** First 8 characters of the key, never more. */
  alpacaKey: z.string().max(8).nullable(),
  /** Tradewind can reach it: by keys, or by access that was granted. */
  hasKeys: z.boolean(),
  /** Last four characters of the broker's account number; null for accounts older than this. */
  accountNumberEnd: z.string().nullable(),
  haltReason: z.string().nullable(),
  createdAt: instantOut,
});

/** An order that stands in the way of resuming: what became of it is not known yet, or a person has to say. */
const openQuestionOut = z.object({
  /** "BUY 10 SPY" */
  what: z.string(),
  needsPerson: z.boolean(),
  why: z.string().nullable(),
  decidedAt: instantOut,
});

const listedAccountOut = accountOut.extend({
  /** What its owner can do about the halt, in one sentence. */
  haltAdvice: z.string().nullable(),
  /** A stop that is in force beside status and halt; null for none. */
  stop: z
    .object({
      state: z.enum(KILL_STATES).exclude(["NONE"]),
      source: z.enum(KILL_SOURCES).nullable(),
      /** What the state means, and why it was set. */
      text: z.string(),
    })
    .nullable(),
  /** Its positions are sold, then it is deleted. */
  isClosing: z.boolean(),
  /** Its owner started that, and can take it back. */
  canKeep: z.boolean(),
  /** Wall time of the last time that our books were held against the broker's. */
  reconciledAt: instantOut.nullable(),
  /** USD; null until the broker was asked. */
  equity: moneyOut.nullable(),
  /** Market time of the equity. */
  equityAsOf: instantOut.nullable(),
  /** Held by the automation. */
  positions: z.object({ count: z.number().int(), value: moneyOut }),
  /** Held in the same account and not bought by the automation, which leaves them alone. */
  otherPositions: z.number().int(),
  openQuestions: z.array(openQuestionOut),
});

/** What still keeps the account from trading, in one sentence; null for nothing. */
const heldByOut = z.string().nullable();
const releasedAccountOut = accountOut.extend({ heldBy: heldByOut });

/** What the owner types to let a LIVE account trade. */
/** What screens call an account. */
export const titleOf = ({
  alpacaKey,
  ...account
}: Pick<z.output<typeof accountOut>, "id" | "name" | "broker" | "alpacaKey" | "accountNumberEnd">) =>
  accountTitle({ ...account, keyPrefix: alpacaKey });

export const livePhrase = (accountNumberEnd: string) => `LIVE ${accountNumberEnd}`;

/** What is known of an account before the person is sent to Alpaca. */
const accountShown = {
  name: z.string().trim().max(80, "A name may have 80 characters at most.").optional(),
  accountType: z.enum(ACCOUNT_TYPES).default("INDIVIDUAL"),
  environment: z.enum(ACCOUNT_ENVIRONMENTS).default("PAPER"),
};

/** Where Alpaca asks the person; they return with a code. */
const authorizeOut = z.object({ authorizeUrl: z.url() });

const keyIn = z
  .string({ error: "Alpaca API key and secret are required" })
  .trim()
  .min(1, "Alpaca API key and secret are required")
  .max(128, "This is longer than any Alpaca key.")
  .regex(/^[\x21-\x7e]*$/, "Keys contain only letters and digits.");

export const accountsApi = {
  list: endpoint({
    method: "GET",
    path: "/accounts",
    access: "user",
    limit: "api",
    summary: "The user's brokerage accounts, newest first.",
    input: z.strictObject({}),
    output: z.array(listedAccountOut),
  }),
  add: endpoint({
    method: "POST",
    path: "/accounts",
    stepUp: true,
    access: "user",
    limit: "api",
    perPerson: "broker-keys",
    summary: "Add a brokerage account. The keys are checked at the broker before anything is stored.",
    input: z.strictObject({
      ...accountShown,
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
    perPerson: "practice-accounts",
    summary: "Open an account on the practice market, with generated keys.",
    input: z.strictObject({}),
    output: accountOut,
  }),
  startAgain: endpoint({
    method: "POST",
    path: "/accounts/practice/start-again",
    stepUp: true,
    access: "user",
    limit: "api",
    perPerson: "practice-accounts",
    summary:
      "Delete the practice account and open a fresh one. What the old one holds is left on the practice market; its history stays.",
    input: z.strictObject({}),
    output: releasedAccountOut,
  }),
  startConnection: endpoint({
    method: "POST",
    path: "/accounts/oauth/start",
    stepUp: true,
    access: "user",
    limit: "api",
    perPerson: "broker-keys",
    summary: "Start connecting a brokerage account without keys: returns the address at which Alpaca asks the user.",
    input: z.strictObject(accountShown),
    output: authorizeOut,
  }),
  finishConnection: endpoint({
    method: "POST",
    path: "/accounts/oauth/finish",
    access: "user",
    limit: "api",
    summary:
      "Connect an account with the parameters that Alpaca returned, once, within ten minutes and in the sign-in that started it.",
    input: z.strictObject({
      state: z.string().max(200),
      code: z
        .string()
        .min(1)
        .max(500)
        .regex(/^[\x21-\x7e]*$/)
        .optional(),
      /** Instead of a code, where the person or Alpaca refused. */
      error: z.string().max(100).optional(),
    }),
    output: accountOut,
  }),
  connectAgain: endpoint({
    method: "POST",
    path: "/accounts/{id}/connect-again",
    stepUp: true,
    access: "user",
    limit: "api",
    perPerson: "broker-keys",
    summary:
      "Start replacing the access to an account that was connected at Alpaca: the same account has to be chosen.",
    input: z.strictObject({ id: idIn }),
    output: authorizeOut,
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/accounts/{id}",
    stepUp: true,
    access: "user",
    limit: "api",
    summary:
      "Delete an account: automation stops, open entry orders are cancelled, keys are erased (kept for reading, 90 days at most, while shares that the automation bought are left), history stays. With closePositions its positions are sold first. Refused while shares have no stop, with the issue leaveBare where the broker refuses one: then leaveBare deletes it all the same.",
    input: z.strictObject({
      id: idIn,
      closePositions: z.enum(["true", "false"]).default("false"),
      leaveBare: z.enum(["true", "false"]).default("false"),
    }),
    /** closing: deleted once its positions are sold. */
    output: z.object({ id: z.string(), state: z.enum(["deleted", "closing"]) }),
  }),
  setStatus: endpoint({
    method: "PATCH",
    path: "/accounts/{id}",
    token: "STEER",
    access: "user",
    limit: "api",
    summary: "Pause or resume an account. A paused account buys nothing; exits and stops keep working.",
    input: z.strictObject({ id: idIn, status: z.enum(["ACTIVE", "PAUSED"]) }),
    output: releasedAccountOut,
  }),
  confirmLive: endpoint({
    method: "POST",
    path: "/accounts/{id}/confirm-live",
    stepUp: true,
    access: "user",
    limit: "api",
    summary: "Let a LIVE account trade: LIVE and the last four characters of its number have to be typed.",
    input: z.strictObject({ id: idIn, confirmation: z.string().trim().max(40) }),
    output: releasedAccountOut,
  }),
  resume: endpoint({
    method: "POST",
    path: "/accounts/{id}/resume",
    stepUp: true,
    access: "user",
    limit: "api",
    summary:
      "Resume an account after a halt, or after a stop by its owner or the drawdown limit, or keep one that its owner was closing. Refused while anything is open.",
    input: z.strictObject({
      id: idIn,
      reason: z.string().trim().max(300, "A reason may have 300 characters at most.").optional(),
    }),
    output: z.object({
      isResumed: z.boolean(),
      /** It was being closed by its owner, and no longer is. */
      isKept: z.boolean(),
      heldBy: heldByOut,
    }),
  }),
};
