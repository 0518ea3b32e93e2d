import { expect, it } from "vitest";
import { figureText, toneOf } from "./figure-text.ts";

it.each([
  ["timeWeightedReturn", 0.00004, "0.00%", ""],
  ["timeWeightedReturn", -0.00004, "0.00%", ""],
  ["timeWeightedReturn", 0.0001, "+0.01%", "text-gain"],
  ["periodPnl", -0.004, "$0.00", ""],
  ["periodPnl", -0.01, "-$0.01", "text-loss"],
  ["winRate", 0.6, "60.0%", ""],
])("%s of %d reads %s and is coloured by that", (id, value, text, tone) => {
  expect(figureText(id, value)).toBe(text);
  expect(toneOf(id, value)).toBe(tone);
});
