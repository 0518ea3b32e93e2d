/** Started by scripts/restore.mjs: makes a database that went back in time safe to start on. */
import { settleRestored, type Restored } from "@/lib/admin/settle-restored.ts";
import { anyText, readArguments, runCommandLine, wholeNumber } from "@/lib/command.ts";
import { closeSystem } from "@/lib/server/services/queue/close-system.ts";
import { systemContext } from "@/lib/server/system-context.ts";

const HELP = "Usage: npm run restore. It starts this command by itself.";

function readCommand(args: string[]): Restored | null {
  const options = {
    "made-at": anyText.optional(),
    "chain-end": wholeNumber(0).optional(),
    erasures: anyText.optional(),
  };
  const read = readArguments(args, options);
  if (read === null) return null;
  const { "made-at": madeAt = null, "chain-end": end, erasures = null } = read.values;
  return { madeAt, chainEnd: end === undefined ? null : BigInt(end), erasures };
}

async function run(restored: Restored): Promise<number> {
  const context = systemContext("restore");
  try {
    console.log((await settleRestored(context, restored)).join("\n"));
    return 0;
  } finally {
    await closeSystem(context);
  }
}

await runCommandLine(HELP, readCommand, run);
