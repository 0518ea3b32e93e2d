import { expect, it } from "vitest";
import { describeReseal } from "./describe-reseal.ts";

it("older master keys may go only when nothing is sealed under them", () => {
  const done = describeReseal({ newest: 2, resealed: 7, waiting: 0, unreadable: [] });
  expect(done).toEqual([
    "7 rows put under master key 2.",
    "Nothing is sealed under an older one: the others may leave MASTER_KEYS.",
  ]);
  const open = describeReseal({ newest: 2, resealed: 1, waiting: 3, unreadable: ["row-9"] }).join("\n");
  expect(open).toContain("1 row put under master key 2.");
  expect(open).toContain("3 still under an older master key: keep it");
  expect(open).toContain("row-9");
  expect(open).not.toContain("may leave");
});
