// Where things are. No dependency: this runs before anything is installed.
import fs from "node:fs";
import path from "node:path";

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Tradewind needs Node 20.19 or newer; this is ${process.version}.`);
  process.exit(1);
}

export const root = path.resolve(import.meta.dirname, "..");
process.chdir(root);

/** What the caller gave, before a file added to it. */
export const given = { ...process.env };

/** The developer's own settings; the real environment wins. Tests bring their own and read none. */
if (process.env.NO_ENV_FILE !== "1") {
  for (const file of [".env.local", ".env"]) if (fs.existsSync(file)) process.loadEnvFile(file);
}

export const dataDir = path.resolve(process.env.DATA_DIR || ".data");
/** Programs fetched for this project, shared by its data directories. */
export const binDir = path.join(root, ".data/bin");
export const lockFile = path.join(dataDir, "launcher.lock");
export const runFile = path.join(dataDir, "run.json");

/** Two builds: the one `npm start` runs, and the one the browser tests run, so that neither disturbs the other. */
export function buildPaths(isForTests = process.env.BUILD === "test") {
  const next = isForTests ? ".data/test-build/next" : ".next";
  const programs = isForTests ? ".data/test-build/programs" : "dist";
  return { next, programs, program: (source) => path.join(programs, source.replace(/\.ts$/, ".mjs")) };
}
