import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { isAlive, start } from "./proc.mjs";
import { portFree, state, takeLock } from "./state.mjs";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), "tradewind proc ")); // a space: paths are never split
});
afterEach(() => rmSync(dir, { recursive: true }));

test("a child does not outlive its launcher, even one that is killed", async () => {
  const launcher = spawn(process.execPath, [
    "--input-type=module",
    "--eval",
    `import { start } from ${JSON.stringify(path.resolve("scripts/proc.mjs"))};
     start("idle", process.execPath, ["--eval", "console.log(process.pid); setInterval(() => {}, 1000)"], { onLine: (pid) => console.log("pid " + pid) });`,
  ]);
  const [line] = (await once(launcher.stdout, "data")) as [Buffer];
  const pid = Number(/\d+/.exec(line.toString())?.[0]);
  expect(isAlive(pid)).toBe(true);
  launcher.kill("SIGKILL");
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 5_000 });
});

test("a child that will not stop is killed after its grace", async () => {
  let isReady = false;
  const stubborn = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); console.log("ready")';
  const proc = start("stubborn", process.execPath, ["--eval", stubborn], {
    graceS: 1,
    quiet: true,
    onLine: () => (isReady = true),
  });
  await vi.waitFor(() => expect(isReady).toBe(true), { timeout: 5_000 });
  await proc.stop();
  expect(proc.exited).toMatchObject({ code: 137 });
});

test("a child's exit code and last lines are known", async () => {
  const proc = start("failing", process.execPath, ["--eval", 'console.error("no such thing"); process.exit(3)'], {
    quiet: true,
  });
  expect(await proc.done).toMatchObject({ code: 3 });
  expect(proc.tail).toEqual(["no such thing"]);
});

test("a program's message reaches its launcher, and its channel does not keep it from stopping", async () => {
  const messages: unknown[] = [];
  const reporting = 'process.send("ready"); setInterval(() => {}, 1000)';
  const proc = start("reporting", process.execPath, ["--eval", reporting], {
    quiet: true,
    onMessage: (message: unknown) => messages.push(message),
  });
  await vi.waitFor(() => expect(messages).toEqual(["ready"]), { timeout: 5_000 });
  await proc.stop();
  expect(proc.exited).not.toBeNull();
});

test("a lock has one holder, and one that was killed holds nothing", async () => {
  const file = path.join(dir, "launcher.lock");
  const first = takeLock(file);
  expect(takeLock(file)).toEqual({ holder: process.pid });
  first.release?.();
  const other = spawn(process.execPath, [
    "--input-type=module",
    "--eval",
    `import { takeLock } from ${JSON.stringify(path.resolve("scripts/state.mjs"))};
     takeLock(process.argv[1]); console.log("taken"); setInterval(() => {}, 1000);`,
    file,
  ]);
  await once(other.stdout, "data");
  expect(takeLock(file)).toEqual({ holder: other.pid });
  other.kill("SIGKILL");
  await once(other, "close");
  expect(takeLock(file).release).toBeDefined();
});

test("ports and secrets are kept from one start to the next, for the owner alone", async () => {
  const port = await state(dir).port("web");
  const secret = state(dir).secret("key", 64);
  expect(await portFree(port)).toBe(true);
  expect(await state(dir).port("web")).toBe(port);
  expect(state(dir).secret("key", 64)).toBe(secret);
  expect(secret).toMatch(/^[0-9a-f]{128}$/);
  const file = path.join(dir, "state.json");
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ web: port, key: secret });
  expect(statSync(file).mode & 0o777).toBe(0o600);
});
