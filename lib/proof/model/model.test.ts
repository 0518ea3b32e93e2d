import { describe, expect, it } from "vitest";
import { MUTANTS } from "./mutants.ts";
import { readOptions } from "./options.ts";
import { search, shorten, worldOf } from "./search.ts";
import { play } from "./sequence.ts";

const SEED = 20_261_121;
const SEQUENCES = 60_000;

describe("the order protocol", () => {
  it(`holds in ${SEQUENCES} sequences of seed ${SEED}, and they reach every state`, { timeout: 60_000 }, () => {
    const world = worldOf();
    const finding = search(world, { sequences: SEQUENCES, seed: SEED });
    expect(finding?.trace.join("\n") ?? "held").toBe("held");
    const { PLANNED, ...reached } = world.reached;
    expect(PLANNED).toBe(0);
    for (const [status, times] of Object.entries(reached)) expect(times, status).toBeGreaterThan(1_000);
    expect(world.crashes).toBeGreaterThan(10_000);
    expect(world.requests).toBeGreaterThan(50_000);
  });

  it("plays the same sequence from the same integer", () => {
    const traces = [1, 2].map(() => {
      const world = worldOf();
      world.trace = [];
      play(world, 4_711);
      return world.trace;
    });
    expect(traces[0]?.length).toBeGreaterThan(20);
    expect(traces[0]).toEqual(traces[1]);
  });
});

describe("a protocol that is wrong in one place is found out", () => {
  it("by name, and there are enough of them", () => {
    expect(MUTANTS.length).toBeGreaterThanOrEqual(25);
    expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
  });

  it.each(MUTANTS)("$name: $says", { timeout: 30_000 }, ({ change }) => {
    const finding = search(worldOf(change), { sequences: 150_000, seed: SEED });
    expect(finding).not.toBeNull();
    // What is printed for a person breaks the protocol again when it is played alone, and is short.
    const again = shorten(worldOf(change), finding?.seed ?? 0);
    expect(again.violation).not.toBe("none");
    expect(again.trace.at(-1)).toBeDefined();
    expect(again.events).toBeLessThanOrEqual(25);
  });
});

it("the command knows its mutants and refuses what it does not know", () => {
  expect(readOptions(["--mutants"])?.mutants).toHaveLength(MUTANTS.length);
  expect(readOptions(["--mutant", "fill-torn", "--sequences", "10"])).toMatchObject({
    mutants: ["fill-torn"],
    sequences: 10,
  });
  expect(readOptions(["--help"])).toBeNull();
  for (const args of [["--mutant", "x"], ["--sequences", "0"], ["--seed", "1.5"], ["--what"]])
    expect(() => readOptions(args)).toThrow();
});
