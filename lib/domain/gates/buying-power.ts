import { buyingPowerRoom } from "../risk/limits.ts";
import { byRoom, type Gate, missing } from "./gate.ts";

/** Buying power, which is less open orders, less what the broker does not know of yet, less the cash buffer. Margin in USD. */
export const buyingPower = {
  code: "buying_power",
  label: "buying power",
  explanation: "The account has to be able to pay.",
  scope: "order",
  unit: "USD",
  check: (input) => (input.order === null ? missing("no price") : byRoom(buyingPowerRoom(input), input.order)),
} as const satisfies Gate;
