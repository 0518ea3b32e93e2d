import { Failure } from "@/lib/domain/failures.ts";
import { isCommonPassword } from "@/lib/server/secrets/common-passwords.ts";

/** `path` is the field of the call that holds the new password. */
export function refuseCommonPassword(path: string, password: string, email: string): void {
  if (!isCommonPassword(password, email)) return;
  const message = "This password is too common. Please choose another one.";
  throw new Failure("invalid_input", message, { issues: [{ path, message }] });
}
