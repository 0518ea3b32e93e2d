import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { fleet, isAlive, start } from "./proc.mjs";
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

test("a program starts although the list of programs cannot be written", async () => {
  const said = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  fleet.recordFile = path.join(dir, "no such folder", "children.json");
  try {
    const proc = start("working", process.execPath, ["--eval", "process.exit(0)"], { quiet: true });
    expect(await proc.done).toMatchObject({ code: 0 });
    expect(said.mock.calls.flat().join("")).toContain("children.json could not be written: ENOENT");
  } finally {
    said.mockRestore();
    fleet.recordFile = undefined;
  }
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

test("of many starts after one that was killed a single one gets the lock", async () => {
  const file = path.join(dir, "launcher.lock");
  const starts = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const start = spawn(
        process.execPath,
        [
          "--input-type=module",
          "--eval",
          `import { takeLock } from ${JSON.stringify(path.resolve("scripts/state.mjs"))};
         process.on("message", (at) => {
           while (performance.timeOrigin + performance.now() < at);
           const { release } = takeLock(process.argv[1]);
           process.send(release === undefined ? "lost" : "won");
         });
         process.send("ready");`,
          file,
        ],
        { stdio: ["ignore", "inherit", "inherit", "ipc"] },
      );
      await once(start, "message");
      return start;
    }),
  );
  try {
    for (let round = 0; round < 12; round += 1) {
      writeFileSync(file, JSON.stringify({ pid: 999_999_999, startedAt: "1" }));
      const at = Date.now() + 10;
      const answers = await Promise.all(
        starts.map(async (start) => {
          const answer = once(start, "message");
          start.send(at);
          return ((await answer) as [string])[0];
        }),
      );
      expect(answers.filter((answer) => answer === "won")).toHaveLength(1);
    }
    expect(readdirSync(dir)).toEqual(["launcher.lock"]);
  } finally {
    for (const start of starts) start.kill("SIGKILL");
  }
});

test.each([
  ["a slip of a hand", '{ "masterKeys": "1:old", "pgPassword": "old", }\n'],
  ["no content", ""],
  ["no object", "null"],
])("kept keys are not replaced where their file holds %s: the start ends and says which file", (_, content) => {
  const file = path.join(dir, "state.json");
  writeFileSync(file, content);
  expect(() => state(dir).secret("masterKeys")).toThrow(`${file} cannot be read`);
  expect(readFileSync(file, "utf8")).toBe(content);
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
