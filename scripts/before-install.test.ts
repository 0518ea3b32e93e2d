import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

const specifiers = (file: string) =>
  [...readFileSync(file, "utf8").matchAll(/^(?:import|export)\b(?:[^"';=]*\bfrom)?\s*["']([^"']+)["']/gm)].map(
    ([, name = ""]) => name,
  );

/** Everything that a program loads before its first line runs: its static imports, and theirs. */
function loadedBy(file: string, seen = new Map<string, string[]>()): Map<string, string[]> {
  if (seen.has(file)) return seen;
  const names = specifiers(file);
  seen.set(file, names);
  for (const name of names.filter((one) => one.startsWith(".")))
    loadedBy(path.normalize(path.join(path.dirname(file), name)), seen);
  return seen;
}

it.each(["scripts/test.mjs", "scripts/prove.mjs", "scripts/start.mjs", "scripts/run.mjs"])(
  "%s loads no package before it has installed them: a fresh clone has none",
  (program) => {
    const loaded = loadedBy(program);
    expect(loaded.size).toBeGreaterThan(3);
    const packages = [...loaded].flatMap(([file, names]) =>
      names.filter((name) => !name.startsWith(".") && !name.startsWith("node:")).map((name) => `${file}: ${name}`),
    );
    expect(packages).toEqual([]);
  },
);
