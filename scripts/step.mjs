// One step of the set-up: shown, timed, said to be still running when it is long, and repeated only when something it reads has changed.
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { root } from "./settings.mjs";
import { fleet, say, sleep, start } from "./proc.mjs";
import { takeLock } from "./state.mjs";

const STILL_EVERY_MS = 15_000;

export const seconds = (sinceMs) => `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`;

/** Runs a program to its end; fails with its last lines. */
export async function step(name, command, args, { env, quiet = false } = {}) {
  const startedAt = performance.now();
  const proc = start(name, command, args, { cwd: root, env, quiet });
  const still = setInterval(() => say(`${name} still running (${seconds(startedAt)})`), STILL_EVERY_MS);
  const { code, signal, error } = await proc.done;
  clearInterval(still);
  if (fleet.closing) throw new Error("stopping");
  if (code !== 0) {
    const lines = quiet ? `\n${proc.tail.join("\n")}` : "";
    throw new Error(`${name} failed (${error?.message ?? signal ?? code})${lines}`);
  }
  say(`${name} done in ${seconds(startedAt)}`);
}

/** Two starts of one checkout share node_modules and the build: they take turns. */
export async function alone(work) {
  let isReported = false;
  for (;;) {
    const { release, holder } = takeLock("dist/set-up.lock");
    if (release) {
      try {
        return await work();
      } finally {
        release();
      }
    }
    if (!isReported) say(`another start (pid ${holder}) is installing or building here: waiting for it`);
    isReported = true;
    if (fleet.closing) throw new Error("stopping");
    await sleep(300);
  }
}

export function hashOf(...texts) {
  const hash = createHash("sha256");
  for (const text of texts) hash.update(text).update("\0");
  return hash.digest("hex");
}

/** The content of files and folders, tests left out; what does not exist counts as absent. */
export function hashOfFiles(inputs, isIn = () => true) {
  const files = inputs
    .filter((input) => fs.existsSync(input))
    .flatMap((input) => (fs.statSync(input).isDirectory() ? filesOf(input) : [input]))
    .filter((file) => !/\.test\.tsx?$/.test(file) && isIn(file))
    .sort();
  return hashOf(process.version, ...files.flatMap((file) => [file, fs.readFileSync(file)]));
}

function filesOf(folder) {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name));
}

export function isFresh(stamp, hash) {
  return fs.existsSync(stamp) && fs.readFileSync(stamp, "utf8") === hash;
}

export function setFresh(stamp, hash) {
  fs.mkdirSync(path.dirname(stamp), { recursive: true });
  fs.writeFileSync(stamp, hash);
}
