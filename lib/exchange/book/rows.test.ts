import { expect, it } from "vitest";
import { revived } from "./rows.ts";
import type { Order } from "./types.ts";

it("an order of an older journal counts what it traded before it was replaced", () => {
  const { filledQty, splitSince } = revived<Order>("orders", { side: "buy", qty: "10", filledQty: "4" });
  expect(filledQty.times(splitSince).toFixed()).toBe("4");
});
