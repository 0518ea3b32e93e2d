import * as z from "zod";
import { expect, it } from "vitest";
import { job } from "@/lib/contracts/job.ts";
import { createInProcessQueue } from "./in-process-queue.ts";

const work = job({
  name: "work",
  input: z.strictObject({ id: z.string() }),
  scope: ({ id }) => id,
  priority: 1,
  attempts: 1,
  concurrency: 2,
});

/** Runs that end when the test says so. */
function controlled() {
  const begun: unknown[] = [];
  const ends: (() => void)[] = [];
  const inProcess = createInProcessQueue((_job, data) => {
    begun.push(data);
    return new Promise((resolve) => ends.push(resolve));
  });
  return { inProcess, begun, ends };
}

it("work that the queue did not take runs here, within the job's concurrency", async () => {
  const { inProcess, begun, ends } = controlled();
  for (const id of ["a", "b", "c"]) inProcess.run(work, id, { id });
  expect(begun).toEqual([{ id: "a" }, { id: "b" }]);
  ends[0]?.();
  await expect.poll(() => begun).toEqual([{ id: "a" }, { id: "b" }, { id: "c" }]);
});

it("one scope runs once at a time, and the newest payload is the one that waits", async () => {
  const { inProcess, begun, ends } = controlled();
  for (const payload of [1, 2, 3]) inProcess.run(work, "a", payload);
  expect(begun).toEqual([1]);
  ends[0]?.();
  await expect.poll(() => begun).toEqual([1, 3]);
});

it("while it is held no work begins, what waits too, and all of it does once it is released", async () => {
  const { inProcess, begun, ends } = controlled();
  for (const id of ["a", "b", "c"]) inProcess.run(work, id, { id });
  inProcess.hold(true);
  ends[0]?.();
  inProcess.run(work, "d", { id: "d" });
  await new Promise(setImmediate);
  expect(begun).toEqual([{ id: "a" }, { id: "b" }]);
  inProcess.hold(false);
  expect(begun).toEqual([{ id: "a" }, { id: "b" }, { id: "c" }]);
  ends[1]?.();
  await expect.poll(() => begun).toEqual([{ id: "a" }, { id: "b" }, { id: "c" }, { id: "d" }]);
});

it("a run that fails does not keep the next one from running", async () => {
  const begun: unknown[] = [];
  const inProcess = createInProcessQueue((_job, data) => {
    begun.push(data);
    return Promise.reject(new Error("unavailable"));
  });
  inProcess.run(work, "a", 1);
  inProcess.run(work, "a", 2);
  await expect.poll(() => begun).toEqual([1, 2]);
});

it("each run is told the trace of who asked for it, the newest where several did", async () => {
  const told: unknown[] = [];
  const ends: (() => void)[] = [];
  const inProcess = createInProcessQueue((_job, _data, { attempt, traceparent }) => {
    told.push([attempt, traceparent]);
    return new Promise((resolve) => ends.push(resolve));
  });
  inProcess.run(work, "a", 1, "first");
  for (const traceparent of ["second", "third"]) inProcess.run(work, "a", 2, traceparent);
  inProcess.run(work, "b", 3);
  ends[0]?.();
  await expect
    .poll(() => told)
    .toEqual([
      [1, "first"],
      [1, null],
      [1, "third"],
    ]);
});

it("closing waits for what runs and takes nothing more", async () => {
  const { inProcess, begun, ends } = controlled();
  inProcess.run(work, "a", 1);
  inProcess.run(work, "a", 2);
  let isClosed = false;
  const closing = inProcess.close().then(() => (isClosed = true));
  inProcess.run(work, "b", 3);
  await Promise.resolve();
  expect(isClosed).toBe(false);
  ends[0]?.();
  await closing;
  expect(begun).toEqual([1]);
});
