import { afterEach, expect, it } from "vitest";
import { processWide } from "./process-wide.ts";

const NAME = "tradewindTestValue";
afterEach(() => void processWide(NAME).remove());

it("all copies of a file share what the first of them made, until it is removed", () => {
  const [one, other] = [processWide<object>(NAME), processWide<object>(NAME)];
  const first = one.orMake(() => ({}));
  expect(other.orMake(() => ({}))).toBe(first);
  expect(other.remove()).toBe(first);
  expect(one.orMake(() => ({}))).not.toBe(first);
});

it("there is nothing to remove before the first use", () => {
  expect(processWide(NAME).remove()).toBeUndefined();
});
