import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseEnv } from "node:util";
import { afterEach, expect, test, vi } from "vitest";
import { envSchema } from "@/lib/server/env.ts";
import { kill, start } from "./proc.mjs";
import { envBeside, keepAlive, otherSettings, productEnv } from "./programs.mjs";
import { takeLock } from "./state.mjs";

type Proc = ReturnType<typeof start>;

const running: Proc[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all(running.splice(0).map((proc) => proc.stop()));
});

/** A program that lives for a while, or forever. */
function run(script = "setInterval(() => {}, 1000)"): Proc {
  const proc = start("program", process.execPath, ["--eval", script], { quiet: true });
  running.push(proc);
  return proc;
}

test("a program that is killed is started again, each time", async () => {
  const given: string[] = [];
  keepAlive(
    run(),
    () => run(),
    (why: string) => given.push(why),
  );
  for (const times of [2, 3]) {
    kill(-(running.at(-1)?.group ?? 0), "SIGKILL");
    await vi.waitFor(() => expect(running).toHaveLength(times), { timeout: 10_000 });
  }
  expect(running.at(-1)?.exited).toBe(null);
  expect(given).toEqual([]);
});

test("one that cannot be started again stops everything, and says why", async () => {
  const giveUp = vi.fn();
  keepAlive(run(""), () => Promise.reject(new Error("The port was taken.")), giveUp);
  await vi.waitFor(() => expect(giveUp).toHaveBeenCalledWith("The port was taken."), { timeout: 10_000 });
});

test("one that is stopped on purpose is not started again", async () => {
  const again = vi.fn(() => run());
  const proc = run();
  keepAlive(proc, again, () => undefined);
  await proc.stop();
  // The first one to restart would do so after a quarter of a second: another that dies later is back by then.
  keepAlive(
    run(""),
    () => run(),
    () => undefined,
  );
  await vi.waitFor(() => expect(running).toHaveLength(3), { timeout: 10_000 });
  expect(again).not.toHaveBeenCalled();
});

const stackEnv = () =>
  productEnv({
    ...{ databaseUrl: "postgresql://stack/x", redisUrl: "redis://stack", smtpUrl: "smtp://stack" },
    ...{ exchangeUrl: "http://stack", url: "http://127.0.0.1:3000" },
    secrets: Object.fromEntries(
      ["NEXTAUTH_SECRET", "MASTER_KEYS", "AUDIT_KEY", "VAPID_PRIVATE_KEY", "EXCHANGE_CONTROL_TOKEN"].map((name) => [
        name,
        "made",
      ]),
    ),
  });

test("a start records every setting of the product for programs that are started beside it, but for those of one process", () => {
  const recorded = Object.keys({ ...otherSettings(), ...stackEnv() });
  const missing = Object.keys(envSchema.shape).filter((name) => !recorded.includes(name));
  // The web process alone reads DEMO.
  expect(missing.sort()).toEqual(["CANARY", "CRASH_AT", "DEMO"]);
});

test("what is recorded is what this start got: an absent setting is none, a file is found from any checkout, a port is taken once", () => {
  vi.stubEnv("QUEUE_PREFIX", "the-stack");
  vi.stubEnv("FINNHUB_TOKEN", undefined);
  vi.stubEnv("AUDIT_ANCHOR_FILE", "kept/heads.ndjson");
  vi.stubEnv("WORKER_METRICS_PORT", "9464");
  expect(otherSettings()).toMatchObject({
    QUEUE_PREFIX: "the-stack",
    FINNHUB_TOKEN: "",
    AUDIT_ANCHOR_FILE: path.resolve("kept/heads.ndjson"),
    WORKER_METRICS_PORT: "",
  });
});

test("a program beside the stack runs with the stack's settings, not with those in the file of its own checkout", () => {
  for (const [name, value] of Object.entries({
    QUEUE_PREFIX: "a-file",
    FINNHUB_TOKEN: "a-file",
    NEW_SETTING: "a-file",
  }))
    vi.stubEnv(name, value);
  const env = envBeside({ env: stackEnv(), settings: { QUEUE_PREFIX: "the-stack", FINNHUB_TOKEN: "" } });
  expect(env).toMatchObject({ QUEUE_PREFIX: "the-stack", FINNHUB_TOKEN: "", NEW_SETTING: "a-file", AUDIT_KEY: "made" });
});

test("a canary gets what its caller gives it alone, and the addresses and settings of the stack", () => {
  const dir = mkdtempSync(path.join(os.tmpdir(), "tradewind-run-"));
  const lock = takeLock(path.join(dir, "launcher.lock"));
  try {
    const settings = { QUEUE_PREFIX: "the-stack", LOG_LEVEL: "warn", WORKER_METRICS_PORT: "" };
    const internal = { env: { DATABASE_URL: "postgresql://stack/x", INSTANCE_ID: "old" }, settings };
    writeFileSync(path.join(dir, "run.json"), JSON.stringify({ internal }));
    const program = path.join(dir, "program.mjs");
    writeFileSync(program, "console.log(JSON.stringify(process.env))");
    const { QUEUE_PREFIX: _prefix, WORKER_METRICS_PORT: _port, ...own } = process.env;
    const given = { CANARY: "1", INSTANCE_ID: "new", LOG_LEVEL: "debug", DATABASE_URL: "postgresql://elsewhere/x" };
    const { stdout, stderr } = spawnSync(process.execPath, ["scripts/run.mjs", program], {
      encoding: "utf8",
      env: { ...own, NO_ENV_FILE: "1", DATA_DIR: dir, ...given },
    });
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ CANARY: "1", INSTANCE_ID: "new", LOG_LEVEL: "debug" },
      ...{ QUEUE_PREFIX: "the-stack", DATABASE_URL: "postgresql://stack/x", WORKER_METRICS_PORT: "" },
    });
  } finally {
    lock.release?.();
    rmSync(dir, { recursive: true });
  }
});

test("a start whose .env is a copy of the example file is reached at the port that it listens on", () => {
  for (const [name, value] of Object.entries(parseEnv(readFileSync(".env.example", "utf8")))) vi.stubEnv(name, value);
  const url = "http://127.0.0.1:3007";
  const services = { redisUrl: undefined, smtpUrl: undefined, exchangeUrl: undefined };
  const env = productEnv({ databaseUrl: "postgresql://a:b@127.0.0.1/x", ...services, url, secrets: {} });
  expect(env).toMatchObject({ APP_BASE_URL: url, NEXTAUTH_URL: url });
});
