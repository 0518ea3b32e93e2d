import fs from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { placeOf, SLOWEST } from "./test-order.ts";

it("every file that begins early is there", () => {
  const root = path.resolve(import.meta.dirname, "..");
  expect(SLOWEST.filter((file) => !fs.existsSync(path.join(root, file)))).toEqual([]);
});

it("the slowest files begin before all others, the slowest of them first", () => {
  const files = ["app/other.services.test.ts", ...SLOWEST.toReversed()];
  expect(files.toSorted((a, b) => placeOf(a) - placeOf(b))).toEqual([...SLOWEST, "app/other.services.test.ts"]);
});
