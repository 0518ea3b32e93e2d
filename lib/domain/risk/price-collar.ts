import { byMargin, type Gate, missing, percentText } from "./gate.ts";

/** The limit lies near the last trade. Margin as a fraction. */
export const priceCollar: Gate = ({ policy, view, order }) => {
  if (view === null || view.quote === null || order === null) return missing("price_collar", "no price");
  const distance = order.limitPrice.div(order.decisionPrice).minus(1).abs().toNumber();
  const { price_collar } = policy.pretrade_filters;
  const detail = `limit ${order.limitPrice.toFixed()} is ${percentText(distance, 2)} from ${order.decisionPrice.toFixed()}`;
  return byMargin("price_collar", price_collar - distance, detail);
};
