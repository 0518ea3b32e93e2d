import { byCondition, type Gate, missing } from "./gate.ts";

export const notTradable: Gate = ({ view }) => {
  if (view === null) return missing("not_tradable", "no data about the symbol");
  const detail = view.isHalted ? "trading is halted" : view.isTradable ? "tradable" : "not tradable at the broker";
  return byCondition("not_tradable", view.isTradable && !view.isHalted, detail);
};
