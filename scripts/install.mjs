// Brings node_modules and the generated Prisma client up to date.
import fs from "node:fs";
import { say } from "./proc.mjs";
import { readJson } from "./state.mjs";
import { hashOf, hashOfFiles, isFresh, setFresh, step } from "./step.mjs";

const INSTALL_STAMP = "node_modules/.install-stamp";
const CLIENT_STAMP = "node_modules/.prisma-client-stamp";

export async function ensureInstalled() {
  const wanted = hashOf(fs.readFileSync("package-lock.json"), process.platform, process.arch);
  if (!isFresh(INSTALL_STAMP, wanted)) {
    if (!agreesWithLock()) {
      say("installing dependencies: the long part of a first start, a minute or two");
      await npm(["ci", "--include=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]);
    }
    setFresh(INSTALL_STAMP, wanted); // only now: an interrupted install is begun again
  }
  const client = hashOfFiles(["prisma/schema.prisma", "prisma.config.ts", "package-lock.json"]);
  if (isFresh(CLIENT_STAMP, client) && fs.existsSync("lib/generated/prisma/client.ts")) return;
  await step("prisma", process.execPath, ["node_modules/prisma/build/index.js", "generate"], { quiet: true });
  setFresh(CLIENT_STAMP, client);
}

/** No package runs a script of its own; the client is generated below. NODE_ENV=production in the caller's environment would leave the development packages out. */
export function npm(args) {
  const script = process.env.npm_execpath;
  const [command, first] = script?.endsWith(".js") ? [process.execPath, [script]] : ["npm", []];
  return step("npm", command, [...first, ...args], { env: { NODE_ENV: "development" } });
}

/** Whether what was installed by hand is what the lock file asks for. */
function agreesWithLock() {
  const installed = readJson("node_modules/.package-lock.json")?.packages;
  const wanted = readJson("package-lock.json").packages;
  if (!installed) return false;
  return Object.entries(wanted).every(([where, { version, optional, devOptional }]) => {
    if (where === "") return true;
    const found = installed[where];
    return found ? found.version === version : Boolean(optional || devOptional); // of another platform
  });
}
