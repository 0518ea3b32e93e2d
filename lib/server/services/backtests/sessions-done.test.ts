import { expect, it } from "vitest";
import { sessionsDone } from "./serve-thread.ts";

it("a run whose sessions are played three times over tells those that were asked for, rising to all of them", () => {
  const told = [0, 1, 2].flatMap((before) => Array.from({ length: 64 }, (_, i) => sessionsDone(i + 1, 64, before, 3)));
  expect(told).toEqual(told.toSorted((a, b) => a - b));
  expect([told[0], told[63], told[127], told[191]]).toEqual([0, 21, 42, 64]);
});
