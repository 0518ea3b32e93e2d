// The long proofs of `npm run prove`, in their order. `run`: runs a program and tells whether it ended well; `work`: a folder of this run.
import fs from "node:fs";
import path from "node:path";
import { findChromium } from "./chromium.mjs";
import { root } from "./settings.mjs";
import { readJson } from "./state.mjs";
import { withStack } from "./test-stack.mjs";
import { withValidator } from "./validating-proxy.mjs";

export function proofsOf({ run, seed, work }) {
  const script = (name, ...args) => run("npm", ["run", "--silent", name, "--", ...args]);
  const vitest = (project, env, ...files) =>
    run(process.execPath, ["node_modules/vitest/vitest.mjs", "run", "--project", project, ...files], env);

  return {
    model: () => script("model", "--sequences", "1000000", "--seed", String(seed)),
    mutants: () => script("model", "--mutants", "--seed", String(seed)),
    "source-mutants": () => script("model", "--source-mutants"),
    chaos: () => script("chaos", "--episodes", "1000", "--seed", String(seed)),
    attack: () => script("attack", "--seed", String(seed)),
    "kill-switch": () => vitest("services", { KILL_TRIALS: "200", KILL_SEED: String(seed) }, "kill-switch"),
    crashes: () => vitest("services", { EVERY_CRASH: "1" }, "crash-recovery", "send-legs", "sell-crash"),
    reconcile: () => vitest("services", { RECONCILE_READINGS: "100" }, "compare-truth"),
    sessions: () =>
      vitest(
        "services",
        { WHOLE_MARKET: "1", LEAD_SESSIONS: "12" },
        ...["services/cycles", "play-history", "rehearsal", "across-splits", "us-backtest", "stored-bars"],
      ),
    rotation: () => vitest("services", { ROTATION_ROUNDS: "50" }, "biweekly-rotation"),
    stops: () => vitest("services", { STOP_SESSIONS: "252" }, "session-entries"),
    "lock-out": () => vitest("services", { GUESSES: "1000" }, "auth/lock-out"),
    enumeration: () => vitest("services", { BATCHES: "40" }, "auth/enumeration"),
    forgery: () => vitest("services", { FORGED_TOKENS: "100000", TEST_SEED: String(seed) }, "token-forgery"),
    seals: () => vitest("unit", { SEALS: "500000" }, "secrets/seal"),
    properties: () => vitest("unit", { TEST_SEED: String(seed) }),
    fuzz: () =>
      withStack(work, (runFile) =>
        script("fuzz", "--requests", "100000", "--seed", String(seed), "--run-file", runFile, "--earnest"),
      ),
    contract: () =>
      withStack(work, (runFile) =>
        withValidator(work, runFile, (validator) =>
          script(
            ...`fuzz --requests 5000 --seed ${seed} --run-file ${runFile} --earnest --validator ${validator}`.split(
              " ",
            ),
          ),
        ),
      ),
    // Every journey, with the contrast of every text in both themes and widths, every payload on every page, every hostile text at every door,
    // every way out of a page on a phone and a stranger at every guarded page: `npm test` takes samples of each.
    pages: async () => {
      const env = { E2E_EVERY_TEXT: "1", PLAYWRIGHT_CHROMIUM_PATH: await findChromium() };
      return withStack(work, (runFile) =>
        run(process.execPath, ["node_modules/@playwright/test/cli.js", "test"], {
          ...env,
          E2E_BASE_URL: readJson(runFile).url,
          E2E_RUN_FILE: runFile,
        }),
      );
    },
    markets: () => vitest("unit", { EVERY_MARKET: "1" }, "market/generated"),
    parsers: () => vitest("unit", { PARSER_INPUTS: "1000000", TEST_SEED: String(seed) }, "fuzz/parsers"),
    year: () => script("year", "--seed", String(seed)),
    // Built again: an image holds another build than `npm start` makes.
    containers: async () => (
      fs.rmSync(path.join(root, ".next/.stamp"), { force: true }),
      (await run(process.execPath, ["scripts/build.mjs"], { NEXT_OUTPUT: "standalone" })) &&
        run(process.execPath, ["scripts/containers.mjs"])
    ),
    docs: () => run(process.execPath, ["scripts/docs.mjs"]),
    recorded: () => vitest("recorded", { TEST_SEED: String(seed) }),
  };
}
