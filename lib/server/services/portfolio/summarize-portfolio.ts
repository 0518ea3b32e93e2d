import type { Given } from "@/lib/contracts/endpoint.ts";
import type { portfolioApi } from "@/lib/contracts/portfolio.ts";
import { money, sum, ZERO, type Money } from "@/lib/domain/money.ts";
import type { Context } from "../../context.ts";
import { environmentLabel } from "../../rows.ts";
import { signedInUserId } from "../auth/signed-in-user-id.ts";
import { countDayTrades } from "./count-day-trades.ts";
import { listPositions } from "./list-positions.ts";
import { readPnl } from "./read-pnl.ts";

/**
 * Figures over the user's active accounts. P&L of a period is the change of equity less external flows
 * (engine.md §12). Nothing historical is added up here: each figure is one row per account.
 */
export async function summarizePortfolio(context: Context): Promise<Given<typeof portfolioApi.summary>> {
  const { actor, db } = context;
  const accounts = await db.account.findMany({
    where: { userId: signedInUserId(actor), deletedAt: null, status: { not: "INACTIVE" } },
    include: { figures: true },
    orderBy: { createdAt: "asc" },
  });
  // An account that was never read at its broker has no figures yet: it adds nothing rather than a guess.
  const known = accounts.flatMap((account) =>
    account.figures?.asOf ? [{ ...account, figures: { ...account.figures, asOf: account.figures.asOf } }] : [],
  );

  const periods = await Promise.all(known.map(({ figures }) => readPnl(db, figures)));

  const total = (pick: (figures: (typeof known)[number]["figures"]) => { toString(): string }): Money =>
    sum(known.map(({ figures }) => money(pick(figures))));
  const totalValue = total((figures) => figures.equity);
  const deposits = total((figures) => figures.netDeposits);
  const pnlTotal = sum(periods.map((period) => period.total));
  const asOf = known
    .map(({ figures }) => figures.asOf)
    .reduce<Date | null>((oldest, at) => (!oldest || at < oldest ? at : oldest), null);

  return {
    totalValue,
    totalPnL: pnlTotal,
    totalPnLPercent: deposits.gt(ZERO) ? pnlTotal.div(deposits).times(100).toNumber() : null,
    pnlDay: sum(periods.map((period) => period.day)),
    pnlWeek: sum(periods.map((period) => period.week)),
    pnlMonth: sum(periods.map((period) => period.month)),
    pnlTotal,
    cash: total((figures) => figures.cash),
    buyingPower: total((figures) => figures.buyingPower),
    dayTradeCount: await countDayTrades(
      context,
      known.map(({ id }) => id),
    ),
    positions: await listPositions(context),
    environments: [...new Set(known.map(environmentLabel))],
    asOf,
  };
}
