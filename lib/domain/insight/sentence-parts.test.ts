import { expect, it } from "vitest";
import { counted, listed, placesTaken } from "./sentence-parts.ts";

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
