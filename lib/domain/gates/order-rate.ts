import { byMargin, type Gate } from "./gate.ts";

/** Orders of the account in a minute and in a session, this plan's included. Margin in orders. */
export const orderRate = {
  code: "order_rate",
  label: "order rate",
  explanation: "The number of orders per minute and per day is limited.",
  scope: "order",
  unit: "order",
  check: ({ state, policy, book }) => {
    const { max_orders_per_minute, max_orders_per_day } = policy.cadence;
    const minute = state.ordersLastMinute + book.ordersPlanned;
    const day = state.ordersToday + book.ordersPlanned;
    return byMargin(
      Math.min(max_orders_per_minute - minute, max_orders_per_day - day) - 1,
      () => `${minute} of ${max_orders_per_minute} orders this minute, ${day} of ${max_orders_per_day} today`,
    );
  },
} as const satisfies Gate;
