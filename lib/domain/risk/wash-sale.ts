import type { Gate } from "./gate.ts";

/** A buy soon after a loss in the same symbol may be a wash sale: a warning, told from the stop-outs that are known. */
export const washSale: Gate = ({ state, symbol }) => {
  const isNear = state.stopOuts.some((stopOut) => stopOut.symbol === symbol);
  return {
    code: "wash_sale",
    passed: !isNear,
    isWarning: true,
    margin: isNear ? -1 : 0,
    detail: isNear ? "closed at a loss in the last sessions" : "no recent loss in this symbol",
  };
};
