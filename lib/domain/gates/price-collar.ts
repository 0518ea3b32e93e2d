import { percentBeside } from "../beside-line.ts";
import { dollarPriceText } from "../dollars.ts";
import { byMargin, type Gate, missing } from "./gate.ts";

/** The limit lies near the last trade. Margin as a fraction. */
export const priceCollar = {
  code: "price_collar",
  label: "price collar",
  explanation: "The limit price has to lie close to the last price.",
  scope: "seat",
  unit: "percent",
  check: ({ policy, view, order }) => {
    if (view === null || view.quote === null || order === null) return missing("no price");
    const { limitPrice: limit, decisionPrice: last } = order;
    if (last.isZero()) return missing("no price");
    const distance = limit.minus(last).abs().over(last.abs());
    const { price_collar } = policy.pretrade_filters;
    return byMargin(price_collar - distance, () => {
      const [is] = percentBeside(distance, [price_collar], { digits: 2, lineDigits: 2 });
      return `limit ${dollarPriceText(limit)} is ${is} from ${dollarPriceText(last)}`;
    });
  },
} as const satisfies Gate;
