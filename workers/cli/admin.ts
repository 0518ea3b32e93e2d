/**
 * npm run admin: makes administrators, steers trading (kill states, halts, parked orders), settles books, verifies the
 * audit chain and puts sealed rows under a new master key.
 */
import { describeAudit } from "@/lib/admin/describe-audit.ts";
import { settleBooks } from "@/lib/admin/books.ts";
import { makeAdministrator } from "@/lib/admin/make-administrator.ts";
import { HELP, readCommand, type Command } from "@/lib/admin/read-command.ts";
import { describeReseal } from "@/lib/admin/describe-reseal.ts";
import { runTradingCommand } from "@/lib/admin/trading-command.ts";
import { runCommandLine } from "@/lib/command.ts";
import { readAnchors } from "@/lib/server/audit/anchors.ts";
import { publicAuditKey } from "@/lib/server/audit/signed-head.ts";
import { verifyAudit } from "@/lib/server/audit/verify-audit.ts";
import { removeSecondFactor } from "@/lib/server/services/auth/remove-second-factor.ts";
import { resealStoredKeys } from "@/lib/server/services/accounts/reseal-stored-keys.ts";
import { closeSystem } from "@/lib/server/services/queue/close-system.ts";
import { systemContext } from "@/lib/server/system-context.ts";

async function run(command: Command): Promise<number> {
  const system = systemContext("admin-cli");
  /** What was done is printed; the log adds only what went wrong. */
  const quiet = () => undefined;
  const context = { ...system, log: { ...system.log, debug: quiet, info: quiet, warn: quiet } };
  const say = (lines: string[], code = 0) => {
    console.log(lines.join("\n"));
    return code;
  };
  try {
    switch (command.kind) {
      case "person":
        return say([await makeAdministrator(context, command)]);
      case "remove-second-factor":
        await removeSecondFactor(context, command.email);
        return say([`${command.email} signs in with the password alone. The user is notified by email.`]);
      case "verify-audit": {
        const anchors = await readAnchors();
        const verdict = await verifyAudit(context.db, { anchors: anchors.heads });
        return say(describeAudit(verdict, anchors), verdict.ok ? 0 : 1);
      }
      case "audit-key":
        return say([publicAuditKey()]);
      case "reseal": {
        const report = await resealStoredKeys(context);
        return say(describeReseal(report), report.waiting > 0 ? 1 : 0);
      }
      case "activities":
      case "take-broker-books":
      case "book-activity":
      case "dismiss-activity":
      case "close-unknown-order":
        return say(await settleBooks(context, command));
      default:
        return say(await runTradingCommand(context, command));
    }
  } finally {
    await closeSystem(context);
  }
}

await runCommandLine(HELP, readCommand, run);
