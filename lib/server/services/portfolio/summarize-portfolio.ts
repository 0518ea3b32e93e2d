import type { Given } from "@/lib/contracts/endpoint.ts";
import type { portfolioApi } from "@/lib/contracts/portfolio.ts";
import { money, sum, ZERO, type Money } from "@/lib/domain/money.ts";
import { addDays, newYork, type SessionDate } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import { dateOf, environmentLabel } from "../../rows.ts";
import { signedInUserId } from "../auth/signed-in-user-id.ts";
import { countDayTrades } from "./count-day-trades.ts";
import { listPositions } from "./list-positions.ts";

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
    account.figures?.asOf ? [{ ...account, figures: account.figures }] : [],
  );

  const periods = await Promise.all(
    known.map(async ({ id, figures }) => {
      const equity = money(figures.equity);
      const deposits = money(figures.netDeposits);
      const today = newYork(figures.asOf ?? new Date(0)).date;
      const change = async (through: SessionDate) => {
        const base = await baseline(context, id, through);
        return base ? equity.minus(base.equity).minus(deposits.minus(base.netDeposits)) : equity.minus(deposits);
      };
      return {
        day: await change(addDays(today, -1)),
        week: await change(addDays(today, -7)),
        month: await change(monthBefore(today)),
        total: equity.minus(deposits),
      };
    }),
  );

  const total = (pick: (figures: (typeof known)[number]["figures"]) => { toString(): string }): Money =>
    sum(known.map(({ figures }) => money(pick(figures))));
  const totalValue = total((figures) => figures.equity);
  const deposits = total((figures) => figures.netDeposits);
  const pnlTotal = sum(periods.map((period) => period.total));
  const asOf = known
    .map(({ figures }) => figures.asOf)
    .reduce<Date | null>((oldest, at) => (at && (!oldest || at < oldest) ? at : oldest), null);

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

/** Equity and deposits at the last close on or before a date; null when the account is younger. */
async function baseline(context: Context, accountId: string, through: SessionDate) {
  const point = await context.db.equityPoint.findFirst({
    where: { accountId, isClose: true, sessionDate: { lte: dateOf(through) } },
    orderBy: { sessionDate: "desc" },
  });
  return point ? { equity: money(point.equity), netDeposits: money(point.netDeposits) } : null;
}

/** The same day of the month before, or its last day: 2020-03-31 → 2020-02-29. */
function monthBefore(date: SessionDate): SessionDate {
  const [year = 0, month = 1, day = 1] = date.split("-").map(Number);
  const lastDay = new Date(Date.UTC(year, month - 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 2, Math.min(day, lastDay))).toISOString().slice(0, 10);
}
