// Runs a command-line tool against the stack of DATA_DIR: `node scripts/run.mjs workers/cli/reconcile.ts [arguments]`.
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { areProgramsFresh } from "./build.mjs";
import { envBeside } from "./programs.mjs";
import { buildPaths, dataDir, lockFile, root, runFile } from "./settings.mjs";
import { holderOf, readJson } from "./state.mjs";

const [source, ...args] = process.argv.slice(2);
if (!source || !fs.existsSync(source)) stop(`Which program? ${source ? `There is no ${source}.` : "Give its file."}`);

const shown = path.relative(root, dataDir) || dataDir;
const running = holderOf(lockFile) && readJson(runFile);
if (!running && !args.includes("--help")) {
  const hasRun = fs.existsSync(path.join(dataDir, "state.json"));
  const state = holderOf(lockFile) ? "is still starting" : hasRun ? "is not running" : "was never started";
  stop(`Tradewind ${state} on ${shown}. Start it with "npm start" (and the same DATA_DIR), then try again.`);
}

const program = buildPaths().program(source);
const isBuilt = fs.existsSync(program) && areProgramsFresh();
const how = isBuilt ? ["--enable-source-maps", program] : ["--import", "tsx", source];
const child = spawn(process.execPath, [...how, ...args], {
  cwd: root,
  stdio: "inherit",
  env: {
    ...envBeside(running?.internal ?? {}),
    // The owner of the schema is for migrations alone.
    ...(source === "prisma/migrate.mjs" && { MIGRATION_DATABASE_URL: running?.internal.migrationDatabaseUrl }),
  },
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("close", (code, signal) => process.exit(code ?? (signal ? 1 : 0)));

function stop(message) {
  console.error(message);
  process.exit(2);
}
