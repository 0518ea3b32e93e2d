import { type CallError, serverMessage } from "@/lib/client/api.ts";

/** What a form says after it was refused. */
export interface Sentence {
  text: string;
  /** What the server said, where the specified sentence leaves it out. */
  detail?: string | undefined;
  /** What is wrong with single fields, by name: said there, and not above the form. */
  fields?: Record<string, string> | undefined;
  /** The field to go back to. */
  field?: string | undefined;
}

const UNVERIFIED =
  "Account found but email not verified. A new verification email has been sent to your email address. Please check your email and click the verification link to activate your account.";

/** A specified sentence that leaves the reason out, with the reason below it. */
const withReason = (text: string, { message }: CallError): Sentence => ({ text, detail: message || undefined });

/** The server's words on single fields, as far as the form has them. */
function fieldsOf({ issues }: CallError, names: readonly string[]): Pick<Sentence, "fields" | "field"> {
  const own = issues.filter(({ path }) => names.includes(path));
  const [first] = own;
  if (!first) return {};
  return { fields: Object.fromEntries(own.map(({ path, message }) => [path, message])), field: first.path };
}

/** The specification's error catalogue for signing in. */
export function loginSentence(failure: CallError): Sentence {
  if (failure.message === "Email verification required") return { text: UNVERIFIED };
  if (failure.status === 401)
    return { text: "Invalid email or password. Please check your credentials and try again.", field: "password" };
  if (failure.status === 400)
    return {
      text: serverMessage(failure) || "Invalid request. Please check your input.",
      field: failure.issues[0]?.path,
    };
  if (failure.status >= 500) return { text: "Server error. Please try again later." };
  return withReason("Login failed", failure);
}

/** Registration: the server's word on what was entered, else the specified sentence. */
export function registerSentence(failure: CallError): Sentence {
  const text = serverMessage(failure) || "Registration failed";
  if (failure.status === 409) return { text, field: "email" };
  if (failure.status === 400) return { text, ...fieldsOf(failure, ["firstName", "lastName", "email", "password"]) };
  return withReason("Registration failed", failure);
}

export function resendSentence(failure: CallError): Sentence {
  return { ...withReason("Failed to send verification email.", failure), field: failure.issues[0]?.path };
}

/** The catalogue for asking for a reset link. */
export function forgotSentence(failure: CallError): Sentence {
  if (failure.status === 404) return { text: "No account found with this email address.", field: "email" };
  if (failure.status === 429) return { text: "Too many reset requests. Please try again later." };
  if (failure.status >= 500) return { text: "Server error. Please try again later." };
  return { ...withReason("Failed to send reset instructions.", failure), field: failure.issues[0]?.path };
}

/** The catalogue for setting a new password with a link. */
export function resetSentence(failure: CallError): Sentence {
  const said = serverMessage(failure);
  if (failure.status === 400)
    return { text: said || "Invalid or expired reset token.", ...fieldsOf(failure, ["newPassword"]) };
  if (failure.status === 404) return { text: "Reset token not found or has expired." };
  return said === ""
    ? withReason("Failed to reset password. The token may have expired. Please request a new password reset.", failure)
    : { text: said };
}

/** What is wrong with the entries of the reset form before they are sent; null when nothing is. */
export function resetProblem(entered: { token: string; password: string; confirmation: string }): Sentence | null {
  const atField = (field: string, text: string): Sentence => ({ text, fields: { [field]: text }, field });
  if (entered.token.trim() === "") return { text: "Invalid reset token. Please request a new password reset." };
  if (entered.password !== entered.confirmation) return atField("confirmPassword", "Passwords do not match.");
  if (entered.password.length < 8) return atField("newPassword", "Password must be at least 8 characters long.");
  return null;
}
