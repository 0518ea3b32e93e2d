import { expect, it } from "vitest";
import { POLICY_2_9_0 as policy } from "../policy.ts";
import { NO_SECTOR } from "../sectors.ts";
import { refusedSwap } from "./swap-seats.ts";

const listed = ["NEW", "OLD"].map((symbol) => ({ symbol, sector: "Energy" }));
const told = (margin: number, swap_margin = 5) =>
  refusedSwap(
    { listed },
    { challenger: 0, incumbent: 1, margin, because: "margin", tenure: 9 },
    { ...policy, selector_top50: { ...policy.selector_top50, swap_margin } },
  ).why;

it("a quota is told of the sector that has its seats, and of a stock without one as a possibility", () => {
  const of = (sector: string) =>
    refusedSwap(
      { listed: [{ symbol: "NEW", sector }, ...listed] },
      { challenger: 0, incumbent: 2, margin: 9, because: "quota", tenure: 9 },
      policy,
    ).why;
  expect(of("Energy")).toBe("Energy has its 12 seats");
  expect(of(NO_SECTOR)).toBe("its sector is not known and may be one that has its 12 seats");
});

it("a margin just short of what a swap needs is told as short of it", () => {
  expect([told(3.21), told(4.96), told(4.9996), told(4.74, 4.75)]).toEqual([
    "margin 3.2 is below 5",
    "margin 4.96 is below 5",
    "margin 4.9996 is below 5",
    "margin 4.7 is below 4.75",
  ]);
});
