/** npm run tape -- download … | check DIR: builds a tape from Alpaca's own history, and says whether a tape is sound. */
import { showProgress } from "@/lib/backtest/progress.ts";
import { commandFailure } from "@/lib/command.ts";
import { checkTape } from "@/lib/tape/check.ts";
import { download } from "@/lib/tape/download.ts";
import { HELP, readTapeCommand } from "@/lib/tape/options.ts";
import { reportText } from "@/lib/tape/report.ts";

async function main(): Promise<number> {
  const command = readTapeCommand(process.argv.slice(2), process.env);
  if (command === null) {
    console.log(HELP);
    return 0;
  }
  if (command.kind === "download") {
    await download(command, {
      say: (line) => console.error(line),
      progress: showProgress,
      pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    });
  }
  const report = checkTape(command.directory);
  console.log(reportText(report));
  return report.findings.some(({ level }) => level === "error") ? 1 : 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  const { said, code } = commandFailure(error);
  console.error(said);
  process.exitCode = code;
}
