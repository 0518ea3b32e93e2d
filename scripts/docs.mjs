// `npm run docs`: builds the documentation site into docs-site/dist. Its generator is large, so it is installed here and with nothing else.
import fs from "node:fs";
import { npm } from "./install.mjs";
import { say } from "./proc.mjs";
import "./settings.mjs";
import { alone, hashOf, isFresh, setFresh, step } from "./step.mjs";

const SITE = "docs-site";
const INSTALL_STAMP = `${SITE}/node_modules/.install-stamp`;

async function ensureGenerator() {
  const wanted = hashOf(fs.readFileSync(`${SITE}/package-lock.json`), process.platform, process.arch);
  if (isFresh(INSTALL_STAMP, wanted)) return;
  say("installing the site's generator: some 100 MB, for the documents alone");
  await npm([
    "ci",
    "--prefix",
    SITE,
    "--include=dev",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
  ]);
  setFresh(INSTALL_STAMP, wanted);
}

try {
  await alone(async () => {
    await ensureGenerator();
    // Fails on a dead link.
    await step("site", process.execPath, [`${SITE}/node_modules/vitepress/bin/vitepress.js`, "build", SITE]);
  });
  say(`the site is in ${SITE}/dist, for any server of static files`);
} catch (error) {
  say(error.message);
  process.exitCode = 1;
}
