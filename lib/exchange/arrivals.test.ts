import { expect, it } from "vitest";
import { createArrivals } from "./arrivals.ts";

const arrival = {
  market: "",
  method: "POST",
  path: "/v2/orders",
  account_number: "PA1",
  symbol: null,
  client_order_id: null,
};

it("remembers the last requests only, and says how many are forgotten", () => {
  const arrivals = createArrivals(10);
  for (let i = 0; i < 35; i += 1) arrivals.add(arrival);
  expect(arrivals.list().map(({ seq }) => seq)).toEqual([26, 27, 28, 29, 30, 31, 32, 33, 34, 35]);
  expect(arrivals.forgotten()).toBe(25);
  expect(arrivals.list({ after: 33 })).toHaveLength(2);
  expect(arrivals.list({ account_number: "PA2" })).toEqual([]);
});
