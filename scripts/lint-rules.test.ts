import { ESLint } from "eslint";
import { describe, expect, test } from "vitest";

// Types are not needed for these rules, and the strings stand in no project.
const eslint = new ESLint({
  overrideConfig: {
    files: ["**/*.ts"],
    languageOptions: { parserOptions: { projectService: false } },
    rules: {
      "@typescript-eslint/no-floating-promises": "off",
      "@typescript-eslint/no-misused-promises": "off",
      "@typescript-eslint/switch-exhaustiveness-check": "off",
    },
  },
});

async function rulesFired(code: string, filePath: string) {
  const [result] = await eslint.lintText(code, { filePath });
  return (result?.messages ?? []).map((message) => message.ruleId);
}

describe("inside lib/domain", () => {
  test.each([
    ["the clock by Date.now", "export const at = () => Date.now();", "no-restricted-syntax"],
    ["the clock by new Date()", "export const at = () => new Date();", "no-restricted-syntax"],
    ["chance", "export const draw = () => Math.random();", "no-restricted-syntax"],
    ["async", "export const load = async () => 1;", "no-restricted-syntax"],
    ["await", "await Promise.resolve(); export {};", "no-restricted-syntax"],
    ["dynamic import", 'export const load = () => import("./money.ts");', "no-restricted-syntax"],
    ["fetch", 'export const load = () => fetch("https://x.example");', "no-restricted-globals"],
    ["the process", "export const arch = () => process.arch;", "no-restricted-globals"],
    ["the console", "export const tell = () => console.log(1);", "no-restricted-globals"],
  ])("%s is refused", async (_what, code, rule) => {
    expect(await rulesFired(code, "lib/domain/example.ts")).toContain(rule);
    expect(await rulesFired(code, "lib/server/services/example.ts")).not.toContain(rule);
  });

  test("a date that is given is welcome", async () => {
    expect(await rulesFired("export const day = (ms: number) => new Date(ms);", "lib/domain/example.ts")).toEqual([]);
  });
});

test.each([
  ["app/example.ts", true],
  ["lib/server/services/example.ts", true],
  ["workers/main.ts", true],
  ["lib/server/env.ts", false],
  ["workers/exchange.ts", false],
  ["lib/server/example.test.ts", false],
])("%s reading process.env is refused: %s", async (file, isRefused) => {
  const fired = await rulesFired("export const url = process.env.DATABASE_URL;", file);
  expect(fired.includes("no-restricted-properties")).toBe(isRefused);
});

test("any is refused", async () => {
  expect(await rulesFired("export const id = (value: any) => value;", "lib/server/example.ts")).toContain(
    "@typescript-eslint/no-explicit-any",
  );
});

describe("the folder beside the checkout", () => {
  const folder = ["..", "shared"].join("/");
  const code = {
    "as text": `export const tape = "${folder}/market/tape";`,
    "as the folder itself": `export const folder = "${folder}";`,
    "as a template": `export const tape = (name: string) => \`${folder}/market/\${name}\`;`,
    "as parts": `import path from "node:path"; export const folder = path.resolve("..", "shared");`,
    "as a part with more": `import path from "node:path"; export const tape = path.join("..", "shared/market");`,
  };

  test.each(Object.entries(code))("named %s is refused everywhere but in its own stage", async (_how, text) => {
    for (const file of [
      "lib/server/example.test.ts",
      "lib/domain/example.ts",
      "bench/example.ts",
      "scripts/example.ts",
    ])
      expect([file, await rulesFired(text, file)]).toEqual([file, ["no-restricted-syntax"]]);
    expect(await rulesFired(text, "lib/proof/recorded/example.recorded.test.ts")).toEqual([]);
  });

  test("another thing of that name is welcome", async () => {
    expect(await rulesFired('export const bucket = "shared";', "lib/server/http/example.ts")).toEqual([]);
  });
});
