// Our programs as files that node runs as they are.
import path from "node:path";
import { build } from "esbuild";

const root = path.resolve(import.meta.dirname, "..");
const COMMON = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  logLevel: "warning",
};

/** CommonJS packages inside an ES module still ask for these. */
const REQUIRE = `
import { createRequire as makeRequire } from "node:module";
import { dirname as folderOf } from "node:path";
import { fileURLToPath as fileOf } from "node:url";
const require = makeRequire(import.meta.url);
const __filename = fileOf(import.meta.url);
const __dirname = folderOf(__filename);`;

/** Each program lies in `outdir` as its source does in the checkout. */
const laidOut = (entries, outdir) => ({
  entryPoints: entries.map((file) => ({ in: file, out: file.replace(/\.ts$/, "") })),
  outdir,
  outExtension: { ".js": ".mjs" },
});

/**
 * Our own code in, packages left outside; tsconfig's paths are honoured.
 * @param {string[]} entries
 * @param {string} outdir
 */
export async function bundlePrograms(entries, outdir) {
  await build({
    ...COMMON,
    ...laidOut(entries, outdir),
    packages: "external",
    sourcemap: true,
  });
}

/** What is no code of JavaScript, and is found beside the packages. */
const NATIVE = ["pg-native", "@node-rs/argon2", "msgpackr-extract"];

/**
 * As `bundlePrograms` lays them out, with their packages: to find and to read hundreds of files costs a program more than half of its
 * start. Names stay as they are, so that errors and logs say the same.
 * @param {string[]} entries
 * @param {string} outdir
 */
export async function bundleWithPackages(entries, outdir) {
  await build({
    ...COMMON,
    ...laidOut(entries, outdir),
    external: NATIVE,
    banner: { js: REQUIRE },
    splitting: true,
    minifyWhitespace: true,
    minifySyntax: true,
  });
}

/**
 * A program that is killed again and again, as one file, packages and all: it starts in a sixth of a second. A source map makes every
 * stack trace slow: only a replay of the chaos run has one.
 * @param {string} entry
 * @param {string} outfile
 */
export async function bundleWhole(entry, outfile, withSourceMap = false) {
  await build({
    ...COMMON,
    entryPoints: [entry],
    outfile,
    external: ["pg-native"],
    banner: { js: REQUIRE },
    sourcemap: withSourceMap,
    minify: !withSourceMap,
  });
}
