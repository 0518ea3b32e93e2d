import { createInterface } from "node:readline/promises";
import { text } from "node:stream/consumers";
import { Failure } from "@/lib/domain/failures.ts";
import type { Context } from "@/lib/server/context.ts";
import { ensureUser, promoteUser, resetUserPassword } from "@/lib/server/services/auth/ensure-user.ts";
import type { Command } from "./read-command.ts";

async function readPassword(): Promise<string> {
  // From a pipe: its first line, with or without an end of line.
  if (!process.stdin.isTTY) return (await text(process.stdin)).split(/\r?\n/)[0] ?? "";
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await lines.question("New password: ");
  } finally {
    lines.close();
  }
}

/** Makes a person an administrator, or gives them a new password. */
export async function makeAdministrator(
  context: Context,
  { verb, email, firstName, lastName }: Extract<Command, { kind: "person" }>,
): Promise<string> {
  switch (verb) {
    case "create": {
      const password = await readPassword();
      const user = { email, password, firstName, lastName, role: "ADMIN" as const };
      const { isNew } = await ensureUser(context, user, { isAnnounced: true });
      if (!isNew) throw new Failure("conflict", "An account with this email already exists. Use promote or reset.");
      return `${email} is an administrator.`;
    }
    case "promote":
      await promoteUser(context, email);
      return `${email} is an administrator. Earlier sign-ins have ended.`;
    case "reset":
      await resetUserPassword(context, email, await readPassword());
      return `${email} has a new password. Earlier sign-ins have ended.`;
  }
}
