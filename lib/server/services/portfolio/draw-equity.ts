import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { portfolioApi } from "@/lib/contracts/portfolio.ts";
import { money, ZERO, type Money } from "@/lib/domain/money.ts";
import type { Context } from "../../context.ts";
import { environmentLabel } from "../../rows.ts";
import { signedInUserId } from "../auth/signed-in-user-id.ts";

/** Past sessions give their closing point, the running session its points: a year is 252 points, not 20,000. */
const RUNNING_SESSION_POINTS = 500;

/** The equity line of one environment, summed over its accounts: curves of different environments never mix. */
export async function drawEquity(
  { actor, db }: Context,
  input: Received<typeof portfolioApi.equity>,
): Promise<Given<typeof portfolioApi.equity>> {
  const accounts = await db.account.findMany({
    where: { userId: signedInUserId(actor), deletedAt: null },
    select: { id: true, broker: true, environment: true },
    orderBy: { createdAt: "asc" },
  });
  const environment = input.environment ?? accounts.map(environmentLabel)[0] ?? null;
  const ids = accounts.filter((account) => environmentLabel(account) === environment).map((account) => account.id);
  if (ids.length === 0) return { environment, points: [] };

  const closes = await db.equityPoint.findMany({
    where: { accountId: { in: ids }, isClose: true },
    orderBy: { at: "asc" },
  });
  const lastClose = closes.at(-1)?.at ?? new Date(0);
  const running = await db.equityPoint.findMany({
    where: { accountId: { in: ids }, isClose: false, at: { gt: lastClose } },
    orderBy: { at: "desc" },
    take: RUNNING_SESSION_POINTS,
  });

  // Accounts are read at slightly different moments: each point carries the latest value of the others.
  const latest = new Map<string, { equity: Money; netDeposits: Money }>();
  const points: { at: Date; equity: Money; netDeposits: Money }[] = [];
  for (const row of [...closes, ...running.reverse()]) {
    latest.set(row.accountId, { equity: money(row.equity), netDeposits: money(row.netDeposits) });
    let equity = ZERO;
    let netDeposits = ZERO;
    for (const value of latest.values()) {
      equity = equity.plus(value.equity);
      netDeposits = netDeposits.plus(value.netDeposits);
    }
    const last = points.at(-1);
    if (last && last.at.getTime() === row.at.getTime()) points[points.length - 1] = { at: row.at, equity, netDeposits };
    else points.push({ at: row.at, equity, netDeposits });
  }
  return { environment, points };
}
