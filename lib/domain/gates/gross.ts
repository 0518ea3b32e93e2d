import { REGIME_WORDS } from "../engine/reasons.ts";
import { byRoom, type Gate, missing, percentText } from "./gate.ts";
import { grossCap, grossRoom } from "../risk/limits.ts";

/** Gross exposure cap of the regime. Margin in USD. */
export const gross: Gate = (input) => {
  if (input.order === null) return missing("gross", "no price");
  const { label } = input.market.regime;
  const before = `${REGIME_WORDS[label]} allows ${percentText(grossCap(label, input.policy), 0)} of equity: `;
  return byRoom("gross", grossRoom(input), input.order, before);
};
