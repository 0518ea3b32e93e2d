import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Bars, differences, SERIES } from "../indicators/series.ts";
import { INDICATOR_VECTORS } from "./place.mjs";

const vectors = JSON.parse(readFileSync(INDICATOR_VECTORS, "utf8")) as {
  bars: Record<keyof Bars, number[]>;
  expected: Record<string, (number | null)[]>;
};
const bars: Bars = {
  open: Float64Array.from(vectors.bars.open),
  high: Float64Array.from(vectors.bars.high),
  low: Float64Array.from(vectors.bars.low),
  close: Float64Array.from(vectors.bars.close),
  volume: Float64Array.from(vectors.bars.volume),
};

describe("golden vectors", () => {
  it("every vector has its indicator", () => {
    expect(Object.keys(vectors.expected).sort()).toEqual(Object.keys(SERIES).sort());
  });

  it.each(Object.keys(SERIES))("%s agrees to 1e-6 at every bar, and begins where the vector begins", (name) => {
    expect(differences(bars, vectors.expected, name, 1e-6)).toEqual([]);
  });
});
