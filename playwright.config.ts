import { defineConfig } from "@playwright/test";

/** `npm test -- e2e` brings a stack of its own up and gives its address, its run file and a browser. */
const { E2E_BASE_URL, E2E_REPORT_FILE, E2E_TRACE, PLAYWRIGHT_CHROMIUM_PATH, TEST_OUTPUT } = process.env;

/** The console closed to administrators without a second factor, the practice market paused: they come last, one by one. */
const ALONE = ["admin-factor-rule.spec.ts", "admin-practice-market.spec.ts"];

const CONSENT = "alpaca-consent.spec.ts";

/** Journeys of half a minute each: begun last, they would leave a core idle at the end. */
const LONG = ["xss.spec.ts", "second-factor.spec.ts", "log-lines.spec.ts"];

/** Projects whose journeys run side by side. The others come after all of them, one by one (scripts/test-tail.mjs). */
const TOGETHER = ["newcomer", "long", "chromium", "consent"];

export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results",
  fullyParallel: true,
  forbidOnly: true,
  retries: 0, // a flaky test is a bug
  workers: 5,
  timeout: 120_000, // a journey that has nothing to wait for ends in a quarter of it, also where others keep the machine busy
  expect: { timeout: 15_000 },
  reporter: [
    [TEST_OUTPUT === "failures" ? "dot" : "list"],
    ["./scripts/test-tail.mjs"],
    ...(E2E_REPORT_FILE ? [["json", { outputFile: E2E_REPORT_FILE }] as const] : []),
  ],
  use: {
    baseURL: E2E_BASE_URL ?? "http://127.0.0.1:3000",
    // A trace is recorded for every test, to be kept for a few: on two cores all of them wait for it.
    trace: E2E_TRACE ? "retain-on-failure" : "off",
    screenshot: "only-on-failure",
    browserName: "chromium",
    headless: true,
    contextOptions: { reducedMotion: "reduce" },
    viewport: { width: 1280, height: 800 },
    launchOptions: {
      ...(PLAYWRIGHT_CHROMIUM_PATH ? { executablePath: PLAYWRIGHT_CHROMIUM_PATH } : {}),
      args: [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        // One process for all pages of a worker: else each test starts one, at a fifth of what its pages cost.
        "--process-per-site",
        "--disable-site-isolation-trials",
        // A page is looked at for a second or two: to optimise its code costs more than it brings.
        "--js-flags=--no-opt",
        // Nothing here is seen while it moves.
        "--disable-lcd-text",
        "--disable-threaded-animation",
        "--disable-threaded-scrolling",
        "--disable-checker-imaging",
      ],
    },
  },
  projects: [
    // First, with the others beside it: its account has to buy, and the fixture market is one to buy in for twenty minutes.
    // It mostly waits for the market, so it has a worker beside the three that keep two cores busy.
    { name: "newcomer", testMatch: "newcomer.spec.ts", workers: 1 },
    { name: "long", testMatch: LONG, workers: 2 },
    {
      name: "chromium",
      testIgnore: ["newcomer.spec.ts", "admin-rotation.spec.ts", CONSENT, ...LONG, ...ALONE],
      workers: 3,
    },
    // Brings an exchange and a market of its own, and mostly waits for the worker.
    { name: "consent", testMatch: CONSENT, workers: 1 },
    // A rotation trades every account; the newcomer's is to be traded by cycles alone.
    { name: "rotation", testMatch: "admin-rotation.spec.ts", dependencies: TOGETHER },
    { name: "alone", testMatch: ALONE, workers: 1, dependencies: [...TOGETHER, "rotation"] },
  ],
});
