import { byMargin, type Gate, missing } from "./gate.ts";
import { buyingPowerRoom } from "./limits.ts";

/** Buying power less buys in flight less the cash buffer. Margin in USD. */
export const buyingPower: Gate = (input) => {
  if (input.order === null) return missing("buying_power", "no price");
  const room = buyingPowerRoom(input);
  const { notional } = input.order;
  return byMargin(
    "buying_power",
    room.minus(notional).toNumber(),
    `${notional.toFixed(2)} USD, room for ${room.toFixed(2)}`,
  );
};
