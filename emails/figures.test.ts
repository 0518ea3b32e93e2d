import { expect, it } from "vitest";
import { counted, directionOf, dollarsText, priceText, sharesText, signedDollarsText } from "./figures.ts";

it.each([
  ["0", "$0.00", "$0.00", "$0.00", "flat"],
  ["-0", "$0.00", "$0.00", "$0.00", "flat"],
  ["0.0001", "$0.0001", "$0.00", "$0.00", "flat"],
  ["-0.004", "-$0.004", "$0.00", "$0.00", "flat"],
  ["0.0049", "$0.0049", "$0.00", "$0.00", "flat"],
  // Halves go away from zero, as on every screen.
  ["0.005", "$0.005", "$0.01", "+$0.01", "gain"],
  ["-0.125", "-$0.125", "-$0.13", "-$0.13", "loss"],
  ["0.015", "$0.015", "$0.02", "+$0.02", "gain"],
  ["999.9", "$999.90", "$999.90", "+$999.90", "gain"],
  ["1000", "$1,000.00", "$1,000.00", "+$1,000.00", "gain"],
  ["-1234567.891", "-$1,234,567.891", "-$1,234,567.89", "-$1,234,567.89", "loss"],
  [
    "123456789012345.123456789",
    "$123,456,789,012,345.123456789",
    "$123,456,789,012,345.12",
    "+$123,456,789,012,345.12",
    "gain",
  ],
])("%s reads %s as a price, %s in dollars, %s with its sign", (value, price, dollars, signed, direction) => {
  expect([priceText(value), dollarsText(value), signedDollarsText(value), directionOf(value)]).toEqual([
    price,
    dollars,
    signed,
    direction,
  ]);
});

it.each([
  ["10", "10"],
  ["1200.5", "1,200.5"],
  ["0.333333333", "0.333333333"],
  ["-3", "-3"],
])("%s shares read %s", (value, expected) => {
  expect(sharesText(value)).toBe(expected);
});

it("one is one and more are many", () => {
  expect([0, 1, 2].map((count) => counted(count, "trade"))).toEqual(["0 trades", "1 trade", "2 trades"]);
});
