import { Failure } from "@/lib/domain/failures.ts";
import { isCommonPassword } from "../../secrets/common-passwords.ts";

/** `path` is the field of the call that holds the new password. */
export async function refuseCommonPassword(path: string, password: string, email: string): Promise<void> {
  if (await isCommonPassword(password, email))
    throw refused(path, "This password is too common. Please choose another one.");
}

/** A password that may have leaked is not replaced by itself. */
export function refuseSamePassword(currentPassword: string, newPassword: string): void {
  if (currentPassword.normalize("NFKC") === newPassword.normalize("NFKC"))
    throw refused("newPassword", "Choose a password that differs from your current one.");
}

const refused = (path: string, message: string) =>
  new Failure("invalid_input", message, { issues: [{ path, message }] });
