import { byRoom, type Gate, missing } from "./gate.ts";
import { buyingPowerRoom } from "../risk/limits.ts";

/** Buying power less buys in flight less the cash buffer. Margin in USD. */
export const buyingPower: Gate = (input) =>
  input.order === null
    ? missing("buying_power", "no price")
    : byRoom("buying_power", buyingPowerRoom(input), input.order);
