import { byRoom, type Gate, missing } from "./gate.ts";

/** A small part of the median daily dollar volume. Margin in USD. */
export const adv = {
  code: "adv",
  label: "liquidity",
  explanation: "The order has to be small compared with what the stock trades in a day.",
  scope: "order",
  unit: "USD",
  check: ({ order, volumeRoom }) => {
    if (order === null) return missing("no price");
    return volumeRoom === null ? missing("dollar volume is not known") : byRoom(volumeRoom, order);
  },
} as const satisfies Gate;
