// One step of the set-up: shown, timed, and said to be still running when it is long.
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
  let told = false;
  for (;;) {
    const { release, holder } = takeLock("dist/set-up.lock");
    if (release) {
      try {
        return await work();
      } finally {
        release();
      }
    }
    if (!told) say(`another start (pid ${holder}) is installing or building here: waiting for it`);
    told = true;
    if (fleet.closing) throw new Error("stopping");
    await sleep(300);
  }
}
