import type { CallError } from "@/lib/client/api.ts";

export interface Sentence {
  text: string;
  /** What the server said, where the specified sentence leaves it out. */
  detail?: string;
}

const UNVERIFIED =
  "Account found but email not verified. A new verification email has been sent to your email address. Please check your email and click the verification link to activate your account.";

/** The specification's error catalogue for signing in. */
export function loginSentence(failure: CallError): Sentence {
  if (failure.message === "Email verification required") return { text: UNVERIFIED };
  if (failure.status === 401)
    return { text: "Invalid email or password. Please check your credentials and try again." };
  if (failure.status === 400) return { text: failure.message || "Invalid request. Please check your input." };
  if (failure.status >= 500) return { text: "Server error. Please try again later." };
  return { text: "Login failed", detail: failure.message };
}

/** Registration: the server's word on what was entered, else the specified sentence. */
export function registerSentence(failure: CallError): Sentence {
  if (failure.status === 400 || failure.status === 409) return { text: failure.message || "Registration failed" };
  return { text: "Registration failed", detail: failure.message };
}

export function resendSentence(failure: CallError): Sentence {
  return { text: "Failed to send verification email.", detail: failure.message };
}

/** The catalogue for asking for a reset link. */
export function forgotSentence(failure: CallError): Sentence {
  if (failure.status === 404) return { text: "No account found with this email address." };
  if (failure.status === 429) return { text: "Too many reset requests. Please try again later." };
  if (failure.status >= 500) return { text: "Server error. Please try again later." };
  return { text: "Failed to send reset instructions.", detail: failure.message };
}

/** The catalogue for setting a new password with a link. */
export function resetSentence(failure: CallError): Sentence {
  if (failure.status === 400) return { text: failure.message || "Invalid or expired reset token." };
  if (failure.status === 404) return { text: "Reset token not found or has expired." };
  return {
    text:
      failure.message || "Failed to reset password. The token may have expired. Please request a new password reset.",
  };
}

/** What is wrong with the entries of the reset form before they are sent; null when nothing is. */
export function resetProblem(entered: { token: string; password: string; confirmation: string }): string | null {
  if (entered.token.trim() === "") return "Invalid reset token. Please request a new password reset.";
  if (entered.password !== entered.confirmation) return "Passwords do not match.";
  if (entered.password.length < 8) return "Password must be at least 8 characters long.";
  return null;
}
