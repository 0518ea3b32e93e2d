// A stage of `npm test`: the documents and lists that speak of tests, files and commands say what is there. The rules are in
// document-rules.ts and document-links.ts.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { SOURCE_MUTANTS } from "../lib/proof/model/source-mutants.ts";
import { commandProblems, linkProblems, optionProblems } from "./document-links.ts";
import { documentFiles } from "./documents.ts";
import { codesOfTests, faultProblems, mutantProblems, securityProblems } from "./document-rules.ts";
import { proofsOf } from "./proofs.mjs";
import { stages } from "./test-stages.mjs";

const FOLDERS = ["app", "bench", "e2e", "emails", "lib", "packages", "prisma", "scripts", "workers"];
const OWN_TEST = "scripts/document-rules.test.ts";

const read = (file: string) => (existsSync(file) ? readFileSync(file, "utf8") : "");
/** A test with the tables of cases that it imports: names of tests stand there, too. */
const readTest = (file: string) =>
  [...read(file).matchAll(/from "@\/(lib\/proof\/[\w-]+-cases\.ts)"/g)]
    .map(([, table = ""]) => read(table))
    .reduce((all, table) => all + table, read(file));
const testFiles = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(test|spec)\.tsx?$/.test(file) && !file.includes("node_modules"))
    .map((file) => path.posix.join(folder, ...file.split(path.sep))),
).filter((file) => file !== OWN_TEST);
const codesByFile = new Map(testFiles.map((file) => [file, codesOfTests(file, read(file))]));

const documents = documentFiles();
const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
const commands = {
  scripts: Object.keys(scripts),
  stages: Object.keys(stages),
  proofs: Object.keys(proofsOf({ run: null, seed: 0, work: "" })),
};
const readDocument = (file: string) => (file.endsWith(".md") && existsSync(file) ? read(file) : null);

/** A program with everything of the checkout that it imports. */
function closure(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file) || !existsSync(file)) return seen;
  seen.add(file);
  for (const [, target = ""] of read(file).matchAll(/(?:from|import)\s*\(?\s*"((?:@\/|\.)[^"]+\.(?:ts|mjs))"/g))
    closure(target.startsWith("@/") ? target.slice(2) : path.posix.join(path.posix.dirname(file), target), seen);
  return seen;
}
const sources = new Map<string, string>();
function sourceOf(script: string): string | null {
  const file = /[\w./-]+\.(?:ts|mjs)$/.exec(scripts[script] ?? "")?.[0];
  if (file === undefined) return null;
  const known = sources.get(file) ?? [...closure(file)].map(read).join("\n");
  sources.set(file, known);
  return known;
}

const found: [string, string[]][] = [
  ["docs/faults.md", faultProblems(read("docs/faults.md"), codesByFile)],
  ["docs/security.md", securityProblems(read("docs/security.md"), existsSync)],
  ["lib/proof/model/source-mutants.ts", mutantProblems(SOURCE_MUTANTS, readTest)],
  ...documents.map((file): [string, string[]] => [file, linkProblems(file, read(file), readDocument, existsSync)]),
  ...documents.map((file): [string, string[]] => [file, commandProblems(read(file), commands, existsSync)]),
  ...documents.map((file): [string, string[]] => [file, optionProblems(read(file), sourceOf)]),
];
const problems = found.flatMap(([document, each]) => each.map((problem) => `${document}: ${problem}`));

for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
