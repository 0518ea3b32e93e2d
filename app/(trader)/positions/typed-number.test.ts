import { expect, it } from "vitest";
import { priceIn, wholeNumberIn } from "./typed-number.ts";

it.each([
  ["15", 15],
  [" 15 ", 15],
  ["1,204", 1204],
  ["1,000,000", 1_000_000],
  ["1204", 1204],
])("whole shares typed as %j are %d", (typed, value) => {
  expect(wholeNumberIn(typed)).toBe(value);
});

it.each([
  "1,5",
  "1.5",
  "1e1",
  "0x10",
  "1,20",
  "12,04",
  "1204,000",
  ",5",
  "1,,000",
  "-3",
  "+3",
  "",
  " ",
  "1 204",
  "15 shares",
])("whole shares typed as %j are refused", (typed) => {
  expect(wholeNumberIn(typed)).toBeNull();
});

it.each([
  ["101.50", 101.5],
  ["101", 101],
  ["1,101.50", 1101.5],
  [".5", 0.5],
])("a price typed as %j is %d", (typed, value) => {
  expect(priceIn(typed)).toBe(value);
});

it.each(["101,5", "101,50", "1e2", "0x10", "1.101,50", "101.", ".", "", "-1", "$101", "Infinity", "1.2.3"])(
  "a price typed as %j is refused",
  (typed) => {
    expect(priceIn(typed)).toBeNull();
  },
);
