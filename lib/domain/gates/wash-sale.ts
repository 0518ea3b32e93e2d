import { addDays } from "../time.ts";
import type { Gate } from "./gate.ts";

/**
 * A buy within 30 days after a sale of the same symbol at a loss, in any of the person's accounts, may be a wash sale
 * (IRC § 1091): a warning.
 */
export const washSale = {
  code: "wash_sale",
  label: "wash sale",
  explanation:
    "Warns when a stock that was sold at a loss would be bought back soon after, which matters for US taxes.",
  scope: "order",
  check: ({ state, market, policy, symbol }) => {
    const { wash_sale_days: days } = policy.pretrade_filters;
    const from = addDays(market.session.date, -days);
    const near = state.lossSales.filter((sale) => sale.symbol === symbol && sale.session >= from);
    const latest = near.map(({ session }) => session).reduce((a, b) => (a > b ? a : b), "");
    return {
      passed: near.length === 0,
      isWarning: true,
      margin: near.length === 0 ? 0 : -1,
      detail: () =>
        near.length === 0
          ? `no sale of ${symbol} at a loss in the last ${days} days, in any of your accounts`
          : `${symbol} was sold at a loss on ${latest}, within ${days} days`,
    };
  },
} as const satisfies Gate;
