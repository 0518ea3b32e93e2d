import fs from "node:fs";
import path from "node:path";
import { bundleWhole } from "@/scripts/bundle.mjs";
import { chaosEnvironment } from "./environment.ts";
import type { ChaosOptions } from "./options.ts";
import type { Outcome } from "./play-episode.ts";
import { addOutcome, emptyReport, reportLines } from "./report.ts";
import { runLanes } from "./run-lanes.ts";
import { startServices } from "./services.ts";

function showFailure(outcome: Outcome, share: number, withLogs: boolean): void {
  console.log(`BROKEN in episode ${outcome.seed}:`);
  for (const violation of outcome.violations) console.log(`  ${violation}`);
  const cut = outcome.databaseCuts > 0 ? " --cut" : "";
  console.log(`  npm run chaos -- --replay ${outcome.seed}${cut} --uniqueness-off-share ${share}`);
  if (withLogs) for (const line of outcome.logs) console.log(`    ${line}`);
}

/** Answers the exit code: 0 when every invariant held. `program` serves a lane where it is started with --lane. */
export async function runChaos({ seed, replayed, isReport, plan }: ChaosOptions, program: string): Promise<number> {
  const folder = path.resolve(process.env.DATA_DIR || ".data", "chaos");
  const workerProgram = path.join(folder, "worker.mjs");
  fs.mkdirSync(folder, { recursive: true });
  fs.rmSync(`${workerProgram}.map`, { force: true });
  await bundleWhole("lib/proof/chaos/worker.ts", workerProgram, replayed !== null);
  const services = await startServices(process.cwd());
  const startedAt = performance.now();
  const report = emptyReport(seed);
  const end = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => end.abort());
  try {
    Object.assign(process.env, chaosEnvironment(services.databaseUrl));
    const onOutcome = (outcome: Outcome) => {
      addOutcome(report, outcome);
      if (outcome.violations.length > 0) showFailure(outcome, plan.options.uniquenessOffShare, replayed !== null);
      if (report.episodes % 50 !== 0) return;
      const seconds = Math.round((performance.now() - startedAt) / 1000);
      console.log(`${report.episodes} episodes, ${seconds} s, ${report.failed.length} broken`);
    };
    await runLanes(program, workerProgram, plan, services.cutPostgres, onOutcome, end.signal);
  } finally {
    await services.stop();
  }
  report.seconds = Math.round((performance.now() - startedAt) / 1000);
  fs.writeFileSync(path.join(folder, "report.json"), `${JSON.stringify(report, null, 2)}\n`);
  const lines = reportLines(report);
  console.log((isReport ? lines : [lines[0], ...lines.slice(-3)]).join("\n"));
  return report.failed.length === 0 ? 0 : 1;
}
