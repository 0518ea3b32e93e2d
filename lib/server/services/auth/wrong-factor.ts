import { Failure } from "@/lib/domain/failures.ts";
import type { GivenFactor } from "./check-factor.ts";

/** Not 401: the ticket or the sign-in holds, and a browser would end it. */
export function wrongFactor({ code, recoveryCode }: GivenFactor, path = "passkey"): Failure {
  if (code !== undefined) return refusal("code", "This code is not correct. Enter the one that your app shows now.");
  if (recoveryCode !== undefined)
    return refusal("recoveryCode", "This recovery code is not correct, or it was already used.");
  return refusal(path, "The passkey could not be verified. Please try again.");
}

/** The code is right and opens nothing any more. Its giver guessed nothing, so it is not counted as a guess. */
export class UsedCode extends Failure {
  constructor() {
    const message = "This code, or a newer one, was already used. Wait for the next one that your app shows.";
    super("invalid_input", message, { issues: [{ path: "code", message }] });
  }
}

/** Whether what a call failed at was a guess at a code. */
export const isGuess = (failure: unknown): boolean => !(failure instanceof UsedCode);

export function refusal(path: string, message: string): Failure {
  return new Failure("invalid_input", message, { issues: [{ path, message }] });
}
