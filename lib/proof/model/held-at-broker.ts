import type { World } from "./world.ts";

/** Shares of the symbol that the broker holds. */
export function heldAtBroker(world: World, symbol: string): number {
  let units = 0;
  for (let i = 0; i < world.orderCount; i += 1) {
    const { symbol: of, side, filled } = world.orders[i]!;
    if (of === symbol) units += side === "BUY" ? filled : -filled;
  }
  return units;
}
