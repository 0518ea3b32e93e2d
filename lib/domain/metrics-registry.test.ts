import { describe, expect, it } from "vitest";
import * as metrics from "./metrics.ts";
import { METRICS } from "./metrics-registry.ts";

describe("the metric registry", () => {
  it("has an entry for every metric function", () => {
    const ids = new Set(METRICS.map(({ id }) => id));
    const functions = Object.entries(metrics).filter(([, value]) => typeof value === "function");
    expect(functions.length).toBeGreaterThan(15);
    for (const [name] of functions) expect(ids, `${name} has no entry`).toContain(name);
  });

  it("names each figure once, with a version, a unit, a definition and a source", () => {
    expect(new Set(METRICS.map(({ id }) => id)).size).toBe(METRICS.length);
    expect(new Set(METRICS.map(({ name }) => name)).size).toBe(METRICS.length);
    for (const { id, version, unit, name, definition, source } of METRICS) {
      expect(Number.isInteger(version) && version >= 1, id).toBe(true);
      expect(
        [unit, name, definition, source].every((text) => text.length > 0),
        id,
      ).toBe(true);
    }
  });
});
