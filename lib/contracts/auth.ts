import * as z from "zod";
import { ROLES } from "@/lib/domain/enums.ts";
import { AUTH_PATHS, PASSWORD_HINT } from "./auth-calls.ts";
import { emailIn, instantOut } from "./codecs.ts";
import { endpoint } from "./endpoint.ts";
import { passkeyOptionsOut, signedByPasskeyIn } from "./passkeys.ts";
import { codeIn, hasOneOf, recoveryCodeIn, secondFactorOut, ticketIn } from "./second-factor.ts";

/** What mail programs make links of, mark-up, and what begins another line: names are greetings of our mails. */
const NO_NAME = /:\/|www\.|[<>@\p{Cc}\u2028\u2029]/iu;

const nameIn = (label: string) =>
  z
    .string()
    .trim()
    .min(1, `Enter your ${label}.`)
    .max(80, `Your ${label} may have 80 characters at most.`)
    .refine((name) => !NO_NAME.test(name), `Enter your ${label} without links, line breaks, "<", ">" or "@".`);

/** The rule of the hint, enforced by the server. Common passwords are refused by the service. */
export const newPasswordIn = z
  .string()
  .min(8, "Password must be at least 8 characters long.")
  .max(200, "Password may have 200 characters at most.")
  .refine((p) => /\p{Lu}/u.test(p) && /\p{Ll}/u.test(p) && /\d/.test(p), PASSWORD_HINT);

export const userOut = z.object({
  id: z.string(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  emailVerified: z.boolean(),
  role: z.enum(ROLES),
  createdAt: instantOut,
});

const RESET_TOKEN_MISSING = "Invalid or missing reset token. Please request a new password reset.";
const resetTokenIn = z
  .string(RESET_TOKEN_MISSING)
  .trim()
  .min(1, RESET_TOKEN_MISSING)
  .max(200, "Invalid or expired reset token.");

const currentPasswordIn = z
  .string()
  .min(1, "Enter your password.")
  .max(200, "Password may have 200 characters at most.");

const signedIn = z.object({ user: userOut, token: z.string() });

export const authApi = {
  register: endpoint({
    ...AUTH_PATHS.register,
    access: "public",
    limit: "auth",
    summary: "Register. An unverified user gets no token, but an email with a link.",
    input: z.strictObject({
      email: emailIn,
      password: newPasswordIn,
      firstName: nameIn("first name"),
      lastName: nameIn("last name"),
    }),
    output: z.object({ user: userOut, token: z.string().nullable() }),
  }),
  login: endpoint({
    ...AUTH_PATHS.login,
    access: "public",
    limit: "auth",
    summary:
      "Sign in with email and password. Where a second factor is set up, the answer is a ticket for it in place of user and token.",
    input: z.strictObject({ email: emailIn, password: currentPasswordIn }),
    output: z.union([
      signedIn,
      z.object({ user: z.literal(null), token: z.literal(null), secondFactor: secondFactorOut }),
    ]),
  }),
  secondFactorOptions: endpoint({
    ...AUTH_PATHS.secondFactorOptions,
    access: "public",
    limit: "auth",
    summary: "What a passkey has to sign to complete a sign-in. Each call replaces the one before.",
    input: z.strictObject({ ticket: ticketIn }),
    output: z.object({ options: passkeyOptionsOut }),
  }),
  secondFactor: endpoint({
    ...AUTH_PATHS.secondFactor,
    access: "public",
    limit: "auth",
    summary: "Complete a sign-in with the second factor or a recovery code. Five wrong answers end the ticket.",
    input: z
      .strictObject({
        ticket: ticketIn,
        code: codeIn.optional(),
        recoveryCode: recoveryCodeIn.optional(),
        passkey: signedByPasskeyIn.optional(),
      })
      .refine(hasOneOf("code", "recoveryCode", "passkey"), "Answer in one way."),
    output: signedIn,
  }),
  me: endpoint({
    ...AUTH_PATHS.me,
    token: "NONE",
    access: "user",
    limit: "api",
    summary: "The signed-in user.",
    input: z.strictObject({}),
    output: userOut,
  }),
  logout: endpoint({
    ...AUTH_PATHS.logout,
    access: "user",
    limit: "none",
    summary: "End this sign-in. Its token is refused from the next request on.",
    input: z.strictObject({}),
    output: z.object({ message: z.string() }),
  }),
  verifyEmail: endpoint({
    ...AUTH_PATHS.verifyEmail,
    access: "public",
    limit: "api",
    summary: "Use a verification token. The link in the email opens a page; this separate call uses the token once.",
    input: z.strictObject({ token: z.string().min(20, "The link is incomplete.").max(200, "The link is invalid.") }),
    output: z.object({
      verified: z.literal(true),
      resetToken: z
        .string()
        .nullable()
        .describe(
          "Where the address was registered more than once before it was verified: it opens POST /auth/reset-password, and no earlier password signs in. Null otherwise.",
        ),
    }),
  }),
  forgotPassword: endpoint({
    ...AUTH_PATHS.forgotPassword,
    access: "public",
    limit: "api",
    summary:
      "Request an email with a link that resets the password. An unknown address answers 404, a few times an hour.",
    input: z.strictObject({ email: emailIn }),
    output: z.object({ message: z.string() }),
  }),
  checkResetLink: endpoint({
    ...AUTH_PATHS.checkResetLink,
    access: "public",
    limit: "api",
    summary: "Whether the link of an email can still set a new password. The link stays unused.",
    input: z.strictObject({ token: resetTokenIn }),
    output: z.object({ isOpen: z.boolean() }),
  }),
  resetPassword: endpoint({
    ...AUTH_PATHS.resetPassword,
    access: "public",
    limit: "api",
    summary: "Set a new password with the token of an emailed link. The token works once; every sign-in ends.",
    input: z.strictObject({ token: resetTokenIn, newPassword: newPasswordIn }),
    output: z.object({ message: z.string() }),
  }),
  changePassword: endpoint({
    ...AUTH_PATHS.changePassword,
    access: "user",
    limit: "api",
    perPerson: "password-changes",
    summary: "Change your own password. Every sign-in ends, this one too; the answer contains the token of a new one.",
    input: z.strictObject({
      email: emailIn,
      currentPassword: currentPasswordIn,
      newPassword: newPasswordIn,
      /** Where pushes to the caller's own browser go: it alone goes on to show notifications. */
      pushEndpoint: z.string().min(1).max(2_000).optional(),
    }),
    output: signedIn,
  }),
  resendVerification: endpoint({
    ...AUTH_PATHS.resendVerification,
    access: "public",
    limit: "api",
    summary: "Send another verification email. The answer is the same for unknown addresses.",
    input: z.strictObject({ email: emailIn }),
    output: z.object({ message: z.string() }),
  }),
};
