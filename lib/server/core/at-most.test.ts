import { expect, it } from "vitest";
import { atMost } from "./at-most.ts";

it("no more than so many run at once, in the order in which they came, and all of them run", async () => {
  const limited = atMost(3);
  const begun: number[] = [];
  let running = 0;
  let most = 0;
  const work = async (nth: number) => {
    begun.push(nth);
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    return nth;
  };
  const numbers = Array.from({ length: 50 }, (_, nth) => nth);
  expect(await Promise.all(numbers.map((nth) => limited(() => work(nth))))).toEqual(numbers);
  expect(begun).toEqual(numbers);
  expect(most).toBe(3);
});

it("work that fails gives its place back, and its error goes to its caller alone", async () => {
  const limited = atMost(1);
  const failing = limited(() => Promise.reject(new Error("the broker is unavailable")));
  const next = limited(() => Promise.resolve("done"));
  await expect(failing).rejects.toThrow("the broker is unavailable");
  expect(await next).toBe("done");
  expect(await limited(() => Promise.resolve("again"))).toBe("again");
});
