// `npm run demo:screenshots`: the pictures of the README, taken anew of a stack that trades its generated market: docs/pictures.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { findChromium } from "./chromium.mjs";
import { ensureInstalled } from "./install.mjs";
import { fleet, stopAll } from "./proc.mjs";
import { root } from "./settings.mjs";
import { readJson } from "./state.mjs";
import { alone } from "./step.mjs";
import { withStack } from "./test-stack.mjs";

const FOLDER = path.join(root, "docs/pictures");
const VIEWPORT = { width: 1280, height: 960 };

const PICTURES = [
  { name: "dashboard-light", page: "/dashboard", colorScheme: "light" },
  { name: "dashboard-dark", page: "/dashboard", colorScheme: "dark" },
];

const work = fs.mkdtempSync(path.join(os.tmpdir(), "tradewind-pictures-"));
fs.chmodSync(work, 0o755); // Postgres may run as another user
fleet.mark = work;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
  process.on(signal, () => void stopAll().finally(() => process.exit(130)));

/** The page as the demo trader sees it once all of it is there. */
async function take(browser, { url, demo }, { name, page: address, colorScheme }) {
  const context = await browser.newContext({ baseURL: url, viewport: VIEWPORT, colorScheme, reducedMotion: "reduce" });
  const page = await context.newPage();
  await page.goto("/auth");
  await page.getByLabel("Email").fill(demo.trader.email);
  await page.getByLabel("Password", { exact: true }).fill(demo.trader.password);
  await page.getByRole("button", { name: "Sign In", exact: true }).click();
  await page.waitForURL("**/dashboard");
  await page.goto(address);
  await page.locator("canvas").first().waitFor();
  await page.waitForFunction(() => document.querySelector(".skeleton") === null);
  await page.screenshot({ path: path.join(FOLDER, `${name}.png`) });
  await context.close();
  console.log(`docs/pictures/${name}.png`);
}

await alone(ensureInstalled);
fs.mkdirSync(FOLDER, { recursive: true });
try {
  const { chromium } = await import("@playwright/test");
  await withStack(work, async (runFile) => {
    const browser = await chromium.launch({ executablePath: await findChromium(), args: ["--no-sandbox"] });
    try {
      for (const picture of PICTURES) await take(browser, readJson(runFile), picture);
    } finally {
      await browser.close();
    }
  });
} finally {
  fs.rmSync(work, { recursive: true, force: true });
}
