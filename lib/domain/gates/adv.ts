import { byRoom, type Gate, missing } from "./gate.ts";
import { advRoom } from "../risk/limits.ts";

/** A small part of the median daily dollar volume. Margin in USD. */
export const adv: Gate = (input) => {
  if (input.order === null) return missing("adv", "no price");
  const line = advRoom(input);
  return line === null ? missing("adv", "dollar volume is not known") : byRoom("adv", line, input.order);
};
