import fc from "fast-check";
import { expect, it } from "vitest";
import { canonicalJson } from "@/lib/domain/engine/canonical.ts";
import { firstDifference } from "./first-difference.ts";

it("names the field, however deep", () => {
  const plan = { orders: [{ qty: "10", symbol: "ABC" }, { qty: "5" }], line: "x" };
  const other = { orders: [{ qty: "10", symbol: "ABC" }, { qty: "6" }], line: "x" };
  expect(firstDifference("plan", plan, other)).toEqual({
    path: "plan.orders[1].qty",
    recorded: '"5"',
    recomputed: '"6"',
  });
});

it("names what is missing on one side, and the element that one list has more", () => {
  expect(firstDifference("", { a: 1, b: 2 }, { a: 1 })).toEqual({ path: "b", recorded: "2", recomputed: "absent" });
  expect(firstDifference("list", [1], [1, null])).toEqual({ path: "list[1]", recorded: "absent", recomputed: "null" });
});

it("names the first one in the canonical order of keys", () => {
  expect(firstDifference("", { b: 1, a: 1 }, { b: 2, a: 2 })?.path).toBe("a");
});

it("finds a difference exactly when the canonical forms differ", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      expect(firstDifference("", a, b) === null).toBe(canonicalJson(a) === canonicalJson(b));
      expect(firstDifference("", a, JSON.parse(canonicalJson(a)))).toBeNull();
    }),
  );
});
