// What was made from what: a step is repeated only when something it reads has changed.
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";

export function hashOf(...texts) {
  const hash = createHash("sha256");
  for (const text of texts) hash.update(text).update("\0");
  return hash.digest("hex");
}

/** The content of files and folders, tests left out; what does not exist counts as absent. */
export function hashOfFiles(inputs, isIn = () => true) {
  const files = inputs
    .filter((input) => fs.existsSync(input))
    .flatMap((input) => (fs.statSync(input).isDirectory() ? filesOf(input) : [input]))
    .filter((file) => !/\.test\.tsx?$/.test(file) && isIn(file))
    .sort();
  return hashOf(process.version, ...files.flatMap((file) => [file, fs.readFileSync(file)]));
}

function filesOf(folder) {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name));
}

export function isFresh(stamp, hash) {
  return fs.existsSync(stamp) && fs.readFileSync(stamp, "utf8") === hash;
}

export function setFresh(stamp, hash) {
  fs.mkdirSync(path.dirname(stamp), { recursive: true });
  fs.writeFileSync(stamp, hash);
}
