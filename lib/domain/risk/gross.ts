import { byMargin, type Gate, missing, percentText } from "./gate.ts";
import { grossCap, grossRoom } from "./limits.ts";

/** Gross exposure cap of the regime. Margin in USD. */
export const gross: Gate = (input) => {
  if (input.order === null) return missing("gross", "no price");
  const { label } = input.market.regime;
  const room = grossRoom(input);
  const { notional } = input.order;
  const detail = `${label} allows ${percentText(grossCap(label, input.policy), 0)} of equity: ${notional.toFixed(2)} USD, room for ${room.toFixed(2)}`;
  return byMargin("gross", room.minus(notional).toNumber(), detail);
};
