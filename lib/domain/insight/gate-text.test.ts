import { expect, it } from "vitest";
import { GATE_CODES } from "../gates/gates.ts";
import { waitsFor } from "./gate-text.ts";

it.each(GATE_CODES.map((code) => [code] as const))("what %s waits for is of the stocks that it is said of", (code) => {
  expect(waitsFor(code, "their")).not.toMatch(/\b(its|it|the stock)\b/);
  expect(waitsFor(code, "the stock's")).not.toMatch(/\b(its|it|their|them)\b/);
  expect(waitsFor(code)).not.toMatch(/\b(their|them|the stock)\b/);
});

it.each([
  ["earnings_blackout", "days clear of its earnings report", "days clear of their earnings reports"],
  ["duplicate", "the position or order in it to end", "the positions or orders in them to end"],
  ["sector", "room in its sector", "room in their sectors"],
  ["adv", "more trading in it", "more trading in them"],
  ["cooldown", "its rest after a sale or a refused order to end", "their rest after a sale or a refused order to end"],
  ["regime", "a calmer market", "a calmer market"],
] as const)("%s of one stock and of several", (code, one, several) =>
  expect([waitsFor(code), waitsFor(code, "their")]).toEqual([one, several]),
);
