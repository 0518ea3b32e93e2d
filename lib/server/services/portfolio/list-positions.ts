import type { Given } from "@/lib/contracts/endpoint.ts";
import type { portfolioApi } from "@/lib/contracts/portfolio.ts";
import { money } from "@/lib/domain/money.ts";
import type { Context } from "../../context.ts";
import { environmentLabel, moneyOrNull } from "../../rows.ts";
import { signedInUserId } from "../auth/signed-in-user-id.ts";

/** Open positions of the user's accounts, largest market value first. */
export async function listPositions({ actor, db }: Context): Promise<Given<typeof portfolioApi.positions>> {
  const rows = await db.position.findMany({
    where: { account: { userId: signedInUserId(actor), deletedAt: null } },
    include: { account: { select: { broker: true, environment: true } } },
    orderBy: [{ marketValue: { sort: "desc", nulls: "last" } }, { symbol: "asc" }],
  });
  return rows.map((row) => ({
    symbol: row.symbol,
    quantity: money(row.qty),
    averagePrice: money(row.avgEntryPrice),
    currentPrice: moneyOrNull(row.currentPrice),
    marketValue: moneyOrNull(row.marketValue),
    unrealizedPnL: moneyOrNull(row.unrealizedPnl),
    unrealizedPnLPercent:
      row.unrealizedPnlPercent === null ? null : money(row.unrealizedPnlPercent).times(100).toNumber(),
    stopPrice: moneyOrNull(row.stopPrice),
    targetPrice: moneyOrNull(row.targetPrice),
    strategy: row.strategy,
    openedAt: row.openedAt,
    accountId: row.accountId,
    environmentLabel: environmentLabel(row.account),
  }));
}
