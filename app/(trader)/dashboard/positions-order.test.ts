import { expect, it } from "vitest";
import { byNeed, heldText } from "./positions-order.ts";

it("what has no stop comes first, then what is nearest to its stop; equals keep their order", () => {
  const held = [-8, -1.2, null, -4, -1.2, null].map((stopDistancePercent, id) => ({ id, stopDistancePercent }));
  expect(byNeed(held).map(({ id }) => id)).toEqual([2, 5, 1, 4, 3, 0]);
});

it("days held are days of New York", () => {
  expect(heldText("2020-03-03T20:00:00.000Z", "2020-03-04T02:00:00.000Z")).toBe("since today");
  expect(heldText("2020-03-03T20:00:00.000Z", "2020-03-04T14:30:00.000Z")).toBe("1 day");
  expect(heldText("2020-03-03T20:00:00.000Z", "2020-03-12T14:30:00.000Z")).toBe("9 days");
});
