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
