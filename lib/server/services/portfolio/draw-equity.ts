import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { portfolioApi } from "@/lib/contracts/portfolio.ts";
import type { MarketName } from "@/lib/domain/enums.ts";
import { thinned } from "@/lib/domain/equity-line.ts";
import { money, sum, type Money } from "@/lib/domain/money.ts";
import { addDays, newYork } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import { sessionOf } from "../../rows.ts";
import { readStarts } from "../equity/read-starts.ts";
import { accountsOfEnvironment } from "../../core/accounts-of-environment.ts";
import { readBenchmark, readBenchmarkPrice } from "../performance/read-benchmark.ts";

/** Past sessions give their closing point, the running session its points: a year is 252 points, not 20,000. */
const RUNNING_SESSION_POINTS = 500;
/** More closes than that are thinned to the lowest and highest of each stretch. */
const CLOSES_MOST = 2000;

type Line = Given<typeof portfolioApi.equity>;

interface Point {
  at: Date;
  equity: Money;
  netDeposits: Money;
  /** Its session; null for a first reading and inside the running session. */
  closed: Date | null;
}

/** The equity line of one environment, summed over its accounts: curves of different environments never mix. */
export async function drawEquity(context: Context<"user">, input: Received<typeof portfolioApi.equity>): Promise<Line> {
  const { db } = context;
  const { accounts, ...scope } = await accountsOfEnvironment(context, input.environment);
  const ids = accounts.map(({ id }) => id);
  if (ids.length === 0) return { ...scope, points: [], benchmark: [] };

  const [starts, closes] = await Promise.all([
    readStarts(db, ids),
    db.equityPoint.findMany({ where: { accountId: { in: ids }, isClose: true }, orderBy: { at: "asc" } }),
  ]);
  const lastClose = closes.at(-1)?.at ?? new Date(0);
  // What was made before the first close belongs to the line as well: it begins with each account's first reading.
  const firsts = await db.equityPoint.findMany({
    where: {
      isClose: false,
      OR: [...starts].map(([accountId, { at }]) => ({ accountId, at })),
      at: { lt: lastClose },
    },
  });
  const past = [...firsts, ...closes].sort((a, b) => a.at.getTime() - b.at.getTime());
  const running = await db.equityPoint.findMany({
    where: { accountId: { in: ids }, isClose: false, at: { gt: lastClose } },
    orderBy: { at: "desc" },
    take: RUNNING_SESSION_POINTS,
  });

  // Accounts are read at slightly different moments: each point carries the latest value of the others.
  const latest = new Map<string, { equity: Money; netDeposits: Money }>();
  const points: Point[] = [];
  for (const row of [...past, ...running.reverse()]) {
    // What an account had earned before its line begins is no gain of the line.
    const netDeposits = money(row.netDeposits).plus(starts.get(row.accountId)?.earned ?? 0);
    latest.set(row.accountId, { equity: money(row.equity), netDeposits });
    const values = [...latest.values()];
    const point: Point = {
      at: row.at,
      equity: sum(values.map((value) => value.equity)),
      netDeposits: sum(values.map((value) => value.netDeposits)),
      closed: row.isClose ? row.sessionDate : null,
    };
    if (points.at(-1)?.at.getTime() === row.at.getTime()) points.pop();
    points.push(point);
  }
  const isPast = ({ at }: Point) => at <= lastClose;
  const kept = thinned(points.filter(isPast), CLOSES_MOST, ({ equity }) => equity.toNumber());
  return {
    ...scope,
    points: [...kept, ...points.filter((point) => !isPast(point))].map(({ at, equity, netDeposits }) => ({
      at,
      equity,
      netDeposits,
    })),
    benchmark: await benchmarkOf(context, accounts[0]?.market ?? "US", kept, points.at(-1)),
  };
}

/**
 * SPY at the same closes, and at its close before a first reading; a close that is not known yet is left out. While a session runs
 * its price of now ends the line where the account's ends.
 */
async function benchmarkOf(
  context: Context,
  market: MarketName,
  past: readonly Point[],
  last: Point | undefined,
): Promise<Line["benchmark"]> {
  const [first] = past;
  if (!first || !last) return [];
  const isRunning = last.at > past.at(-1)!.at;
  const session = newYork(last.at).date;
  const [index, price] = await Promise.all([
    readBenchmark(context.db, market, newYork(first.at).date),
    isRunning ? readBenchmarkPrice(context, market, session, last.at.toISOString()) : null,
  ]);
  const now = price === null ? null : index.at(session, price);
  const closes = past.flatMap(({ at, closed }) => {
    const value = index.before(closed ? addDays(sessionOf(closed), 1) : newYork(at).date);
    return typeof value === "number" ? [{ at, value }] : [];
  });
  return now === null ? closes : [...closes, { at: last.at, value: now }];
}
