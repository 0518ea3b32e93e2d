import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { envSchema } from "@/lib/server/env.ts";
import { CONFIGURATION_FILE, configurationText, sectionsOf } from "./write-configuration.ts";

const document = readFileSync(CONFIGURATION_FILE, "utf8");
const rows = [...document.matchAll(/^\| `([A-Z0-9_]+)` +\| (.*?) +\| (.*?) +\|$/gm)].map(
  ([, name = "", standard = "", meaning = ""]) => ({ name, standard, meaning }),
);

it("the table of settings is that of .env.example and the schema: `npm run configuration` writes it anew", async () => {
  expect(document).toBe(await configurationText());
});

it("it names every setting of the schema once, and says of each what it means and what holds without it", () => {
  const names = rows.map(({ name }) => name);
  expect(Object.keys(envSchema.shape).filter((name) => !names.includes(name))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
  expect(rows.filter(({ standard, meaning }) => standard === "" || meaning === "")).toEqual([]);
});

it.each([
  ["what the launcher brings", "DATABASE_URL", "brings its own"],
  ["what the example sets", "DATABASE_POOL_SIZE", "`10`"],
  ["a default that the example leaves off", "FINNHUB_URL", "`https://finnhub.io`"],
  ["an example that is no default", "WEB_METRICS_PORT", "none"],
  ["what the edge of the web server reads", "WEB_READS_AT_ONCE", "`16`"],
  ["what containers do not start without", "REDIS_PASSWORD", "needed"],
])("the default of %s is shown", (_what, name, standard) => {
  expect(rows.find((row) => row.name === name)?.standard).toBe(standard);
});

it("a comment speaks of the settings below it, up to the next comment or empty line", () => {
  const example = "# ---- One: two ----\n\n# First,\n# in two lines.\nA_B=1\n# C_D=\n\nE_F=\n# Last.\n# G_H=\n";
  const [section] = sectionsOf(example);
  expect(section?.title).toBe("One: two");
  expect(section?.settings.map(({ name, meaning }) => [name, meaning])).toEqual([
    ["A_B", "First, in two lines."],
    ["C_D", "First, in two lines."],
    ["E_F", ""],
    ["G_H", "Last."],
  ]);
});
