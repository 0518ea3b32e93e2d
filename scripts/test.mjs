// `npm test`: everything that must hold. Every stage runs, the static ones in two lanes, one within another that leaves a core idle; the last line counts.
// `npm test -- unit e2e` runs only the named stages. TEST_OUTPUT=failures shows nothing of a stage in which all is well.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { SHARED } from "../lib/proof/recorded/place.mjs";
import { root } from "./settings.mjs";
import { ensureInstalled } from "./install.mjs";
import { fleet, say, start, stopAll } from "./proc.mjs";
import { alone, seconds } from "./step.mjs";
import { LANES, one, stages, WITHIN } from "./test-stages.mjs";
import { timeSpent } from "./test-summary.mjs";

const RECORDED_ABSENT = `recorded: not run, as there is no ${SHARED} (recorded days and the broker's documents)`;
const FAILURES_SHOWN = 20;
/** The tools write to a pipe, and would drop their colours. */
const COLOUR = process.stdout.isTTY && !process.env.NO_COLOR ? { FORCE_COLOR: "1" } : {};

const isBrief = process.env.TEST_OUTPUT === "failures";

const startedAt = performance.now();
const work = fs.mkdtempSync(path.join(os.tmpdir(), "tradewind-npm-test-"));
fs.chmodSync(work, 0o755); // Postgres may run as another user
fleet.mark = work;

async function endEarly() {
  if (fleet.closing) return;
  await stopAll();
  fs.rmSync(work, { recursive: true, force: true });
  process.exit(130);
}
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => void endEarly());

/** Runs programs and answers whether each ended well. `onLine`: gets their lines, which are then not shown. */
const runner =
  (onLine) =>
  async (command, args, env = {}, onMessage) => {
    const { code } = await start("test", command, args, {
      cwd: root,
      env: { ...COLOUR, ...env },
      graceS: 30,
      isPlain: true,
      onMessage,
      ...(onLine ? { onLine, quiet: true } : {}),
    }).done;
    if (fleet.closing) await new Promise(() => {}); // the signal handler ends us
    return code === 0;
  };

process.env.NEXT_TELEMETRY_DISABLED = "1";
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in stages));
if (unknown.length > 0) {
  console.error(`There is no stage "${unknown.join('", "')}". There are: ${Object.keys(stages).join(", ")}.`);
  fs.rmSync(work, { recursive: true });
  process.exit(1);
}

const isAsked = (name) => asked.length === 0 || asked.includes(name);
const isRecordedAbsent = !fs.existsSync(SHARED) && isAsked("recorded");
const wanted = Object.keys(stages).filter((name) => isAsked(name) && !(name === "recorded" && isRecordedAbsent));

const results = [];
const heading = (name) => process.stdout.write(`\n── ${name} ──\n`);

/** Of all cores since then, in per cent: a stage that leaves them idle can do with more workers. */
function busySince(then) {
  const spent = cpuTimes().map((times, core) => times.map((ms, kind) => ms - then[core][kind]));
  const total = (kinds) => spent.flatMap((times) => times.slice(0, kinds)).reduce((sum, ms) => sum + ms, 0);
  return Math.round((100 * total(4)) / Math.max(1, total(5)));
}
const cpuTimes = () => os.cpus().map(({ times: { user, nice, sys, irq, idle } }) => [user, nice, sys, irq, idle]);

async function play(name, run, report = say, whenIdle) {
  const begun = performance.now();
  const then = cpuTimes();
  const result = await stages[name](run, work, whenIdle).catch((error) => {
    report(error.message);
    return one(false);
  });
  results.push({ name, ...result, took: `${seconds(begun).padStart(8)}  ${busySince(then)} % busy` });
  return result;
}

/** One stage after the other; what a stage says is shown when it is done, or only where something failed. */
async function playKept(names, whenIdle) {
  for (const name of names) {
    const lines = [];
    // Programs that run within a test write their log past it.
    const report = (line) => line.startsWith('{"level"') || lines.push(line);
    const { failed } = await play(name, runner(report), report, whenIdle);
    if (isBrief && failed === 0) continue;
    heading(name);
    process.stdout.write(lines.map((line) => `${line}\n`).join(""));
  }
}

try {
  await alone(ensureInstalled);
  const lanes = LANES.map((names) => names.filter((name) => wanted.includes(name))).filter(({ length }) => length > 0);
  const inLanes = lanes.length > 1 ? lanes.flat() : [];
  if (inLanes.length > 0) await Promise.all(lanes.map((names) => playKept(names)));
  const within = Object.entries(WITHIN).flatMap(([name, names]) => (wanted.includes(name) ? names : []));
  for (const name of wanted.filter((name) => !inLanes.includes(name) && !within.includes(name))) {
    let inner;
    const whenIdle = () => (inner ??= playKept((WITHIN[name] ?? []).filter((other) => wanted.includes(other))));
    if (isBrief) await playKept([name], whenIdle);
    else {
      heading(name);
      await play(name, runner(), say, whenIdle);
    }
    await whenIdle();
  }
} catch (error) {
  say(error.message);
  results.push({ name: "set-up", ...one(false), took: seconds(startedAt) });
}
await stopAll();
fs.rmSync(work, { recursive: true, force: true });
const order = Object.keys(stages);
results.sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));

process.stdout.write(`\n── summary (${seconds(startedAt)}) ──\n`);
for (const { name, passed, failed, took } of results) {
  console.log(
    `${failed ? "FAILED" : "ok    "}  ${name.padEnd(10)} ${String(passed).padStart(5)} passed ${String(failed).padStart(4)} failed   ${took}`,
  );
}
for (const { name, files = [] } of results) {
  if (files.length > 0) console.log([`${name}:`, ...timeSpent(files)].join("\n    "));
}
// Explained at the end as well: the last lines may be all that is kept of a run.
for (const { name, failures = [] } of results) {
  for (const { title, lines } of failures.slice(0, FAILURES_SHOWN))
    console.log([`\n${name}: ${title.slice(0, 300)}`, ...lines.map((line) => `    ${line}`)].join("\n"));
  if (failures.length > FAILURES_SHOWN) console.log(`\n${name}: and ${failures.length - FAILURES_SHOWN} more`);
}
const sum = (part) => results.reduce((total, result) => total + result[part], 0);
if (isRecordedAbsent) console.log(RECORDED_ABSENT);
console.log(`${sum("passed")} passed, ${sum("failed")} failed`);
process.exitCode = sum("failed") > 0 ? 1 : 0;
