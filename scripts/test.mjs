// `npm test`: everything that must hold, one stage after the other; every stage runs, and the last line counts.
// `npm test -- unit e2e` runs only the named stages.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { SHARED } from "../lib/proof/recorded/place.mjs";
import { root } from "./settings.mjs";
import { findChromium } from "./chromium.mjs";
import { ensureInstalled } from "./install.mjs";
import { fleet, say, start, stopAll, until } from "./proc.mjs";
import { readJson, state } from "./state.mjs";
import { alone, seconds } from "./step.mjs";

const RECORDED_ABSENT = `recorded: not run, as there is no ${SHARED} (recorded days and the broker's documents)`;
const STACK_START_S = 600;
/** The tools write to a pipe, and would drop their colours. */
const COLOUR = process.stdout.isTTY && !process.env.NO_COLOR ? { FORCE_COLOR: "1" } : {};

const startedAt = performance.now();
const work = fs.mkdtempSync(path.join(os.tmpdir(), "tradewind-npm-test-"));
fs.chmodSync(work, 0o755); // Postgres may run as another user
fleet.mark = work;

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, async () => {
    if (fleet.closing) return;
    await stopAll();
    fs.rmSync(work, { recursive: true, force: true });
    process.exit(130);
  });
}

const bin = (file, ...args) => run(process.execPath, [`node_modules/${file}`, ...args]);

/** Whether a program ended well. */
async function run(command, args, env = {}) {
  const { code } = await start("test", command, args, {
    cwd: root,
    env: { ...COLOUR, ...env },
    graceS: 30,
    isPlain: true,
  }).done;
  if (fleet.closing) await new Promise(() => {}); // the signal handler ends us
  return code === 0;
}

const one = (isGood) => ({ passed: isGood ? 1 : 0, failed: isGood ? 0 : 1 });

