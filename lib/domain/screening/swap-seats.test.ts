import { expect, it } from "vitest";
import { POLICY_2_9_0 as policy } from "../policy.ts";
import { refusedSwap } from "./swap-seats.ts";

const listed = ["NEW", "OLD"].map((symbol) => ({ symbol, sector: "Energy" }));
const told = (margin: number, swap_margin = 5) =>
  refusedSwap(
    { listed },
    { challenger: 0, incumbent: 1, margin, because: "margin", tenure: 9 },
    { ...policy, selector_top50: { ...policy.selector_top50, swap_margin } },
  ).why;

it("a margin just short of what a swap needs is told as short of it", () => {
  expect([told(3.21), told(4.96), told(4.9996), told(4.74, 4.75)]).toEqual([
    "margin 3.2 is below 5",
    "margin 4.96 is below 5",
    "margin 4.9996 is below 5",
    "margin 4.7 is below 4.75",
  ]);
});
