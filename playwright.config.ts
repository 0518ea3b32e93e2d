import { defineConfig } from "@playwright/test";

/** `npm test -- e2e` brings a stack of its own up and gives its address, its run file and a browser. */
const { E2E_BASE_URL, E2E_REPORT_FILE, PLAYWRIGHT_CHROMIUM_PATH } = process.env;

export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results",
  fullyParallel: true,
  forbidOnly: true,
  retries: 0, // a flaky test is a bug
  workers: 2,
  timeout: 120_000, // a journey that has nothing to wait for ends in a quarter of it, also where others keep the machine busy
  expect: { timeout: 15_000 },
  reporter: [["list"], ...(E2E_REPORT_FILE ? [["json", { outputFile: E2E_REPORT_FILE }] as const] : [])],
  use: {
    baseURL: E2E_BASE_URL ?? "http://127.0.0.1:3000",
    trace: "retain-on-failure",
    screenshot: "only-on-failure",
    browserName: "chromium",
    headless: true,
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
      ],
    },
  },
  projects: [
    // First, with the others beside it: its account has to buy, and the fixture market is one to buy in for twenty minutes.
    { name: "newcomer", testMatch: "newcomer.spec.ts" },
    { name: "chromium", testIgnore: ["newcomer.spec.ts", "admin-rotation.spec.ts"] },
    // A rotation trades every account; the newcomer's is to be traded by cycles alone.
    { name: "rotation", testMatch: "admin-rotation.spec.ts", dependencies: ["newcomer"] },
  ],
});
