import { byCondition, type Gate } from "./gate.ts";
import { counted } from "../counted.ts";

/** The size came out as at least one whole share that is worth its cost. */
export const sizeGate = {
  code: "size",
  label: "size",
  explanation: "After all limits, at least one share has to be left, and the order has to be worth its costs.",
  scope: "order",
  check: ({ size }) =>
    byCondition(
      size.refusal === null,
      size.refusal ?? (() => `${counted(size.qty.toNumber(), "share")}, bound by ${size.boundBy}`),
    ),
} as const satisfies Gate;
