// The production build: Next's own, and one bundle for every other program. Repeated only when its inputs changed.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { say } from "./proc.mjs";
import { buildPaths } from "./settings.mjs";
import { alone, hashOf, hashOfFiles, isFresh, setFresh, step } from "./step.mjs";

const COMMON = ["lib", "emails", "prisma/schema.prisma", "package.json", "package-lock.json", "tsconfig.json"];
const WEB_INPUTS = [
  ...COMMON,
  "app",
  "public",
  "proxy.ts",
  "instrumentation.ts",
  "instrumentation-client.ts",
  "next.config.mjs",
  "scripts/headers.mjs",
  "postcss.config.mjs",
];
const PROGRAM_INPUTS = [...COMMON, "workers", "prisma", "scripts/build.mjs", "scripts/bundle.mjs"];
const isSource = (file) => !file.startsWith("lib/generated");

export const PROGRAMS = [
  "workers/main.ts",
  "workers/watchdog.ts",
  "workers/exchange.ts",
  "workers/threads/backtest.ts",
  "workers/threads/backtest-grid.ts",
  "workers/threads/settings-preview.ts",
  "workers/threads/strategy-history.ts",
  "workers/threads/what-if.ts",
  "prisma/seed.ts",
];

/** Everything that runs outside Next: each becomes one file that node runs as it is. */
function programs() {
  const tools = fs.existsSync("workers/cli") ? fs.readdirSync("workers/cli").map((name) => `workers/cli/${name}`) : [];
  return [...PROGRAMS, ...tools].filter(
    (file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && fs.existsSync(file),
  );
}

/** Becomes part of the browser's code, so that another one asks for another build. */
function apiBase() {
  const base = process.env.NEXT_PUBLIC_API_BASE || "/api/v1";
  if (!/^(https?:\/\/[^/\s]+)?(\/[^/\s]+)*\/api\/v1$/.test(base))
    throw new Error("NEXT_PUBLIC_API_BASE: give a path or an address that ends in /api/v1");
  return base;
}

/** What the build of pages and API is made of. */
export const webHash = () => hashOf(hashOfFiles(WEB_INPUTS, isSource), apiBase());

const programStamp = () => path.join(buildPaths().programs, ".stamp");
export const areProgramsFresh = () => isFresh(programStamp(), hashOfFiles(PROGRAM_INPUTS, isSource));

export async function ensureBuilt() {
  const paths = buildPaths();
  if (!areProgramsFresh()) {
    const hash = hashOfFiles(PROGRAM_INPUTS, isSource);
    await buildPrograms(paths.programs);
    setFresh(programStamp(), hash);
  }
  const web = webHash();
  const webStamp = path.join(paths.next, ".stamp");
  if (isFresh(webStamp, web) && fs.existsSync(path.join(paths.next, "BUILD_ID"))) return;
  fs.rmSync(webStamp, { force: true });
  await step("build", process.execPath, ["node_modules/next/dist/bin/next", "build"], {
    env: { NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1", NEXT_DIST_DIR: paths.next },
  });
  setFresh(webStamp, web);
}

async function buildPrograms(outdir) {
  for (const folder of ["workers", "prisma"]) fs.rmSync(path.join(outdir, folder), { recursive: true, force: true });
  const { bundlePrograms } = await import("./bundle.mjs"); // esbuild is only there after the installation
  await bundlePrograms(programs(), outdir);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await alone(ensureBuilt).catch((error) => {
    say(error.message);
    process.exitCode = 1;
  });
}
