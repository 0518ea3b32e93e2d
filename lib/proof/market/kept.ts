import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import path from "node:path";

const ROOT = path.resolve(import.meta.dirname, "../../..");
const STORE = path.join(ROOT, ".data", "proof");

/** Files of tests that share a process get modules anew, and the sources stay as they are. */
const shared = globalThis as unknown as { testSourceHash?: string };

/** What markets are made by: another source makes other ones. */
function sourceHash(): string {
  const folders = [import.meta.dirname, path.join(ROOT, "lib/exchange/market")];
  const files = [
    ...folders.flatMap((folder) => readdirSync(folder).map((name) => path.join(folder, name))),
    ...["lib/domain/market-calendar.ts", "lib/tape/write-tape.ts"].map((name) => path.join(ROOT, name)),
  ];
  const hash = createHash("sha256");
  for (const file of files.filter((name) => !name.endsWith(".test.ts")).sort()) hash.update(readFileSync(file));
  return hash.digest("hex").slice(0, 16);
}

/** The path of a kept file or directory. It is made once, and again when what makes it has changed. */
export function keep(name: string, make: (draft: string) => void): string {
  const folder = path.join(STORE, (shared.testSourceHash ??= sourceHash()));
  const kept = path.join(folder, name);
  if (existsSync(kept)) return kept;
  mkdirSync(folder, { recursive: true });
  // Several tests may make it at the same time: the first one whole wins.
  const drafts = mkdtempSync(path.join(STORE, "draft-"));
  try {
    make(path.join(drafts, name));
    renameSync(path.join(drafts, name), kept);
  } catch (error) {
    if (!existsSync(kept)) throw error;
  } finally {
    rmSync(drafts, { recursive: true });
  }
  return kept;
}
