// The stages of `npm test`. Each is given `run`, which runs a program and tells whether it ended well, and a folder of this run.
import path from "node:path";
import { findChromium } from "./chromium.mjs";
import { say } from "./proc.mjs";
import { readJson } from "./state.mjs";
import { failedJourneys, journeyTimes } from "./test-summary.mjs";
import { withStack } from "./test-stack.mjs";

const node = (run, file, args, env, onMessage) => run(process.execPath, [file, ...args], env, onMessage);
const bin = (run, file, ...args) => node(run, `node_modules/${file}`, args);

export const one = (isGood) => ({ passed: isGood ? 1 : 0, failed: isGood ? 0 : 1 });

let typegen;
/** The types of the routes: written once, before the two that read them. */
const withRouteTypes = (run) => (typegen ??= bin(run, "next/dist/bin/next", "typegen"));

/** One project of Vitest. */
async function vitest(run, work, project, env = {}) {
  const report = path.join(work, `${project}.json`);
  const shown =
    process.env.TEST_OUTPUT === "failures" ? ["--reporter=minimal", "--silent=passed-only"] : ["--reporter=default"];
  const args = ["run", "--project", project, ...shown, "--reporter=./scripts/test-report.mjs"];
  const isGood = await node(run, "node_modules/vitest/vitest.mjs", args, { ...env, TEST_REPORT: report });
  const result = readJson(report);
  if (!result) return one(false);
  return { ...result, failed: result.failed || (isGood ? 0 : 1) };
}

/** Screens in a browser, on answers that the tests give. */
async function components(run, work) {
  return vitest(run, work, "components", { PLAYWRIGHT_CHROMIUM_PATH: await findChromium() });
}

/** `whenIdle` is called when the last journeys, which come one by one, leave a core idle. */
async function e2e(run, work, whenIdle) {
  const browser = await findChromium();
  return withStack(work, async (runFile, lastLines) => {
    const report = path.join(work, "e2e.json");
    const env = {
      E2E_BASE_URL: readJson(runFile).url,
      E2E_RUN_FILE: runFile,
      E2E_REPORT_FILE: report,
      PLAYWRIGHT_CHROMIUM_PATH: browser,
    };
    const isGood = await node(run, "node_modules/@playwright/test/cli.js", ["test"], env, whenIdle);
    const { stats, suites } = readJson(report) ?? {};
    if (!stats) return one(false);
    if (!isGood) say(`the stack's last lines:\n${lastLines.join("\n")}`);
    const failed = stats.unexpected + stats.flaky + stats.skipped;
    const journeys = { failures: failedJourneys(suites), files: journeyTimes(suites) };
    return { passed: stats.expected, failed: failed || (isGood ? 0 : 1), ...journeys };
  });
}

export const stages = {
  types: async (run) => one((await withRouteTypes(run)) && (await bin(run, "typescript-native/bin/tsc", "--noEmit"))),
  lint: async (run) => {
    await withRouteTypes(run);
    const migrations = await bin(run, "squawk-cli/js/bin/squawk", "prisma/migrations/*/migration.sql");
    return one((await bin(run, "oxlint/bin/oxlint", ".")) && migrations);
  },
  format: async (run) => one(await bin(run, "oxfmt/bin/oxfmt", "--list-different", ".")),
  documents: async (run) => one(await run(process.execPath, ["--import", "tsx", "scripts/lint-documents.ts"])),
  walls: async (run) => {
    const walls = ["--config", ".dependency-cruiser.mjs", "app", "lib", "workers", "emails"];
    return one(await bin(run, "dependency-cruiser/bin/dependency-cruise.mjs", ...walls));
  },
  "dead-code": async (run) => one(await bin(run, "knip/bin/knip.js")),
  build: async (run) => one(await node(run, "scripts/build.mjs", [], { BUILD: "test" })),
  unit: (run, work) => vitest(run, work, "unit"),
  components,
  services: (run, work) => vitest(run, work, "services"),
  recorded: (run, work) => vitest(run, work, "recorded"),
  e2e,
};

/** Stages of one lane run in turn, lanes side by side: none of these uses more than one core for long. The rest run alone. */
export const LANES = [
  ["types", "format", "documents", "walls", "dead-code"],
  ["lint", "build"],
];

/** Run when the stage leaves a core idle, or after it. */
export const WITHIN = { e2e: ["components"] };
