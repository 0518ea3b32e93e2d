import type { PositionFacts } from "@/lib/domain/insight/facts.ts";
import { least, money, text, wholeShares, ZERO } from "@/lib/domain/money.ts";
import type { readHeld } from "../portfolio/list-positions.ts";

/** What is held, and whether stops rest at the broker for it. Stops are of whole shares: a fraction beside them is not missed. */
export function positionFacts({ positions, resting }: Awaited<ReturnType<typeof readHeld>>): PositionFacts[] {
  return positions.map(({ symbol, accountId, quantity, marketValue, currentPrice, stopPrice, ...row }) => {
    const covered = resting.covered(accountId).get(symbol) ?? ZERO;
    return {
      symbol,
      value: marketValue === null ? null : text(marketValue),
      pnl: row.unrealizedPnL === null ? null : text(row.unrealizedPnL),
      pnlPercent: row.unrealizedPnLPercent,
      isCovered: covered.gt(ZERO) && covered.gte(wholeShares(money(quantity))),
      toStop:
        currentPrice === null || stopPrice === null
          ? null
          : text(
              money(currentPrice)
                .minus(stopPrice)
                .times(least(money(quantity), covered)),
            ),
    };
  });
}
