import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { portfolioApi } from "@/lib/contracts/portfolio.ts";
import { thinned } from "@/lib/domain/equity-line.ts";
import { money, ZERO, type Money } from "@/lib/domain/money.ts";
import { addDays } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import { sessionOf } from "../../rows.ts";
import { accountsOfEnvironment } from "../performance/accounts-of-environment.ts";
import { readBenchmark } from "../performance/read-benchmark.ts";

/** Past sessions give their closing point, the running session its points: a year is 252 points, not 20,000. */
const RUNNING_SESSION_POINTS = 500;
/** More closes than that are thinned to the lowest and highest of each stretch. */
const CLOSES_MOST = 2000;

type Line = Given<typeof portfolioApi.equity>;

interface Point {
  at: Date;
  equity: Money;
  netDeposits: Money;
  /** Its session; null inside the running one. */
  closed: Date | null;
}

/** The equity line of one environment, summed over its accounts: curves of different environments never mix. */
export async function drawEquity(context: Context, input: Received<typeof portfolioApi.equity>): Promise<Line> {
  const { db } = context;
  const { environment, accounts } = await accountsOfEnvironment(context, input.environment);
  const ids = accounts.map(({ id }) => id);
  if (ids.length === 0) return { environment, points: [], benchmark: [] };

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
  const points: Point[] = [];
  for (const row of [...closes, ...running.reverse()]) {
    latest.set(row.accountId, { equity: money(row.equity), netDeposits: money(row.netDeposits) });
    let equity = ZERO;
    let netDeposits = ZERO;
    for (const value of latest.values()) {
      equity = equity.plus(value.equity);
      netDeposits = netDeposits.plus(value.netDeposits);
    }
    const point = { at: row.at, equity, netDeposits, closed: row.isClose ? row.sessionDate : null };
    if (points.at(-1)?.at.getTime() === row.at.getTime()) points.pop();
    points.push(point);
  }
  const isClosed = points.filter(({ closed }) => closed !== null);
  const kept = thinned(isClosed, CLOSES_MOST, ({ equity }) => equity.toNumber());
  return {
    environment,
    points: [...kept, ...points.filter(({ closed }) => closed === null)].map(({ at, equity, netDeposits }) => ({
      at,
      equity,
      netDeposits,
    })),
    benchmark: await benchmarkOf(context, accounts[0]?.market ?? "US", kept),
  };
}

/** SPY at the same closes; a close that is not known yet is left out. */
async function benchmarkOf(
  { db }: Context,
  market: "PRACTICE" | "US",
  closes: readonly Point[],
): Promise<Line["benchmark"]> {
  const first = closes[0]?.closed;
  if (!first) return [];
  const closeBefore = await readBenchmark(db, market, sessionOf(first));
  return closes.flatMap(({ at, closed }) => {
    const value = closed && closeBefore(addDays(sessionOf(closed), 1));
    return typeof value === "number" ? [{ at, value }] : [];
  });
}
