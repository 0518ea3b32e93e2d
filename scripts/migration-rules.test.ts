import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";

const root = path.resolve(import.meta.dirname, "..");
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "tradewind-migrations-"));
afterAll(() => fs.rmSync(folder, { recursive: true }));

/** The rules that a migration breaks. */
function rulesBroken(sql: string): string[] {
  const file = path.join(folder, "migration.sql");
  fs.writeFileSync(file, sql);
  const command = ["node_modules/squawk-cli/js/bin/squawk", "--config", ".squawk.toml", "--reporter", "json", file];
  const { stdout, stderr } = spawnSync(process.execPath, command, { cwd: root, encoding: "utf8" });
  if (stdout === "") throw new Error(stderr);
  return (JSON.parse(stdout) as { rule_name: string }[]).map((found) => found.rule_name);
}

test.each([
  ["ban-drop-column", `ALTER TABLE "Cycle" DROP COLUMN "line";`],
  ["ban-drop-table", `DROP TABLE "Cycle";`],
  ["renaming-column", `ALTER TABLE "Cycle" RENAME COLUMN "line" TO "text";`],
  ["renaming-table", `ALTER TABLE "Cycle" RENAME TO "Look";`],
  ["changing-column-type", `ALTER TABLE "Cycle" ALTER COLUMN "orders" TYPE BIGINT;`],
  ["adding-required-field", `ALTER TABLE "Cycle" ADD COLUMN "line" TEXT NOT NULL;`],
  ["adding-not-nullable-field", `ALTER TABLE "Cycle" ALTER COLUMN "line" SET NOT NULL;`],
])("a migration that would break a version that still runs is refused: %s", (rule, sql) => {
  expect(rulesBroken(sql)).toEqual([rule]);
});

test("a migration that adds passes, and so does one that says why it removes", () => {
  const adds = `ALTER TABLE "Cycle" ADD COLUMN "line" TEXT, ADD COLUMN "orders" INTEGER NOT NULL DEFAULT 0;
    CREATE TABLE "Look" ("id" UUID PRIMARY KEY); CREATE INDEX "by_line" ON "Cycle" ("line");`;
  expect(rulesBroken(adds)).toEqual([]);
  const contracts = `-- squawk-ignore ban-drop-column -- no version from 1.4 on reads it\nALTER TABLE "Cycle" DROP COLUMN "line";`;
  expect(rulesBroken(contracts)).toEqual([]);
});
