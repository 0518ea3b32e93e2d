import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { portfolioApi } from "@/lib/contracts/portfolio.ts";
import { accountTitle } from "@/lib/domain/account-title.ts";
import { money, sum, ZERO, type Money } from "@/lib/domain/money.ts";
import { newYork } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import { accountsOfEnvironment } from "../../core/accounts-of-environment.ts";
import { countDayTrades } from "../equity/count-day-trades.ts";
import { readPositions } from "./list-positions.ts";
import { newestDay, readPnls, sumOfPnls } from "../equity/read-pnl.ts";

/**
 * Figures over the user's active accounts of one environment. P&L of a period is the change of equity less external flows
 * (engine.md §12). Nothing historical is added up here: each figure is one row per account.
 */
export async function summarizePortfolio(
  context: Context<"user">,
  { environment: wanted }: Received<typeof portfolioApi.summary>,
): Promise<Given<typeof portfolioApi.summary>> {
  const { db } = context;
  const { environment, environments, accounts } = await accountsOfEnvironment(context, wanted);
  const rows = await db.accountFigures.findMany({ where: { accountId: { in: accounts.map(({ id }) => id) } } });
  // An account that was never read at its broker has no figures yet: it adds nothing rather than a guess.
  const known = rows.flatMap(({ asOf, ...figures }) => (asOf ? [{ ...figures, asOf }] : []));
  const inSums = known.map(({ accountId }) => accountId);
  // The day of an account that was last read on an earlier one is not known: that one's P&L does not stand for it.
  const newest = newestDay(known);
  const [periods, dayTradeCount, positions] = await Promise.all([
    readPnls(db, known),
    countDayTrades(context, inSums),
    readPositions(context, accounts),
  ]);

  const total = (pick: (figures: (typeof known)[number]) => { toString(): string }): Money =>
    sum(known.map((figures) => money(pick(figures))));
  const byAccount = periods.map(({ day, ...period }, nth) => ({
    ...period,
    accountId: inSums[nth]!,
    day: newYork(known[nth]!.asOf).date === newest ? day : null,
  }));
  const isIn = (id: string, period: "day" | "week" | "month") =>
    byAccount.some((each) => each.accountId === id && each[period] !== null);
  const totalValue = total((figures) => figures.equity);
  const deposits = total((figures) => figures.netDeposits);
  const pnlTotal = sum(periods.map((period) => period.total));
  const asOf = known.reduce<Date | null>((oldest, { asOf: at }) => (!oldest || at < oldest ? at : oldest), null);

  return {
    environment,
    environments,
    accounts: accounts.map(({ id, ...account }) => ({
      id,
      name: accountTitle({ id, ...account }),
      isInSums: inSums.includes(id),
      isInDay: isIn(id, "day"),
      isInWeek: isIn(id, "week"),
      isInMonth: isIn(id, "month"),
    })),
    totalValue,
    totalPnL: pnlTotal,
    totalPnLPercent: deposits.gt(ZERO) ? pnlTotal.div(deposits).times(100).toNumber() : null,
    pnlDay: sumOfPnls(byAccount.map(({ day }) => day)),
    pnlWeek: sumOfPnls(byAccount.map(({ week }) => week)),
    pnlMonth: sumOfPnls(byAccount.map(({ month }) => month)),
    pnlTotal,
    pnlSinceAdded: sum(periods.map((period) => period.total.minus(period.earned))),
    cash: total((figures) => figures.cash),
    buyingPower: total((figures) => figures.buyingPower),
    dayTradeCount,
    positions,
    asOf,
  };
}
