import type { PositionFacts } from "@/lib/domain/insight/facts.ts";
import { money, text, wholeShares, ZERO } from "@/lib/domain/money.ts";
import type { Context } from "../../context.ts";
import { protectedQuantity } from "../orders/protected-quantity.ts";
import type { readPositions } from "../portfolio/list-positions.ts";
import type { BriefAccount } from "./accounts-of-brief.ts";

/** What is held, and whether stops rest at the broker for it. Stops are of whole shares: a fraction beside them is not missed. */
export async function positionFacts(
  { db }: Pick<Context, "db">,
  accounts: readonly BriefAccount[],
  positions: Awaited<ReturnType<typeof readPositions>>,
): Promise<PositionFacts[]> {
  const coveredOf = new Map(
    await Promise.all(accounts.map(async ({ id }) => [id, await protectedQuantity(db, id)] as const)),
  );
  return positions.map(({ symbol, accountId, quantity, marketValue, currentPrice, stopPrice, ...row }) => {
    const covered = coveredOf.get(accountId)?.get(symbol) ?? ZERO;
    return {
      symbol,
      value: marketValue === null ? null : text(marketValue),
      pnl: row.unrealizedPnL === null ? null : text(row.unrealizedPnL),
      pnlPercent: row.unrealizedPnLPercent,
      isCovered: covered.gt(ZERO) && covered.gte(wholeShares(money(quantity))),
      toStop:
        currentPrice === null || stopPrice === null
          ? null
          : text(money(currentPrice).minus(stopPrice).times(money(quantity))),
    };
  });
}
