import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";

const STORE = "node_modules/.cache/eslint";
const FOLDERS = ["app", "bench", "e2e", "emails", "lib", "prisma", "scripts", "workers"];
const IS_SOURCE = /\.(ts|tsx|mts|mjs|json)$/;
/** No other file imports these: what is found in another file does not depend on them. */
const IS_LEAF = /\.(test|spec)\.tsx?$/;

/**
 * Where ESLint keeps what it found in each file. Rules that ask for types depend on the files that a file imports, and
 * ESLint looks at the file alone: another state of the sources gets another place, so that no finding is out of date.
 */
export function lintCache() {
  const files = [
    ...readdirSync("."),
    ...FOLDERS.flatMap((folder) => readdirSync(folder, { recursive: true }).map((file) => path.join(folder, file))),
  ].filter((file) => IS_SOURCE.test(file) && !IS_LEAF.test(file));
  const hash = createHash("sha256");
  for (const file of files.sort()) hash.update(`${file}\0`).update(readFileSync(file)).update("\0");
  const name = hash.digest("hex").slice(0, 16);
  mkdirSync(STORE, { recursive: true });
  for (const old of readdirSync(STORE).filter((each) => each !== name)) rmSync(path.join(STORE, old), { force: true });
  return path.join(STORE, name);
}
