import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { env, envSchema, forgetEnv, redisUrls } from "./env.ts";

/** Read by the build, the launcher (scripts/), the practice exchange and the containers; the product reads some of them too. */
const LAUNCHER = [
  "NEXT_PUBLIC_API_BASE",
  "WEB_READS_AT_ONCE",
  "PORT",
  "DATA_DIR",
  "DEMO",
  "EXCHANGE_TAPE",
  "EXCHANGE_START",
  "EXCHANGE_SEED",
  "EXCHANGE_SPEED",
  "EXCHANGE_SKIP_CLOSED",
  "EXCHANGE_LEAD_SESSIONS",
  "EXCHANGE_DATABASE_URL",
  "MIGRATION_DATABASE_URL",
  "COMPOSE_PROFILES",
  "COMPOSE_PROJECT_NAME",
  "POSTGRES_PASSWORD",
  "TRADEWIND_VERSION",
  "TRADEWIND_CANARY_VERSION",
  "MIGRATION_DATABASE_PASSWORD",
  "APP_DATABASE_PASSWORD",
  "EXCHANGE_DATABASE_PASSWORD",
  "REDIS_PASSWORD",
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
  const without = envSchema.parse(needed);
  expect(envSchema.parse({ ...needed, ...set })).toEqual(without);
});

test("a missing key is named, and so is a secret that is too short", () => {
  const { error } = envSchema.safeParse({ NEXTAUTH_SECRET: "short" });
  const problems = error?.issues.map((issue) => issue.path.join("."));
  expect(problems).toEqual(["DATABASE_URL", "NEXTAUTH_SECRET", "MASTER_KEYS", "AUDIT_KEY"]);
});

describe("master keys", () => {
  const key = (byte: number) => Buffer.from(`master key ${byte} of the tests, long.`).toString("base64");
  const folder = mkdtempSync(path.join(tmpdir(), "master-keys-"));
  const file = path.join(folder, "keys");
  const before = { ...process.env };

  afterEach(() => {
    process.env = { ...before };
    forgetEnv();
    rmSync(file, { force: true });
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  /** What the product reads where the file holds this text; null when there is no file. */
  function read(text: string | null, more: Record<string, string> = {}): string {
    if (text !== null) writeFileSync(file, text);
    process.env = {
      ...before,
      NODE_ENV: "production",
      DATABASE_URL: "postgresql://a:b@127.0.0.1/x",
      NEXTAUTH_SECRET: "0123456789abcdef".repeat(4),
      AUDIT_KEY: "0123456789abcdef".repeat(2),
      MASTER_KEYS: "",
      MASTER_KEYS_FILE: file,
      ...more,
    };
    forgetEnv();
    return env().MASTER_KEYS;
  }

  test("come from a file, one to a line or in one line, with blanks around them", () => {
    const keys = `2:${key(2)},1:${key(1)}`;
    expect(read(keys)).toBe(keys);
    expect(read(`2:${key(2)}\r\n1:${key(1)}\n\n`)).toBe(keys);
  });

  test.each<[string, string | null, Record<string, string>]>([
    ["a file that is not there", null, {}],
    ["an empty file", "", {}],
    ["a short key", "1:c2hvcnQ=", {}],
    ["a key of one byte repeated", `1:${Buffer.alloc(32, 7).toString("base64")}`, {}],
    ["the example's key", `2:${key(2)}\n1:${"A".repeat(43)}=`, {}],
    ["two keys of one version", `1:${key(1)}\n1:${key(2)}`, {}],
    ["a version of nothing", `0:${key(1)}`, {}],
    ["keys in the environment as well", `1:${key(1)}`, { MASTER_KEYS: `1:${key(2)}` }],
  ])("are refused: %s, and no key is shown", (_, text, more) => {
    let said = "";
    try {
      read(text, more);
    } catch (error) {
      said = String(error);
    }
    expect(said).toMatch(/MASTER_KEYS/);
    for (const secret of [key(1), key(2)]) expect(said).not.toContain(secret);
  });
});

test("each sign-in secret of a list is held to the length, and to not being a published example", () => {
  const sound = "0123456789abcdef".repeat(4);
  const isTaken = (text: string) => envSchema.shape.NEXTAUTH_SECRET.safeParse(text).success;
  expect(isTaken(`${sound},${sound}`)).toBe(true);
  expect(isTaken(`${sound},short`)).toBe(false);
  expect(isTaken(`${sound},`)).toBe(false);
});

test("Redis is one server, or nodes of one cluster that are signed in to alike", () => {
  const { REDIS_URL: schema } = envSchema.shape;
  const nodes = (text: string) => (schema.safeParse(text).success ? redisUrls(text) : "refused");
  expect(nodes("redis://:secret@a:6379/5")).toEqual(["redis://:secret@a:6379/5"]);
  // A password is no list.
  expect(nodes("redis://:one,two@a:6379")).toEqual(["redis://:one,two@a:6379"]);
  expect(nodes("rediss://u:s@a,rediss://u:s@b:7000/0")).toEqual(["rediss://u:s@a", "rediss://u:s@b:7000/0"]);
  for (const text of [
    "http://a",
    "redis://a:6379,b:6379",
    "redis://a,http://b",
    "redis://a,rediss://b",
    "redis://:one@a,redis://:two@b",
    "redis://a/1,redis://b/1",
    "redis://a,redis://b,",
  ])
    expect(nodes(text), text).toBe("refused");
});

test("decisions are kept for good, or for a whole number of days of at least 90", () => {
  const { DECISIONS_KEPT_DAYS: days } = envSchema.shape;
  expect(days.parse(undefined)).toBeUndefined();
  expect(days.parse("90")).toBe(90);
  for (const text of ["89", "90.5", "0", "always"]) expect(days.safeParse(text).success, text).toBe(false);
});
