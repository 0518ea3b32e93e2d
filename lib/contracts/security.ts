import * as z from "zod";
import { idIn, instantOut } from "./codecs.ts";
import { endpoint } from "./endpoint.ts";
import { newPasskeyIn, newPasskeyOptionsOut, passkeyOptionsOut, signedByPasskeyIn } from "./passkeys.ts";
import { codeIn, hasOneOf, recoveryCodeIn, STEP_UP_METHODS, ticketIn } from "./second-factor.ts";

const shared = { access: "user", limit: "auth" } as const;
const onPasskey = { id: idIn };

const passkeyNameIn = z
  .string()
  .trim()
  .min(1, "Give the passkey a name.")
  .max(60, "A name may have 60 characters at most.");

const passkeyOut = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: instantOut,
  lastUsedAt: instantOut.nullable(),
});

/** Shown once: only hashes are kept. */
const recoveryCodesOut = z.array(z.string());

export const SECURITY_BOUNDS = {
  passkeys: 10,
  recoveryCodes: 10,
  /** Sign-ins in the list. */
  signIns: 100,
} as const;

/** The caller's own second factors and sign-ins. Factors and codes change only after a step-up. */
export const securityApi = {
  read: endpoint({
    ...shared,
    limit: "api",
    method: "GET",
    path: "/auth/security",
    token: "NONE",
    summary: "Your own second factors, how many recovery codes are left, and whether a second factor is required.",
    input: z.strictObject({}),
    output: z.object({
      /** Null: no authenticator app. */
      totp: z.object({ confirmedAt: instantOut }).nullable(),
      passkeys: z.array(passkeyOut),
      /** 0 while there is no second factor. */
      recoveryCodesLeft: z.number().int(),
      /** The policy asks administrators for one: until it is set up, the console stays closed to them. */
      isRequired: z.boolean(),
      /** False where the product is reached at an IP address: browsers make passkeys for names only. */
      arePasskeysPossible: z.boolean(),
      /** Ways to confirm one's identity, the usual one first. */
      stepUpMethods: z.array(z.enum(STEP_UP_METHODS)),
      /** Until when this sign-in counts as confirmed; in the past when it does no more. */
      confirmedUntil: instantOut,
    }),
  }),
  startTotp: endpoint({
    ...shared,
    method: "POST",
    path: "/auth/totp",
    stepUp: true,
    summary: "Start setting up an authenticator app: a secret, valid from its first code on.",
    input: z.strictObject({}),
    output: z.object({
      /** Base32, to type in. */
      secret: z.string(),
      /** "otpauth://totp/…", for a QR code. */
      uri: z.string(),
    }),
  }),
  confirmTotp: endpoint({
    ...shared,
    method: "POST",
    path: "/auth/totp/confirm",
    stepUp: true,
    summary:
      "Confirm the authenticator app with its first code. With the first factor come recovery codes, shown once.",
    input: z.strictObject({ code: codeIn }),
    /** Null where a factor was set up before: its codes hold on. */
    output: z.object({ recoveryCodes: recoveryCodesOut.nullable() }),
  }),
  removeTotp: endpoint({
    ...shared,
    method: "DELETE",
    path: "/auth/totp",
    stepUp: true,
    summary: "Remove the authenticator app. With the last factor the recovery codes go too.",
    input: z.strictObject({}),
    output: z.object({ message: z.string() }),
  }),
  newPasskeyOptions: endpoint({
    ...shared,
    method: "POST",
    path: "/auth/passkeys/options",
    stepUp: true,
    summary: "What the browser needs to create a passkey, and the ticket to submit it with.",
    input: z.strictObject({}),
    output: z.object({ ticket: z.string(), expiresAt: instantOut, options: newPasskeyOptionsOut }),
  }),
  addPasskey: endpoint({
    ...shared,
    method: "POST",
    path: "/auth/passkeys",
    stepUp: true,
    summary: "Add the passkey that the browser created. With the first factor come recovery codes, shown once.",
    input: z.strictObject({ ticket: ticketIn, name: passkeyNameIn, passkey: newPasskeyIn }),
    output: z.object({ passkey: passkeyOut, recoveryCodes: recoveryCodesOut.nullable() }),
  }),
  renamePasskey: endpoint({
    ...shared,
    method: "PATCH",
    path: "/auth/passkeys/{id}",
    summary: "Give a passkey another name.",
    input: z.strictObject({ ...onPasskey, name: passkeyNameIn }),
    output: passkeyOut,
  }),
  removePasskey: endpoint({
    ...shared,
    method: "DELETE",
    path: "/auth/passkeys/{id}",
    stepUp: true,
    summary: "Remove a passkey. With the last factor the recovery codes go too.",
    input: z.strictObject(onPasskey),
    output: z.object({ message: z.string() }),
  }),
  renewRecoveryCodes: endpoint({
    ...shared,
    method: "POST",
    path: "/auth/recovery-codes",
    stepUp: true,
    summary: "Ten new recovery codes, shown once; the earlier ones no longer work.",
    input: z.strictObject({}),
    output: z.object({ recoveryCodes: recoveryCodesOut }),
  }),
  stepUpOptions: endpoint({
    ...shared,
    method: "POST",
    path: "/auth/step-up/options",
    summary: "The ways to confirm your identity, and what a passkey has to sign where there is one.",
    input: z.strictObject({}),
    output: z.object({
      methods: z.array(z.enum(STEP_UP_METHODS)),
      passkey: z.object({ ticket: z.string(), expiresAt: instantOut, options: passkeyOptionsOut }).nullable(),
    }),
  }),
  stepUp: endpoint({
    ...shared,
    method: "POST",
    path: "/auth/step-up",
    summary:
      "Confirm your identity, for five minutes of this sign-in. The password counts only where no second factor is set up.",
    input: z
      .strictObject({
        password: z
          .string()
          .min(1, "Enter your password.")
          .max(200, "Password may have 200 characters at most.")
          .optional(),
        code: codeIn.optional(),
        recoveryCode: recoveryCodeIn.optional(),
        passkey: z.strictObject({ ticket: ticketIn, answer: signedByPasskeyIn }).optional(),
      })
      .refine(hasOneOf("password", "code", "recoveryCode", "passkey"), "Confirm in one way."),
    output: z.object({ confirmedUntil: instantOut }),
  }),
  signIns: endpoint({
    ...shared,
    limit: "api",
    method: "GET",
    path: "/auth/sign-ins",
    token: "NONE",
    summary: "Your own current sign-ins, this one first, then the last used first.",
    input: z.strictObject({}),
    output: z.array(
      z.object({
        id: z.string(),
        /** "Chrome on Windows"; null where the program did not say. */
        device: z.string().nullable(),
        ipAddress: z.string().nullable(),
        createdAt: instantOut,
        /** True to the minute. */
        lastSeenAt: instantOut,
        /** When it ends at the latest; earlier where it is not used. */
        expiresAt: instantOut,
        isThisOne: z.boolean(),
      }),
    ),
  }),
  endSignIn: endpoint({
    ...shared,
    method: "DELETE",
    path: "/auth/sign-ins/{id}",
    summary: "End one of your own sign-ins. Its token is refused from the next request on.",
    input: z.strictObject({ id: idIn }),
    output: z.object({ ended: z.number().int() }),
  }),
  endOtherSignIns: endpoint({
    ...shared,
    method: "POST",
    path: "/auth/sign-ins/end-others",
    stepUp: true,
    summary: "End all of your own sign-ins but this one.",
    input: z.strictObject({}),
    output: z.object({ ended: z.number().int() }),
  }),
};
