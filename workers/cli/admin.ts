/**
 * npm run admin -- help
 * Makes administrators, steers trading (kill states, halts, parked orders), settles books, verifies the audit chain and puts sealed rows under a new master key. A password is read
 * from standard input, so that it stays out of the process list and the shell's history.
 */
import { createInterface } from "node:readline/promises";
import { text } from "node:stream/consumers";
import { Failure } from "@/lib/domain/failures.ts";
import { verifyAudit } from "@/lib/server/audit/verify-audit.ts";
import type { Context } from "@/lib/server/context.ts";
import { ensureUser, promoteUser, resetUserPassword } from "@/lib/server/services/auth/ensure-user.ts";
import { systemContext } from "@/lib/server/system-context.ts";
import { closeSystem } from "@/lib/server/services/queue/close-system.ts";
import { resealStoredKeys } from "@/lib/server/services/accounts/reseal-stored-keys.ts";
import { auditInWords } from "@/lib/admin/audit-in-words.ts";
import { settleBooks } from "@/lib/admin/books.ts";
import { HELP, readCommand, type Command } from "@/lib/admin/read-command.ts";
import { resealInWords } from "@/lib/admin/reseal-in-words.ts";
import { steer } from "@/lib/admin/steer.ts";

const system = systemContext("admin-cli");
/** What was done is printed; the log adds only what went wrong. */
const quiet = () => undefined;
const context: Context = { ...system, log: { ...system.log, debug: quiet, info: quiet, warn: quiet } };

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

async function makeAdministrator({
  verb,
  email,
  firstName,
  lastName,
}: Extract<Command, { kind: "person" }>): Promise<string> {
  switch (verb) {
    case "create": {
      const password = await readPassword();
      const { isNew } = await ensureUser(context, { email, password, firstName, lastName, role: "ADMIN" });
      if (!isNew) throw new Failure("conflict", "An account with this email already exists. Use promote or reset.");
      return `${email} is an administrator.`;
    }
    case "promote":
      await promoteUser(context, email);
      return `${email} is an administrator. Sign-ins of before are ended.`;
    case "reset":
      await resetUserPassword(context, email, await readPassword());
      return `${email} has a new password. Sign-ins of before are ended.`;
  }
}

async function run(command: Command): Promise<string> {
  switch (command.kind) {
    case "help":
      return HELP;
    case "person":
      return makeAdministrator(command);
    case "verify-audit": {
      const verdict = await verifyAudit(context.db);
      if (!verdict.ok) process.exitCode = 1;
      return auditInWords(verdict).join("\n");
    }
    case "reseal": {
      const report = await resealStoredKeys(context);
      if (report.waiting > 0) process.exitCode = 1;
      return resealInWords(report).join("\n");
    }
    case "activities":
    case "take-broker-books":
    case "book-activity":
    case "dismiss-activity":
    case "close-unknown-order":
      return (await settleBooks(context, command)).join("\n");
    default:
      return (await steer(context, command)).join("\n");
  }
}

try {
  console.log(await run(readCommand(process.argv.slice(2))));
} catch (error) {
  const issues = (error as { issues?: { message: string }[] }).issues;
  console.error(issues?.[0]?.message ?? (error instanceof Error ? error.message : String(error)));
  // A command line that is not clear ends with 2, work that could not be done with 1.
  process.exitCode = error instanceof Failure && error.code === "invalid_input" ? 2 : 1;
} finally {
  await closeSystem(context);
}
