import { execFile } from "node:child_process";
import os from "node:os";
import { beforeEach, expect, it } from "vitest";
import { db } from "@/lib/server/db.ts";
import { env } from "@/lib/server/env.ts";

const exitOf = (databaseUrl: string, ...args: string[]): Promise<number> =>
  new Promise((resolve) => {
    const child = execFile(process.execPath, ["scripts/check-beat.mjs", ...args], {
      env: { ...process.env, DATABASE_URL: databaseUrl },
    });
    child.on("close", (code) => resolve(code ?? -1));
  });
const beat = (owner: string, secondsAgo: number) => {
  const at = new Date(Date.now() - secondsAgo * 1_000);
  return db().processBeat.create({
    data: { owner, kind: "worker", build: "test", orderProtocol: 1, startedAt: at, beatAt: at, lagMs: 0 },
  });
};

beforeEach(async () => void (await db().processBeat.deleteMany()));

it.each([
  ["no process beats", [], 1],
  ["the process of this container beat ten seconds ago", [[`${os.hostname()}:1`, 10]], 0],
  ["it beat a minute ago", [[`${os.hostname()}:1`, 60]], 1],
  ["only the process of another container beats", [["elsewhere:1", 1]], 1],
  ["one beats and an earlier one does not", [[`${os.hostname()}:1`, 600], [`${os.hostname()}:2`, 1]], 0],
] as const)("the health check of a container, where %s", async (_, beats, exit) => {
  for (const [owner, secondsAgo] of beats) await beat(owner, secondsAgo);
  expect(await exitOf(env().DATABASE_URL)).toBe(exit);
}); // oxfmt-ignore

it("the health check of a container whose database is unavailable fails and ends", async () => {
  expect(await exitOf("postgres://u:p@127.0.0.1:9/none")).toBe(1);
});

it("a check that ends the container spares it while the database is unavailable, and not when it does not beat", async () => {
  expect(await exitOf("postgres://u:p@127.0.0.1:9/none", "--unknown-is-alive")).toBe(0);
  expect(await exitOf(env().DATABASE_URL, "--unknown-is-alive")).toBe(1);
});
