/** npm run chaos: real worker processes, a real Postgres, the practice exchange, scripted faults and kills. */
import { randomInt } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { flag, fraction, readArguments, runCommandLine, wholeNumber } from "@/lib/command.ts";
import { seedOf } from "@/lib/exchange/market/seeded.ts";
import { bundleChaosWorker } from "../../scripts/bundle-chaos.mjs";
import { serveLane } from "@/lib/proof/chaos/lane.ts";
import type { Outcome } from "@/lib/proof/chaos/play-episode.ts";
import { addOutcome, emptyReport, reportLines } from "@/lib/proof/chaos/report.ts";
import { runLanes } from "@/lib/proof/chaos/run-lanes.ts";
import { startServices } from "@/lib/proof/chaos/services.ts";
import { chaosEnvironment } from "@/lib/proof/chaos/environment.ts";

/** Every so many episodes one is played alone while Postgres is cut. */
const CUT_EVERY = 50;
const root = process.cwd();

const HELP = `Usage: npm run chaos -- [options]

Real worker processes, a real Postgres, the practice exchange, scripted faults and kills; then everything is held
against the exchange's own books. Ctrl-C ends the run with a report.

  --episodes N               episodes to play (default 100)
  --seed S                   seed of the run (default: drawn, and printed)
  --parallel P               episodes at a time (default 2)
  --uniqueness-off-share F   part of the episodes in which the exchange takes a client order id twice (default 0.33)
  --replay SEED              plays the one episode of this seed again, with its logs
  --cut                      with --replay: Postgres is killed in it
  --report                   prints the whole report
  --help                     this text

Exit code 0: every invariant held.
`;

const OPTIONS = {
  episodes: wholeNumber(0).default(100),
  seed: wholeNumber(0, 0xffffffff).optional(),
  parallel: wholeNumber(1).default(2),
  "uniqueness-off-share": fraction.default(0.33),
  replay: wholeNumber(0, 0xffffffff).optional(),
  cut: flag,
  report: flag,
};

function readOptions(args: string[]) {
  const given = readArguments(args, OPTIONS);
  if (given === null) return null;
  const { values } = given;
  const { seed = randomInt(2 ** 31), replay: replayed = null, parallel } = values;
  const all = Array.from({ length: values.episodes }, (_, index) => seedOf("chaos", seed, index));
  const isCut = (index: number) => index % CUT_EVERY === CUT_EVERY - 1;
  return {
    seed,
    replayed,
    isReport: values.report,
    plan: {
      parallel,
      options: { uniquenessOffShare: values["uniqueness-off-share"] },
      seeds: replayed === null ? all.filter((_, index) => !isCut(index)) : values.cut ? [] : [replayed],
      cutSeeds: replayed === null ? all.filter((_, index) => isCut(index)) : values.cut ? [replayed] : [],
    },
  };
}

function showFailure(outcome: Outcome, share: number, withLogs: boolean): void {
  console.log(`BROKEN in episode ${outcome.seed}:`);
  for (const violation of outcome.violations) console.log(`  ${violation}`);
  const cut = outcome.databaseCuts > 0 ? " --cut" : "";
  console.log(`  npm run chaos -- --replay ${outcome.seed}${cut} --uniqueness-off-share ${share}`);
  if (withLogs) for (const line of outcome.logs) console.log(`    ${line}`);
}

async function main({ seed, replayed, isReport, plan }: NonNullable<ReturnType<typeof readOptions>>): Promise<number> {
  const folder = path.resolve(process.env.DATA_DIR || ".data", "chaos");
  const workerProgram = path.join(folder, "worker.mjs");
  fs.mkdirSync(folder, { recursive: true });
  fs.rmSync(`${workerProgram}.map`, { force: true });
  await bundleChaosWorker(workerProgram, replayed !== null);
  const services = await startServices(root);
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
    const program = fileURLToPath(import.meta.url);
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

if (process.argv[2] === "--lane") await serveLane(process.argv[3] ?? "");
else await runCommandLine(HELP, readOptions, main);
