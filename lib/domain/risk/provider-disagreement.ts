import { money } from "../money.ts";
import { byCondition, type Gate, missing } from "./gate.ts";

/** Put aside by data checks, or a quote that contradicts itself. */
export const providerDisagreement: Gate = ({ view }) => {
  if (view === null) return missing("provider_disagreement", "no data about the symbol");
  if (view.quarantine !== null) return byCondition("provider_disagreement", false, view.quarantine);
  const { quote } = view;
  const isCrossed = quote !== null && quote.bid !== null && quote.ask !== null && money(quote.bid).gt(quote.ask);
  return byCondition("provider_disagreement", !isCrossed, isCrossed ? "bid above ask" : "data agree");
};
