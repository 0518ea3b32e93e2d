import { refusalBySources } from "../consensus/source-text.ts";
import { type DecimalText, money } from "../money.ts";
import { isJump, jumpText } from "../screening/check-series.ts";
import type { SymbolView } from "../engine/plan.ts";
import { byCondition, type Gate, missing } from "./gate.ts";

/** Today's price over the last close in the same shares, where it jumped as the data check does not let bars jump; else null. */
function jumpToday({ quote, features, splitToday }: SymbolView): number | null {
  if (quote === null || features === null || !(features.close > 0)) return null;
  const ratio = (Number(quote.last) * Number(splitToday ?? "1")) / features.close;
  return isJump(ratio) ? ratio : null;
}

/** Whether a bid is above an ask. Rounding to doubles keeps the order, so that mostly they decide. */
function isAbove(bid: DecimalText | null, ask: DecimalText | null): boolean {
  return bid !== null && ask !== null && Number(bid) >= Number(ask) && money(bid).gt(ask);
}

/** Put aside by data checks, sources that disagree or are fewer than have to agree, a price that jumped since the last close without a known split, or a quote that contradicts itself. */
export const providerDisagreement = {
  code: "provider_disagreement",
  label: "data disagreement",
  name: "agreement of data",
  explanation: "Sources of the same figure have to agree.",
  scope: "seat",
  check: ({ view, market, policy }) => {
    if (view === null) return missing("no data about the symbol");
    if (view.quarantine !== null) return byCondition(false, view.quarantine);
    const bySources = refusalBySources(view, market, policy);
    if (bySources !== null) return bySources.isMissing ? missing(bySources.text) : byCondition(false, bySources.text);
    const ratio = jumpToday(view);
    if (ratio !== null) return byCondition(false, jumpText({ ratio, date: market.session.date }));
    const { quote } = view;
    const isCrossed = quote !== null && quote.isMade !== true && isAbove(quote.bid, quote.ask);
    return byCondition(!isCrossed, isCrossed ? "bid above ask" : "data agree");
  },
} as const satisfies Gate;
