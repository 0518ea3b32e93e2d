// A browser for the tests: the one that is named, the system's, Playwright's, or one that is fetched, said aloud.
import { existsSync } from "node:fs";
import { onPath, say } from "./proc.mjs";
import { step } from "./step.mjs";

/** The shell first: Chromium without the window that no test sees, at two thirds of the cost of a page. */
const NAMES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const PLAYWRIGHT = "node_modules/@playwright/test/cli.js";

const ofSystem = () => NAMES.map((name) => onPath(name)).find(Boolean);

/** Path of a Chromium. Fails when none can be had: browser tests are never skipped. */
export async function findChromium() {
  return (await installedChromium()) ?? (await fetched());
}

/** The one that this machine has. */
export async function installedChromium() {
  const named = process.env.PLAYWRIGHT_CHROMIUM_PATH;
  if (named) {
    if (!existsSync(named)) throw new Error(`PLAYWRIGHT_CHROMIUM_PATH: there is no file ${named}.`);
    return named;
  }
  return ofSystem() ?? (await ofPlaywright());
}

async function ofPlaywright() {
  const { chromium } = await import("@playwright/test");
  const file = chromium.executablePath();
  return existsSync(file) ? file : undefined;
}

async function fetched() {
  say("no Chromium here: fetching Playwright's own");
  try {
    await step("chromium", process.execPath, [PLAYWRIGHT, "install", "chromium"]);
    const file = await ofPlaywright();
    if (file) return file;
  } catch (error) {
    say(error.message);
  }
  if (process.getuid?.() === 0 && onPath("apt-get")) {
    say("installing Chromium with apt");
    const env = { DEBIAN_FRONTEND: "noninteractive", LC_ALL: "C" };
    await step("apt", "apt-get", ["update", "-qq"], { env, quiet: true });
    for (const name of ["chromium-headless-shell", "chromium"]) {
      const install = ["install", "-y", "-qq", "--no-install-recommends", name];
      await step("apt", "apt-get", install, { env, quiet: true }).catch((error) => say(error.message));
      const file = ofSystem();
      if (file) return file;
    }
  }
  throw new Error(
    "The browser tests need a Chromium, and none could be had. Install one or give PLAYWRIGHT_CHROMIUM_PATH.",
  );
}
