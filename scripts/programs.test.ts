import { afterEach, expect, test, vi } from "vitest";
import { kill, start } from "./proc.mjs";
import { keepAlive } from "./programs.mjs";

type Proc = ReturnType<typeof start>;

const running: Proc[] = [];
afterEach(async () => {
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
