import { Failure } from "@/lib/domain/failures.ts";
import type { SignedIn } from "../context.ts";

/** The sign-in by which the person calls. An access token is none, and what is about one's sign-in stays closed to it. */
export function signInOf({ signInId }: Pick<SignedIn, "signInId">): string {
  if (signInId === null) throw new Failure("forbidden", "This takes a sign-in: access tokens do not open it.");
  return signInId;
}
