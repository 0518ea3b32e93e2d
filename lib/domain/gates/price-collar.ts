import { dollarPriceText, usd } from "../risk/usd.ts";
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
    const [limit, last] = [usd(order.limitPrice), usd(order.decisionPrice)];
    // Whole numbers: the quotient is rounded once, to the same double as the exact one.
    const distance =
      typeof limit === "number" && typeof last === "number"
        ? Math.abs(limit - last) / Math.abs(last)
        : order.limitPrice.div(order.decisionPrice).minus(1).abs().toNumber();
    const { price_collar } = policy.pretrade_filters;
    const detail = `limit ${dollarPriceText(limit)} is ${percentText(distance, 2)} from ${dollarPriceText(last)}`;
    return byMargin(price_collar - distance, detail);
  },
} as const satisfies Gate;
