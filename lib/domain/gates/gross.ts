import { REGIME_TEXT } from "../engine/reasons.ts";
import { grossCap, grossRoom } from "../risk/limits.ts";
import { byRoom, type Gate, missing } from "./gate.ts";
import { percentText } from "./texts.ts";

/** Gross exposure cap of the regime. Margin in USD. */
export const gross = {
  code: "gross",
  label: "gross exposure",
  explanation: "All positions together may not exceed the exposure that the state of the market allows.",
  scope: "order",
  unit: "USD",
  check: (input) => {
    if (input.order === null) return missing("no price");
    const { label } = input.market.regime;
    return byRoom(
      grossRoom(input),
      input.order,
      () => `${REGIME_TEXT[label]} allows ${percentText(grossCap(label, input.policy))} of equity: `,
    );
  },
} as const satisfies Gate;
