import { byRoom, type Gate, missing } from "./gate.ts";
import { nameRooms } from "../risk/limits.ts";

/** The user's largest position and the largest part of equity in one name. Margin in USD. */
export const positionValue: Gate = (input) =>
  input.order === null
    ? missing("position_value", "no price")
    : byRoom("position_value", nameRooms(input).position, input.order);