// The runners colour what they say of an error.
const firstLine = (text = "") => text.replaceAll(/\u001b\[\d+m/g, "").split("\n", 1)[0];

/** Every test of Playwright's report that did not pass, as "file:line title: what it said". */
function failedJourneys(suites) {
  return suites.flatMap((suite) => [
    ...failedJourneys(suite.suites ?? []),
    ...suite.specs
      .filter((spec) => !spec.ok)
      .map((spec) => {
        const errors = spec.tests.flatMap((test) => test.results).flatMap((result) => result.errors);
        return `${spec.file}:${spec.line} ${spec.title}: ${firstLine(errors[0]?.message)}`;
      }),
  ]);
}

async function vitest(project) {
  const report = path.join(work, `${project}.json`);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const isGood = await bin("vitest/vitest.mjs", "run", "--project", project, ...reporters);
  const result = readJson(report);
  if (!result) return one(false);
  const emptySuites = result.testResults.filter(
    (file) => file.status === "failed" && file.assertionResults.length === 0,
  );
  // A skipped test proves nothing: it counts as failed.
  const failed = result.numFailedTests + result.numPendingTests + result.numTodoTests + emptySuites.length;
  const names = result.testResults.flatMap((file) =>
    file.assertionResults
      .filter((test) => test.status !== "passed")
      .map((test) => `${path.relative(root, file.name)} ${test.fullName}: ${firstLine(test.failureMessages?.[0])}`),
  );
  const broken = emptySuites.map((file) => `${path.relative(root, file.name)}: ${firstLine(file.message)}`);
  return { passed: result.numPassedTests, failed: failed || (isGood ? 0 : 1), names: [...names, ...broken] };
}

/** The market of the journeys, made by the project itself. */
async function fixtureTape() {
  // Not above: a fresh clone has no packages yet when this file is read.
  const { tsImport } = await import("tsx/esm/api");
  const market = await tsImport("../lib/proof/market/fixture-tape.ts", import.meta.url);
  return market.fixtureTape();
}

/** What the tests bring themselves, and nothing of the developer's own installation. */
async function stackEnv() {
  const outside = ["DATABASE_URL", "REDIS_URL", "SMTP_URL", "EXCHANGE_URL", "APP_BASE_URL", "EXCHANGE_DATABASE_URL"];
  const keys = [
    "ALPACA_DATA_KEY_ID",
    "ALPACA_DATA_SECRET",
    "FINNHUB_TOKEN",
    "FMP_API_KEY",
    "ADMIN_EMAIL",
    "ADMIN_PASSWORD",
  ];
  return {
    ...Object.fromEntries([...outside, ...keys].map((name) => [name, ""])),
    NO_ENV_FILE: "1",
    BUILD: "test",
    DATA_DIR: path.join(work, "stack"),
    EXCHANGE_TAPE: await fixtureTape(),
    // Seven weeks before its decline: at this speed there are twenty minutes in which the engine buys.
    EXCHANGE_START: "2020-01-06",
    EXCHANGE_SPEED: "600",
    EXCHANGE_SKIP_CLOSED: "1",
    DEMO: "1",
  };
}

async function e2e() {
  const browser = await findChromium();
  const env = await stackEnv();
  const port = await state(work).port("web");
  const stack = start("stack", process.execPath, ["scripts/start.mjs"], {
    cwd: root,
    env: { ...env, PORT: String(port) },
    graceS: 60,
    quiet: !process.env.VERBOSE,
  });
  try {
    const runFile = path.join(env.DATA_DIR, "run.json");
    await until(stack, () => fs.existsSync(runFile), STACK_START_S, "The stack");
    const report = path.join(work, "e2e.json");
    const isGood = await run(process.execPath, ["node_modules/@playwright/test/cli.js", "test"], {
      E2E_BASE_URL: readJson(runFile).url,
      E2E_RUN_FILE: runFile,
      E2E_REPORT_FILE: report,
      PLAYWRIGHT_CHROMIUM_PATH: browser,
    });
    const { stats, suites } = readJson(report) ?? {};
    if (!stats) return one(false);
    if (!isGood) say(`the stack's last lines:\n${stack.tail.join("\n")}`);
    const failed = stats.unexpected + stats.flaky + stats.skipped;
    return { passed: stats.expected, failed: failed || (isGood ? 0 : 1), names: failedJourneys(suites) };
  } finally {
    await stack.stop();
  }
}

const checks = {
  types: async () => one((await bin("next/dist/bin/next", "typegen")) && (await bin("typescript/bin/tsc", "--noEmit"))),
  lint: async () => one(await bin("eslint/bin/eslint.js", ".", "--max-warnings", "0")),
  format: async () => one(await bin("prettier/bin/prettier.cjs", "--check", ".", "--log-level", "warn")),
  walls: async () =>
    one(
      await bin(
        "dependency-cruiser/bin/dependency-cruise.mjs",
        "--config",
        ".dependency-cruiser.mjs",
        "app",
        "lib",
        "workers",
        "emails",
      ),
    ),
  "dead-code": async () => one(await bin("knip/bin/knip.js")),
  unit: () => vitest("unit"),
  services: () => vitest("services"),
  recorded: () => vitest("recorded"),
  build: async () => one(await run(process.execPath, ["scripts/build.mjs"], { BUILD: "test" })),
  e2e,
};

process.env.NEXT_TELEMETRY_DISABLED = "1";
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in checks));
if (unknown.length > 0) {
  console.error(`There is no stage "${unknown.join('", "')}". There are: ${Object.keys(checks).join(", ")}.`);
  fs.rmSync(work, { recursive: true });
  process.exit(1);
}

const wanted = Object.entries(checks).filter(([name]) => asked.length === 0 || asked.includes(name));
const isRecordedAbsent = !fs.existsSync(SHARED) && wanted.some(([name]) => name === "recorded");
const stages = wanted.filter(([name]) => name !== "recorded" || !isRecordedAbsent);

const results = [];
try {
  await alone(ensureInstalled);
  for (const [name, check] of stages) {
    process.stdout.write(`\n── ${name} ──\n`);
    const begun = performance.now();
    const result = await check().catch((error) => {
      say(error.message);
      return one(false);
    });
    results.push({ name, ...result, took: seconds(begun) });
  }
} catch (error) {
  say(error.message);
  results.push({ name: "set-up", ...one(false), took: seconds(startedAt) });
}
await stopAll();
fs.rmSync(work, { recursive: true, force: true });

process.stdout.write(`\n── summary (${seconds(startedAt)}) ──\n`);
for (const { name, passed, failed, took } of results) {
  console.log(
    `${failed ? "FAILED" : "ok    "}  ${name.padEnd(10)} ${String(passed).padStart(5)} passed ${String(failed).padStart(4)} failed   ${took}`,
  );
}
// Named at the end as well: where only the last lines of a run are kept, a failure must not be a riddle.
for (const { name, names = [] } of results) {
  for (const failure of names.slice(0, 20)) console.log(`${name}: ${failure.slice(0, 300)}`);
}
const sum = (part) => results.reduce((total, result) => total + result[part], 0);
if (isRecordedAbsent) console.log(RECORDED_ABSENT);
console.log(`${sum("passed")} passed, ${sum("failed")} failed`);
process.exitCode = sum("failed") > 0 ? 1 : 0;
