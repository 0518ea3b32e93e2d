import * as z from "zod";
import { instantOut } from "./codecs.ts";

/** 256 bits, base64url: names one question to one person, for five minutes. */
export const ticketIn = z
  .string()
  .min(20, "This step is incomplete. Please start again.")
  .max(100, "This step is not valid. Please start again.");

/** Six digits of an authenticator app; blanks in between are passed over. */
export const codeIn = z
  .string()
  .max(20, "Enter the six digits that your authenticator app shows.")
  .transform((text) => text.replace(/\s/g, ""))
  .pipe(z.string().regex(/^\d{6}$/, "Enter the six digits that your authenticator app shows."));

/** "ABCD-EFGH-JKLM-NPQR"; case, blanks and dashes make no difference. */
export const recoveryCodeIn = z
  .string()
  .max(40, "Enter one of your recovery codes.")
  .transform((text) => text.replace(/[\s-]/g, "").toUpperCase())
  .pipe(z.string().regex(/^[A-Z0-9]{16}$/, "Enter one of your recovery codes."));

export const SECOND_FACTOR_METHODS = ["code", "passkey", "recovery_code"] as const;
export type SecondFactorMethod = (typeof SECOND_FACTOR_METHODS)[number];

/** The ways to confirm who one is: the password alone where no second factor is set up, else one of its methods. */
export const STEP_UP_METHODS = ["password", ...SECOND_FACTOR_METHODS] as const;
export type StepUpMethod = (typeof STEP_UP_METHODS)[number];

/** What a sign-in answers in place of a token while the second factor is missing. */
export const secondFactorOut = z.object({
  ticket: z.string(),
  methods: z.array(z.enum(SECOND_FACTOR_METHODS)),
  expiresAt: instantOut,
});

/** True where exactly one of the named fields is given. */
export const hasOneOf =
  <N extends string>(...names: N[]) =>
  (given: Partial<Record<N, unknown>>) =>
    names.filter((name) => given[name] !== undefined).length === 1;
