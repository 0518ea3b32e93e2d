import path from "node:path";
import { defineConfig } from "vitest/config";
import { SlowestFirst } from "./scripts/test-order.ts";

const resolve = { alias: { "@": path.resolve(import.meta.dirname) } };
const exclude = ["node_modules/**", ".next/**", "dist/**", ".data/**", "docs-site/**", "e2e/**", "scripts/fixtures/**"];

/** Time is asserted nowhere: a machine that others keep busy takes longer, and proves the same. */
const patience = { testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: 15_000 } } };

/** As many as there are cores in continuous integration; Vitest itself would leave one of two idle. */
const maxWorkers = 2;
/** Some wait for programs and for the end of a timeout, for a sixth of their time. */
const maxUnitWorkers = 3;
/** They wait for Postgres, Redis, the exchange and programs of their own for more than half of their time. */
const maxServiceWorkers = 5;
/** What a test makes is thrown away at once: with room for it, less is copied about by the collection of garbage. */
const execArgv = ["--max-semi-space-size=64"];
/** Each file makes the product's code anew and runs most of it a few times: to optimise it soon costs more than it brings. */
const serviceArgv = [...execArgv, "--interrupt-budget=1000000", "--liftoff-only"];

/**
 * `unit`: no service. `recorded`: recorded days and the broker's documents beside the checkout. `services`: files named *.services.test.ts get their own database (from a
 * template), their own queue prefix and a real Redis.
 */
export default defineConfig({
  test: {
    sequence: { sequencer: SlowestFirst },
    projects: [
      {
        resolve,
        test: {
          name: "unit",
          include: ["**/*.test.ts"],
          exclude: [...exclude, "**/*.services.test.ts", "**/*.recorded.test.ts"],
          environment: "node",
          execArgv,
          isolate: false,
          maxWorkers: maxUnitWorkers,
          ...patience,
          setupFiles: ["scripts/test-fresh.ts", "scripts/test-seed.ts"],
        },
      },
      {
        resolve,
        test: {
          name: "recorded",
          include: ["lib/proof/recorded/**/*.recorded.test.ts"],
          exclude,
          environment: "node",
          maxWorkers,
          ...patience,
          setupFiles: ["scripts/test-fresh.ts", "scripts/test-seed.ts"],
        },
      },
      {
        resolve,
        test: {
          name: "services",
          include: ["**/*.services.test.ts"],
          exclude,
          environment: "node",
          pool: "forks",
          execArgv: serviceArgv,
          isolate: false,
          maxWorkers: maxServiceWorkers,
          ...patience,
          globalSetup: ["scripts/test-services.mjs"],
          setupFiles: ["scripts/test-fresh.ts", "scripts/test-seed.ts", "scripts/test-database.ts"],
        },
      },
    ],
  },
});
