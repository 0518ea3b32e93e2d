import { expect, it } from "vitest";
import { levelInSharesOfNow } from "./level-basis.ts";
import { money } from "./money.ts";

const splits = [
  { exDate: "2020-06-10", ratio: money("4") },
  { exDate: "2020-08-31", ratio: money("0.1") },
];

it.each([
  ["98", "2020-06-09", "245"],
  ["98", "2020-06-10", "980"],
  ["98", "2020-08-31", "98"],
  ["98", null, "98"],
])("a level of %s that ended on %s is %s in the shares of now", (price, endedOn, now) =>
  expect(String(levelInSharesOfNow(money(price), endedOn, splits))).toBe(now),
);

it("a level between two ticks counts as the higher one", () =>
  expect(String(levelInSharesOfNow(money("98.01"), "2020-06-09", [splits[0]!]))).toBe("24.51"));
