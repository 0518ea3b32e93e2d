/** npm run tape -- download … | check DIR: builds a tape from Alpaca's own history, and says whether a tape is sound. */
import { setTimeout as pause } from "node:timers/promises";
import { runCommandLine } from "@/lib/command.ts";
import { showProgress } from "@/lib/progress.ts";
import { checkTape } from "@/lib/tape/check.ts";
import { download } from "@/lib/tape/download.ts";
import { HELP, readTapeCommand } from "@/lib/tape/options.ts";
import { reportText } from "@/lib/tape/report.ts";

await runCommandLine(
  HELP,
  (args) => readTapeCommand(args, process.env),
  async (command) => {
    if (command.kind === "download")
      await download(command, { say: (line) => console.error(line), progress: showProgress, pause });
    const report = checkTape(command.directory);
    console.log(reportText(report));
    return report.findings.some(({ level }) => level === "error") ? 1 : 0;
  },
);
