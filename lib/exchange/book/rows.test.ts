import { expect, it } from "vitest";
import { revived } from "./rows.ts";
import type { Account, Order } from "./types.ts";

it("an order of an older journal counts what it traded before it was replaced", () => {
  const { filledQty, splitSince } = revived<Order>("orders", { side: "buy", qty: "10", filledQty: "4" });
  expect(filledQty.times(splitSince).toFixed()).toBe("4");
});

it("an account of an older journal states the last close that it knows", () => {
  const { priorEquity, priorMaintenance } = revived<Account>("accounts", { lastEquity: "99.5", lastMaintenance: "7" });
  expect([priorEquity.toFixed(), priorMaintenance.toFixed()]).toEqual(["99.5", "7"]);
  expect(revived<Account>("accounts", { lastEquity: "1" }).priorMaintenance.toFixed()).toBe("0");
});
