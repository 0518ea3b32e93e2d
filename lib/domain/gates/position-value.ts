import { nameRooms } from "../risk/limits.ts";
import { byRoom, type Gate, missing } from "./gate.ts";

/** The user's largest position and the largest part of equity in one name. Margin in USD. */
export const positionValue = {
  code: "position_value",
  label: "position value",
  explanation: "A position may not grow beyond your Max Position Value.",
  scope: "order",
  unit: "USD",
  check: (input) => (input.order === null ? missing("no price") : byRoom(nameRooms(input).position, input.order)),
} as const satisfies Gate;
