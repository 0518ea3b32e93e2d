import type { authApi } from "./auth.ts";
import type { Call } from "./endpoint.ts";

/**
 * What the browser needs of the contract of sign-in: where its calls go, and the sentences it shares with the server.
 * Schemas stay behind: the server alone checks, and they would be a quarter of the code of the sign-in page.
 */
export const PASSWORD_HINT = "Must contain at least 8 characters with uppercase, lowercase, and number";

/** What asking for a reset link answers: to a known address, and to every address while answers make no difference. */
export const RESET_REQUESTED = "Password reset instructions have been sent to your email address.";

export const AUTH_PATHS = {
  register: { method: "POST", path: "/auth/register" },
  login: { method: "POST", path: "/auth/login" },
  secondFactorOptions: { method: "POST", path: "/auth/second-factor/options" },
  secondFactor: { method: "POST", path: "/auth/second-factor" },
  me: { method: "GET", path: "/auth/me" },
  logout: { method: "POST", path: "/auth/logout" },
  verifyEmail: { method: "POST", path: "/auth/verify-email" },
  forgotPassword: { method: "POST", path: "/auth/forgot-password" },
  checkResetLink: { method: "POST", path: "/auth/reset-password/check" },
  resetPassword: { method: "POST", path: "/auth/reset-password" },
  changePassword: { method: "PUT", path: "/auth/change-password" },
  resendVerification: { method: "POST", path: "/email/resend-verification" },
} as const;

/** The same calls with what each sends and answers. */
export const authCalls: { readonly [K in keyof typeof authApi]: Call<(typeof authApi)[K]> } = { ...AUTH_PATHS };
