import { execFile } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const root = path.resolve(import.meta.dirname, "..");
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "tradewind-lint-"));

type Finding = { code: string; filename: string };
type Example = { file: string; code: string };

/** Of all examples, by the file that holds one. */
const fired = new Map<string, string[]>();
const examples: Example[] = [];

/** A file of its own in the folder that is meant, so that one run of the linter judges all examples. */
function example(where: string, code: string): string {
  const place = path.parse(where);
  const name = place.base.slice(place.base.indexOf("."));
  // A file that the rules name keeps its name.
  const file = place.base.startsWith("example.") ? path.join(place.dir, `example-${examples.length}${name}`) : where;
  examples.push({ file, code });
  return file;
}

const rulesFired = (file: string) => fired.get(file) ?? [];

beforeAll(async () => {
  fs.mkdirSync(path.join(folder, "scripts"));
  fs.copyFileSync(path.join(root, "scripts/lint-plugin.mjs"), path.join(folder, "scripts/lint-plugin.mjs"));
  // Types are not needed for these rules, and the examples stand in no project.
  const config = fs.readFileSync(path.join(root, ".oxlintrc.json"), "utf8");
  fs.writeFileSync(path.join(folder, ".oxlintrc.json"), config.replace('"typeAware": true', '"typeAware": false'));
  for (const { file, code } of examples) {
    fs.mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
    fs.writeFileSync(path.join(folder, file), code);
  }
  const command = [path.join(root, "node_modules/oxlint/bin/oxlint"), "-f", "json", "."];
  const answer = await promisify(execFile)(process.execPath, command, { cwd: folder, maxBuffer: 2 ** 24 }).catch(
    (error: { stdout: string }) => error,
  );
  const { diagnostics } = JSON.parse(answer.stdout) as { diagnostics: Finding[] };
  for (const { filename, code } of diagnostics) fired.set(filename, [...(fired.get(filename) ?? []), code]);
}, 60_000);
afterAll(() => fs.rmSync(folder, { recursive: true }));

describe("inside lib/server", () => {
  const RULE = "tradewind(server-imports)";
  const of = (from: string) => `import { a } from "${from}";\nexport const b = a;`;

  test.each(
    [
      ["its own files from the root", of("@/lib/server/db.ts")],
      ["another room by dots", of("../../../domain/money.ts")],
      ["its own files from the root, at run time", 'export const load = () => import("@/lib/server/db.ts");'],
      ["another room by dots, passed on", 'export { a } from "../../../domain/money.ts";'],
    ].map(([what, code = ""]) => ({ what, file: example("lib/server/services/orders/example.ts", code) })),
  )("$what: refused", ({ file }) => {
    expect(rulesFired(file)).toContain(RULE);
  });

  const files = [
    example("lib/server/services/orders/example.ts", of("../../db.ts")),
    example("lib/server/services/orders/example.ts", of("./record-order.ts")),
    example("lib/server/services/orders/example.ts", of("@/lib/domain/money.ts")),
    example("lib/server/example.ts", of("./services/orders/record-order.ts")),
    example("workers/example.ts", of("@/lib/server/db.ts")),
  ];
  test("its own files by dots and other rooms from the root are welcome, and so is the root elsewhere", () => {
    for (const file of files) expect(rulesFired(file)).not.toContain(RULE);
  });
});

describe("inside lib/domain", () => {
  test.each(
    (
      [
        ["the clock by Date.now", "export const at = () => Date.now();", "tradewind(pure-domain)"],
        ["the clock by new Date()", "export const at = () => new Date();", "tradewind(pure-domain)"],
        ["chance", "export const draw = () => Math.random();", "tradewind(pure-domain)"],
        ["async", "export const load = async () => 1;", "tradewind(pure-domain)"],
        ["await", "await Promise.resolve(); export {};", "tradewind(pure-domain)"],
        ["dynamic import", 'export const load = () => import("./money.ts");', "tradewind(pure-domain)"],
        ["fetch", 'export const load = () => fetch("https://x.example");', "eslint(no-restricted-globals)"],
        ["the process", "export const arch = () => process.arch;", "eslint(no-restricted-globals)"],
        ["the console", "export const tell = () => console.log(1);", "eslint(no-restricted-globals)"],
      ] as const
    ).map(([what, code, rule]) => ({
      what,
      rule,
      domain: example("lib/domain/example.ts", code),
      server: example("lib/server/services/example.ts", code),
      test: example("lib/domain/example.test.ts", code),
    })),
  )("$what is refused", ({ rule, domain, server, test }) => {
    expect(rulesFired(domain)).toContain(rule);
    expect(rulesFired(server)).not.toContain(rule);
    expect(rulesFired(test)).not.toContain(rule);
  });

  const given = example("lib/domain/example.ts", "export const day = (ms: number) => new Date(ms);");
  test("a date that is given is welcome", () => {
    expect(rulesFired(given)).toEqual([]);
  });
});

test.each(
  [
    { where: "app/example.ts", isRefused: true },
    { where: "lib/server/services/example.ts", isRefused: true },
    { where: "workers/main.ts", isRefused: true },
    { where: "lib/server/env.ts", isRefused: false },
    { where: "workers/exchange.ts", isRefused: false },
    { where: "lib/server/example.test.ts", isRefused: false },
  ].map(({ where, isRefused }) => ({
    where,
    isRefused,
    file: example(where, "export const url = process.env.DATABASE_URL;"),
  })),
)("$where reading process.env is refused: $isRefused", ({ file, isRefused }) => {
  expect(rulesFired(file).includes("eslint(no-restricted-properties)")).toBe(isRefused);
});

const anything = example("lib/server/example.ts", "export const id = (value: any) => value;");
test("any is refused", () => {
  expect(rulesFired(anything)).toContain("typescript(no-explicit-any)");
});

describe("the folder beside the checkout", () => {
  const beside = ["..", "shared"].join("/");
  const ways = {
    "as text": `export const tape = "${beside}/market/tape";`,
    "as the folder itself": `export const folder = "${beside}";`,
    "as a template": `export const tape = (name: string) => \`${beside}/market/\${name}\`;`,
    "as parts": `import path from "node:path"; export const folder = path.resolve("..", "shared");`,
    "as a part with more": `import path from "node:path"; export const tape = path.join("..", "shared/market");`,
  };
  const places = ["lib/server/example.test.ts", "lib/domain/example.ts", "bench/example.ts", "scripts/example.ts"];

  test.each(
    Object.entries(ways).map(([how, code]) => ({
      how,
      refused: places.map((where) => example(where, code)),
      own: example("lib/proof/recorded/example.recorded.test.ts", code),
    })),
  )("named $how is refused everywhere but in its own stage", ({ refused, own }) => {
    for (const file of refused) expect([file, rulesFired(file)]).toEqual([file, ["tradewind(nothing-beside)"]]);
    expect(rulesFired(own)).toEqual([]);
  });

  const others = [
    example("lib/server/http/example.ts", 'export const bucket = "shared";'),
    example("lib/proof/example.ts", `export const part = "${["next", "dist", "shared", "lib"].join("/")}";`),
  ];
  test("another thing of that name is welcome", () => {
    for (const file of others) expect([file, rulesFired(file)]).toEqual([file, []]);
  });
});
