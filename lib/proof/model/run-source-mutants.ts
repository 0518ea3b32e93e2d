import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { SourceMutant } from "./source-mutants.ts";

/** What a test needs of the checkout; packages are shared. */
const COPIED = ["app", "emails", "lib", "prisma", "scripts", "workers"];
const FILES = ["package.json", "tsconfig.json", "vitest.config.ts", "next.config.mjs", "prisma.config.ts"];

function copyCheckout(root: string): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "tradewind-mutants-"));
  fs.chmodSync(folder, 0o755); // Postgres may run as another user
  for (const name of [...COPIED, ...FILES])
    if (fs.existsSync(path.join(root, name)))
      fs.cpSync(path.join(root, name), path.join(folder, name), { recursive: true });
  fs.symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  return folder;
}

const literally = (quoted: string) => quoted.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Runs one test in the copy; null when it was not even found. */
function runTest(folder: string, { project, testFile, test }: SourceMutant): Promise<"passed" | "failed" | null> {
  const report = path.join(folder, "report.json");
  fs.rmSync(report, { force: true });
  const args = ["node_modules/vitest/vitest.mjs", "run", "--project", project, testFile, "-t", literally(test)];
  return new Promise((resolve, reject) => {
    const run = spawn(process.execPath, [...args, "--reporter=json", `--outputFile=${report}`], {
      cwd: folder,
      stdio: "ignore",
    });
    run.on("error", reject);
    run.on("close", () => {
      if (!fs.existsSync(report)) return resolve(null);
      const { numPassedTests, numFailedTests } = JSON.parse(fs.readFileSync(report, "utf8")) as {
        numPassedTests: number;
        numFailedTests: number;
      };
      resolve(numFailedTests > 0 ? "failed" : numPassedTests > 0 ? "passed" : null);
    });
  });
}

/**
 * Tries each mutant in a copy of the checkout: its test must pass without it and fail with it. Answers the names of those
 * that were found; throws where a mutant no longer fits the source.
 */
export async function runSourceMutants(
  mutants: readonly SourceMutant[],
  root: string,
  say: (line: string) => void,
): Promise<string[]> {
  const folder = copyCheckout(root);
  const found: string[] = [];
  /** What each test says of the source as it is: many mutants share one. */
  const soundly = new Map<string, "passed" | "failed" | null>();
  try {
    for (const mutant of mutants) {
      const file = path.join(folder, mutant.file);
      const source = fs.readFileSync(file, "utf8");
      if (source.split(mutant.find).length !== 2)
        throw new Error(`${mutant.name}: ${mutant.file} does not hold its text once`);
      const key = `${mutant.testFile} ${mutant.test}`;
      const sound = soundly.get(key) ?? (await runTest(folder, mutant));
      soundly.set(key, sound);
      fs.writeFileSync(
        file,
        source.replace(mutant.find, () => mutant.replace),
      );
      const broken = await runTest(folder, mutant);
      fs.writeFileSync(file, source);
      const isFound = sound === "passed" && broken === "failed";
      if (isFound) found.push(mutant.name);
      const verdict = isFound
        ? "found"
        : `NOT FOUND (${sound ?? "no such test"} without it, ${broken ?? "none"} with it)`;
      say(`${mutant.name.padEnd(36)} ${verdict}`);
    }
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
  return found;
}
