import { describe, expect, it } from "vitest";
import { createStamps } from "./stamps.ts";

const NOON = Date.parse("2024-01-08T12:00:00Z");

describe("stamps of market time", () => {
  it("differ within a millisecond and ascend as text", () => {
    let now = NOON;
    const stamps = createStamps(() => now, null);
    const made = [stamps.next(), stamps.next()];
    now += 0.5;
    made.push(stamps.next());
    now += 1;
    made.push(stamps.next());
    expect(made).toEqual([
      "2024-01-08T12:00:00.000000000Z",
      "2024-01-08T12:00:00.000000001Z",
      "2024-01-08T12:00:00.000000002Z",
      "2024-01-08T12:00:00.001000000Z",
    ]);
    expect(stamps.last()).toBe(made.at(-1));
  });

  it("go on behind the last one of an earlier process whose market time stands still", () => {
    const first = createStamps(() => NOON, null);
    first.next();
    const last = first.next();
    expect(createStamps(() => NOON, last).next()).toBe("2024-01-08T12:00:00.000000002Z");
    expect(createStamps(() => NOON, "2024-01-08T12:00:00.000999999Z").next()).toBe("2024-01-08T12:00:00.001000000Z");
    expect(createStamps(() => NOON + 5, last).next()).toBe("2024-01-08T12:00:00.005000000Z");
  });
});
