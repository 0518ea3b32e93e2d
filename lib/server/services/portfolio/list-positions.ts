import type { Given } from "@/lib/contracts/endpoint.ts";
import type { portfolioApi } from "@/lib/contracts/portfolio.ts";
import { money, type Money } from "@/lib/domain/money.ts";
import type { Context } from "../../context.ts";
import { environmentLabel, moneyOrNull } from "../../rows.ts";
import { signedInUserId } from "../auth/signed-in-user-id.ts";
import { restingLevels } from "../orders/protected-quantity.ts";

/** Percent from a price to a line above or below it; null where one of them is unknown. */
function distancePercent(price: Money | null, line: Money | null): number | null {
  return price === null || line === null || price.isZero() ? null : line.div(price).minus(1).times(100).toNumber();
}

/**
 * Open positions of the accounts that the summary adds up, largest market value first, with the stop and the target that
 * rest at the broker for them.
 */
export async function listPositions({ actor, db }: Context): Promise<Given<typeof portfolioApi.positions>> {
  const rows = await db.position.findMany({
    where: { account: { userId: signedInUserId(actor), deletedAt: null, status: { not: "INACTIVE" } } },
    include: { account: { select: { broker: true, environment: true } } },
    orderBy: [{ marketValue: { sort: "desc", nulls: "last" } }, { symbol: "asc" }],
  });
  const levels = await restingLevels(db, [...new Set(rows.map(({ accountId }) => accountId))]);
  return rows.map((row) => {
    const price = moneyOrNull(row.currentPrice);
    const { stop, target } = levels(row.accountId, row.symbol);
    return {
      symbol: row.symbol,
      quantity: money(row.qty),
      averagePrice: money(row.avgEntryPrice),
      currentPrice: price,
      marketValue: moneyOrNull(row.marketValue),
      unrealizedPnL: moneyOrNull(row.unrealizedPnl),
      unrealizedPnLPercent:
        row.unrealizedPnlPercent === null ? null : money(row.unrealizedPnlPercent).times(100).toNumber(),
      stopPrice: stop,
      targetPrice: target,
      stopDistancePercent: distancePercent(price, stop),
      targetDistancePercent: distancePercent(price, target),
      strategy: row.strategy,
      openedAt: row.openedAt,
      accountId: row.accountId,
      environmentLabel: environmentLabel(row.account),
    };
  });
}
