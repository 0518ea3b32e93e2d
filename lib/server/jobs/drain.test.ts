import { expect, it } from "vitest";
import { drain } from "./drain.ts";

it("no job begins while what runs beside the consumers takes its time to end", async () => {
  const order: string[] = [];
  let hasEnded = () => {};
  const others = new Promise<void>((resolve) => (hasEnded = resolve));
  let jobsEnd = () => {};
  const jobs = new Promise<void>((resolve) => (jobsEnd = resolve));
  const consumer = { close: () => (order.push("consumer closes"), jobs) };
  const failing = { close: () => Promise.reject(new Error("gone")) };
  const drained = drain([consumer, failing], () => (order.push("others end"), others)).then(() =>
    order.push("drained"),
  );
  expect(order).toEqual(["consumer closes", "others end"]);
  hasEnded();
  await new Promise(setImmediate);
  expect(order).toHaveLength(2);
  jobsEnd();
  await drained;
  expect(order.at(-1)).toBe("drained");
});
