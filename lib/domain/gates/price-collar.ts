import { dollarPriceText } from "../dollars.ts";
import { byMargin, type Gate, missing } from "./gate.ts";
import { percentText } from "./texts.ts";

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
    const distance = limit.minus(last).abs().over(last.abs());
    const { price_collar } = policy.pretrade_filters;
    return byMargin(
      price_collar - distance,
      () => `limit ${dollarPriceText(limit)} is ${percentText(distance, 2)} from ${dollarPriceText(last)}`,
    );
  },
} as const satisfies Gate;
