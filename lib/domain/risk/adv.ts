import { byMargin, type Gate, missing } from "./gate.ts";
import { advRoom } from "./limits.ts";

/** A small part of the median daily dollar volume. Margin in USD. */
export const adv: Gate = (input) => {
  if (input.order === null) return missing("adv", "no price");
  const room = advRoom(input);
  if (room === null) return missing("adv", "dollar volume is not known");
  const { notional } = input.order;
  return byMargin("adv", room.minus(notional).toNumber(), `${notional.toFixed(2)} USD, room for ${room.toFixed(2)}`);
};
