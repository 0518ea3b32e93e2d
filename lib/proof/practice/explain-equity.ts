import { cents, money, sum, text, type DecimalText } from "@/lib/domain/money.ts";
import type { Context } from "@/lib/server/context.ts";

export interface ExplainedEquity {
  owner: string;
  /** The broker's figure, USD to the cent. */
  equity: DecimalText;
  /** What our own books make of it: deposits + realised + unrealised + dividends − fees, USD to the cent. */
  explained: DecimalText;
}

/**
 * The equity identity of every practice account (engine.md, accounting): where both figures are the same, lots,
 * realised P&L, dividends and fees are complete. The market must stand still meanwhile.
 */
export async function explainEquity(context: Context): Promise<ExplainedEquity[]> {
  const accounts = await context.db.account.findMany({
    where: { broker: "PRACTICE", deletedAt: null },
    include: {
      user: { select: { email: true } },
      figures: true,
      lots: { where: { qtyRemaining: { gt: 0 } } },
    },
    orderBy: { createdAt: "asc" },
  });
  const explained: ExplainedEquity[] = [];
  for (const { user, figures, lots, ...account } of accounts) {
    const broker = context.brokers.forAccount(account);
    const [balances, positions] = await Promise.all([broker.account(), broker.positions()]);
    const parts = [
      ...(figures
        ? [
            money(figures.netDeposits),
            money(figures.realizedPnl),
            money(figures.dividends),
            money(figures.fees).negated(),
          ]
        : []),
      ...positions.map(({ marketValue }) => money(marketValue)),
      ...lots.map((lot) => money(lot.qtyRemaining).times(money(lot.costPrice)).negated()),
    ];
    explained.push({
      owner: user.email,
      equity: text(cents(money(balances.equity))),
      explained: text(cents(sum(parts))),
    });
  }
  return explained;
}
