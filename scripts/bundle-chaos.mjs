// Programs that are killed again and again, each as one file, packages and all: it starts in a sixth of a second.
import { build } from "esbuild";

const REQUIRE = `
import { createRequire as makeRequire } from "node:module";
import { dirname as folderOf } from "node:path";
import { fileURLToPath as fileOf } from "node:url";
const require = makeRequire(import.meta.url);
const __filename = fileOf(import.meta.url);
const __dirname = folderOf(__filename);`;

/**
 * The chaos run's worker. A source map makes every stack trace slow: only a replay has one.
 * @param {string} outfile
 */
export async function bundleChaosWorker(outfile, withSourceMap = false) {
  await bundle("lib/proof/chaos/worker.ts", outfile, withSourceMap);
}

/**
 * The process that the crash tests of the order services kill.
 * @param {string} outfile
 */
export async function bundleCrashChild(outfile) {
  await bundle("lib/proof/crash/orders-child.ts", outfile, false);
}

/**
 * The process that the crash tests of the rotation kill.
 * @param {string} outfile
 */
export async function bundleRotationChild(outfile) {
  await bundle("lib/proof/crash/rotation-child.ts", outfile, false);
}

/**
 * @param {string} entry
 * @param {string} outfile
 * @param {boolean} withSourceMap
 */
async function bundle(entry, outfile, withSourceMap) {
  await build({
    absWorkingDir: new URL("..", import.meta.url).pathname,
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    external: ["pg-native"],
    // CommonJS packages inside an ES module still ask for these.
    banner: { js: REQUIRE },
    sourcemap: withSourceMap,
    minify: !withSourceMap,
    logLevel: "warning",
  });
}
