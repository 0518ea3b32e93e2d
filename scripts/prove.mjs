// `npm run prove`: the long proofs, one after the other, with fresh seeds; `npm run prove -- chaos fuzz` runs the named ones.
// SEED=N draws the same again. `npm test` keeps a short version of each, with a fixed seed.
import { randomInt } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { ensureInstalled } from "./install.mjs";
import { fleet, start, stopAll } from "./proc.mjs";
import { proofsOf } from "./proofs.mjs";
import { root } from "./settings.mjs";
import { alone, seconds } from "./step.mjs";

const seed = process.env.SEED ? Number(process.env.SEED) : randomInt(1, 2 ** 31);
const startedAt = performance.now();
const work = fs.mkdtempSync(path.join(os.tmpdir(), "tradewind-prove-"));
fs.chmodSync(work, 0o755); // Postgres may run as another user
fleet.mark = work;

async function endEarly() {
  if (fleet.closing) return;
  await stopAll();
  fs.rmSync(work, { recursive: true, force: true });
  process.exit(130);
}
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => void endEarly());

async function run(command, args, env = {}) {
  const { code } = await start("prove", command, args, { cwd: root, env, graceS: 30, isPlain: true }).done;
  if (fleet.closing) await new Promise(() => {}); // the signal handler ends us
  return code === 0;
}

const proofs = proofsOf({ run, seed, work });
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in proofs));
if (unknown.length > 0) {
  console.error(`There is no proof "${unknown.join('", "')}". There are: ${Object.keys(proofs).join(", ")}.`);
  fs.rmSync(work, { recursive: true });
  process.exit(1);
}

await alone(ensureInstalled);
const results = [];
for (const [name, prove] of Object.entries(proofs)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  console.log(`\n── ${name}, seed ${seed} ──`);
  const begun = performance.now();
  const isGood = await prove().catch((error) => {
    console.error(error.message);
    return false;
  });
  results.push({ name, isGood, took: seconds(begun) });
}
await stopAll();
fs.rmSync(work, { recursive: true, force: true });

console.log(`\n── summary (${seconds(startedAt)}), SEED=${seed} ──`);
for (const { name, isGood, took } of results)
  console.log(`${isGood ? "ok    " : "FAILED"}  ${name.padEnd(16)} ${took}`);
const failed = results.filter(({ isGood }) => !isGood).length;
console.log(`${results.length - failed} held, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
