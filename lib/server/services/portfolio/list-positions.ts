import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { portfolioApi } from "@/lib/contracts/portfolio.ts";
import { money, type Money } from "@/lib/domain/money.ts";
import type { Context } from "../../context.ts";
import { environmentLabel, moneyOrNull } from "../../rows.ts";
import { accountsOfEnvironment } from "../../core/accounts-of-environment.ts";
import { readResting, type Resting } from "../orders/protected-quantity.ts";

/** Percent from a price to a line above or below it; null where one of them is unknown. */
function distancePercent(price: Money | null, line: Money | null): number | null {
  return price === null || line === null || price.isZero() ? null : line.div(price).minus(1).times(100).toNumber();
}

type Positions = Given<typeof portfolioApi.positions>;

/** Open positions of the accounts that the summary of the environment adds up. */
export async function listPositions(
  context: Context<"user">,
  { environment }: Received<typeof portfolioApi.positions>,
): Promise<Positions> {
  const { accounts } = await accountsOfEnvironment(context, environment);
  return readPositions(context, accounts);
}

type Held = Parameters<typeof environmentLabel>[0] & { id: string };

/**
 * Open positions of these accounts, largest market value first, with the stop and the target that rest at the broker for
 * them.
 */
export const readPositions = async (context: Pick<Context, "db">, accounts: readonly Held[]): Promise<Positions> =>
  (await readHeld(context, accounts)).positions;

/** The same, and what rests at the broker for them. */
export async function readHeld(
  { db }: Pick<Context, "db">,
  accounts: readonly Held[],
): Promise<{ positions: Positions; resting: Resting }> {
  const ids = accounts.map(({ id }) => id);
  const [rows, resting] = await Promise.all([
    db.position.findMany({
      where: { accountId: { in: ids } },
      orderBy: [{ marketValue: { sort: "desc", nulls: "last" } }, { symbol: "asc" }],
    }),
    readResting(db, ids),
  ]);
  const labels = new Map(accounts.map((account) => [account.id, environmentLabel(account)]));
  const positions = rows.map((row) => {
    const price = moneyOrNull(row.currentPrice);
    const { stop, target } = resting.levels(row.accountId, row.symbol);
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
      environmentLabel: labels.get(row.accountId)!,
    };
  });
  return { positions, resting };
}
