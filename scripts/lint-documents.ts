// A stage of `npm test`: the documents and lists that speak of tests and files say what is there. The rules are in document-rules.ts.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { SOURCE_MUTANTS } from "../lib/proof/model/source-mutants.ts";
import { codesOfTests, faultProblems, mutantProblems, securityProblems } from "./document-rules.ts";

const FOLDERS = ["app", "bench", "e2e", "emails", "lib", "packages", "prisma", "scripts", "workers"];
const OWN_TEST = "scripts/document-rules.test.ts";

const read = (file: string) => (existsSync(file) ? readFileSync(file, "utf8") : "");
const testFiles = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(test|spec)\.tsx?$/.test(file) && !file.includes("node_modules"))
    .map((file) => path.posix.join(folder, ...file.split(path.sep))),
).filter((file) => file !== OWN_TEST);
const codesByFile = new Map(testFiles.map((file) => [file, codesOfTests(file, read(file))]));

const problems = Object.entries({
  "docs/faults.md": faultProblems(read("docs/faults.md"), codesByFile),
  "docs/security.md": securityProblems(read("docs/security.md"), existsSync),
  "lib/proof/model/source-mutants.ts": mutantProblems(SOURCE_MUTANTS, read),
}).flatMap(([document, found]) => found.map((problem) => `${document}: ${problem}`));

for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
