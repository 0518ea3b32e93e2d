import fc from "fast-check";
import { expect, it } from "vitest";
import { counted } from "../counted.ts";
import { listed, lowerFirst, placesTaken } from "./sentence-parts.ts";

it.each([
  [0, "0 stocks"],
  [1, "1 stock"],
  [2, "2 stocks"],
  [5200, "5,200 stocks"],
])("a count of %i has the number of its noun, and commas in thousands: %s", (count, text) => {
  expect(counted(count, "stock")).toBe(text);
});

it.each([
  [1, "the only place is taken"],
  [2, "all 2 places are taken"],
  [20, "all 20 places are taken"],
])("of %i places it is said that %s", (places, text) => {
  expect(placesTaken(places)).toBe(text);
});

it("a list names each once, and counts those that are not named", () => {
  expect(listed(["A"])).toBe("A");
  expect(listed(["A", "B", "A"])).toBe("A and B");
  expect(listed(["A", "B", "C", "D", "E", "F"])).toBe("A, B, C, D, E and F");
  expect(listed(["A", "B", "C", "D", "E", "F", "G"])).toBe("A, B, C, D, E and 2 more");
});

it.each([
  ["Momentum faded", "momentum faded"],
  ["A free place is needed", "a free place is needed"],
  ["Über 3%", "über 3%"],
  ["momentum percentile 74.1 is below 80", "momentum percentile 74.1 is below 80"],
  ["RSI2 12.3 is not below 10.0", "RSI2 12.3 is not below 10.0"],
  ["ADX14 18.0 is below 20.0", "ADX14 18.0 is below 20.0"],
  ["QA: allocation: cash", "QA: allocation: cash"],
  ["A (confidence 0.80) for T (0.60)", "A (confidence 0.80) for T (0.60)"],
  ["", ""],
])("within a sentence %s reads %s", (text, within) => expect(lowerFirst(text)).toBe(within));

it("within a sentence a ticker stays a ticker", () => {
  const ticker = fc.stringMatching(/^[A-Z]{1,5}(\.[AB])?$/);
  fc.assert(
    fc.property(
      ticker,
      fc.constantFrom(" (confidence 0.80)", ", out of the Top-50", ": sold", "2 12.3"),
      (name, rest) => {
        expect(lowerFirst(`${name}${rest}`)).toBe(`${name}${rest}`);
      },
    ),
  );
});
