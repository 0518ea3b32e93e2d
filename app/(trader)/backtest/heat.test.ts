import { expect, it } from "vitest";
import { heatColour, heatOf } from "./heat.ts";

it("gain and loss are equally strong at equal distance from zero, and the farthest is strongest", () => {
  const all = [-0.02, 0, 0.01, 0.02, null];
  expect(all.map((value) => heatOf(value, all, true))).toEqual([
    { tone: "loss", strength: 38 },
    null,
    { tone: "gain", strength: 22 },
    { tone: "gain", strength: 38 },
    null,
  ]);
});

it("figures without a sign are of one colour, and nothing is coloured where all are zero", () => {
  expect(heatOf(4, [1, 4], false)).toEqual({ tone: "accent", strength: 38 });
  expect(heatOf(0, [0, 0], false)).toBeNull();
  // As small as it is, it is seen.
  expect(heatOf(0.0001, [0.0001, 10], true)?.strength).toBe(5);
});

it("colours are those of the theme", () => {
  expect(heatColour({ tone: "gain", strength: 38 })).toBe("color-mix(in srgb, var(--gain) 38%, var(--surface))");
  expect(heatColour(null)).toBeUndefined();
});
