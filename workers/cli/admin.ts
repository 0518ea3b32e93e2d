/**
 * npm run admin -- create <email> [first name] [last name] | promote <email> | reset <email>
 * The password is read from standard input, so that it stays out of the process list and the shell's history.
 */
import { createInterface } from "node:readline/promises";
import { text } from "node:stream/consumers";
import { Failure } from "@/lib/domain/failures.ts";
import { ensureUser, promoteUser, resetUserPassword } from "@/lib/server/services/auth/ensure-user.ts";
import { systemContext } from "@/lib/server/system-context.ts";
import { closeSystem } from "@/lib/server/services/queue/close-system.ts";

const [command = "", email = "", firstName = "Tradewind", lastName = "Administrator"] = process.argv.slice(2);
const context = systemContext("admin-cli");

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

async function run(): Promise<string> {
  switch (command) {
    case "create": {
      const { isNew } = await ensureUser(context, {
        email,
        password: await readPassword(),
        firstName,
        lastName,
        role: "ADMIN",
      });
      if (!isNew) throw new Failure("conflict", "An account with this email already exists. Use promote or reset.");
      return `${email} is an administrator.`;
    }
    case "promote":
      await promoteUser(context, email);
      return `${email} is an administrator. Sign-ins of before are ended.`;
    case "reset":
      await resetUserPassword(context, email, await readPassword());
      return `${email} has a new password. Sign-ins of before are ended.`;
    default:
      throw new Failure(
        "invalid_input",
        "Use: npm run admin -- create <email> [first name] [last name] | promote <email> | reset <email>",
      );
  }
}

try {
  console.log(await run());
} catch (error) {
  const issues = (error as { issues?: { message: string }[] }).issues;
  console.error(issues?.[0]?.message ?? (error instanceof Error ? error.message : String(error)));
  process.exitCode = 1;
} finally {
  await closeSystem(context);
}
