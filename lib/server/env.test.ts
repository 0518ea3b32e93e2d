import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { envSchema } from "./env.ts";

/** Read by the launcher (scripts/), the practice exchange and the containers; the product reads some of them too. */
const LAUNCHER = [
  "PORT",
  "DATA_DIR",
  "DEMO",
  "EXCHANGE_TAPE",
  "EXCHANGE_START",
  "EXCHANGE_SEED",
  "EXCHANGE_SPEED",
  "EXCHANGE_SKIP_CLOSED",
  "EXCHANGE_DATABASE_URL",
  "POSTGRES_PASSWORD",
];

const entries = readFileSync(".env.example", "utf8")
  .split("\n")
  .flatMap((line) => {
    const found = line.match(/^(# )?([A-Z][A-Z0-9_]*)=(.*)$/);
    return found ? [{ isSet: !found[1], name: found[2] ?? "", value: (found[3] ?? "").replace(/^"(.*)"$/, "$1") }] : [];
  });

test(".env.example names every setting once, and no other", () => {
  const named = entries.map((entry) => entry.name).sort();
  expect(named).toEqual([...new Set([...Object.keys(envSchema.shape), ...LAUNCHER])].sort());
});

test("every example value is one that the product accepts", () => {
  const values = Object.fromEntries(
    entries.filter((entry) => entry.value !== "").map(({ name, value }) => [name, value]),
  );
  expect(envSchema.safeParse(values).error?.issues ?? []).toEqual([]);
});

test("what .env.example sets is what holds without it", () => {
  const needed = {
    DATABASE_URL: "postgresql://a:b@127.0.0.1/x",
    NEXTAUTH_SECRET: "s".repeat(64),
    MASTER_KEYS: `1:${"A".repeat(43)}=`,
    AUDIT_KEY: "a".repeat(32),
  };
  const set = Object.fromEntries(entries.filter((entry) => entry.isSet).map(({ name, value }) => [name, value]));
  const without = envSchema.parse({ ...needed, NODE_ENV: "production" });
  expect(envSchema.parse({ ...needed, ...set })).toEqual(without);
});

test("a missing key is named, and so is a secret that is too short", () => {
  const { error } = envSchema.safeParse({ NEXTAUTH_SECRET: "short" });
  const problems = error?.issues.map((issue) => issue.path.join("."));
  expect(problems).toEqual(["DATABASE_URL", "NEXTAUTH_SECRET", "MASTER_KEYS", "AUDIT_KEY"]);
});
