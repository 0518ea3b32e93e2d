import { byMargin, type Gate, missing } from "./gate.ts";
import { positionRoom } from "./limits.ts";

/** The user's largest position and the largest part of equity in one name. Margin in USD. */
export const positionValue: Gate = (input) => {
  if (input.order === null) return missing("position_value", "no price");
  const room = positionRoom(input);
  const { notional } = input.order;
  return byMargin(
    "position_value",
    room.minus(notional).toNumber(),
    `${notional.toFixed(2)} USD, room for ${room.toFixed(2)}`,
  );
};
