import { byCondition, type Gate, missing } from "./gate.ts";

export const notTradable = {
  code: "not_tradable",
  label: "not tradable",
  name: "tradable at the broker",
  explanation: "The stock has to be tradable and neither halted nor set aside by data checks.",
  scope: "seat",
  check: ({ view }) => {
    if (view === null) return missing("no data about the symbol");
    const detail = view.isHalted ? "trading is halted" : view.isTradable ? "tradable" : "not tradable at the broker";
    return byCondition(view.isTradable && !view.isHalted, detail);
  },
} as const satisfies Gate;
