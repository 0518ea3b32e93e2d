import { byCondition, type Gate } from "./gate.ts";

/** One position and one order a symbol and side; orders whose fate is unknown count as in flight. */
export const duplicate = {
  code: "duplicate",
  label: "already held or in flight",
  name: "one position a stock",
  explanation: "A stock that is held or has an order in flight is not bought again.",
  scope: "order",
  flip: () => "the position or order in it to end",
  check: ({ book: { held, bought }, symbol }) => {
    const isHeld = held.has(symbol);
    const isInFlight = bought.has(symbol);
    const detail = isHeld ? "already held" : isInFlight ? "a buy is in flight" : "neither held nor in flight";
    return byCondition(!isHeld && !isInFlight, detail);
  },
} as const satisfies Gate;
