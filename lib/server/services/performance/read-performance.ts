import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { performanceApi } from "@/lib/contracts/performance.ts";
import { NO_BENCHMARK } from "@/lib/domain/benchmark.ts";
import type { EquityAt } from "@/lib/domain/growth.ts";
import { sum, ZERO } from "@/lib/domain/money.ts";
import { performanceOf } from "@/lib/domain/performance.ts";
import { addDays, newYork, type SessionDate } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import { Prisma } from "../../db.ts";
import { readStarts } from "../equity/read-starts.ts";
import { accountsOfEnvironment, type Scope } from "../../core/accounts-of-environment.ts";
import { readTrips } from "./list-round-trips.ts";
import { checkPeriod, type Period } from "./period.ts";
import { readBenchmark, readBenchmarkPrice } from "./read-benchmark.ts";
import { type Close, latestOf, readCloses } from "./read-closes.ts";
import { readBooks } from "./read-statement.ts";
import { readTrading } from "./read-trading.ts";
import { readExposure } from "./read-sectors.ts";
import { isClosedIn, readDistribution, readTripFigures } from "./read-trip-figures.ts";

type Answer = Given<typeof performanceApi.read>;

/** Round trips shown as the best and the worst. */
const EXTREMES = 5;

/** Every figure of one environment over a period; the statement is of the whole time, whatever the period. */
export async function readPerformance(
  context: Context<"user">,
  input: Received<typeof performanceApi.read>,
): Promise<Answer> {
  checkPeriod(input);
  const { db } = context;
  const scope = await accountsOfEnvironment(context, input.environment);
  const { accounts, environment, environments } = scope;
  if (accounts.length === 0) return { ...NOTHING, environment, environments };
  const starts = await readStarts(
    db,
    accounts.map(({ id }) => id),
  );
  const [books, closes] = await Promise.all([readBooks(db, accounts), readCloses(db, accounts, starts)]);
  const { inside, before, running } = cut(closes, latestOf(books, starts), input);
  const market = accounts[0]?.market ?? "US";
  const first = inside[0]?.session ?? running?.session;
  const lastSession = inside.at(-1)?.session ?? null;
  const equity = (running ?? inside.at(-1))?.equity ?? null;
  const [benchmark, benchmarkPrice, { totals, ...groups }, trading, extremes, distribution, exposure] =
    await Promise.all([
      first === undefined ? NO_BENCHMARK : readBenchmark(db, market, before ? addDays(before.session, 1) : first),
      running === null || books === null
        ? null
        : readBenchmarkPrice(context, market, running.session, books.asOf.toISOString()),
      readTripFigures(db, accounts, input, starts),
      readTrading(db, accounts, input, { starts, lastSession }),
      readExtremes(context, accounts, isClosedIn(input, starts)),
      readDistribution(db, accounts, input, starts),
      readExposure(db, accounts, books?.statement?.equity ?? null),
    ]);
  const { figures, comparison, fall, calendar, days } = performanceOf({
    closes: inside,
    before,
    running,
    benchmark,
    benchmarkPrice,
    trips: totals,
    ...trading,
    exposures: inside.flatMap(({ exposure }) => (exposure === null ? [] : [exposure])),
  });
  const { wins, losses, scratches } = totals;
  return {
    environment,
    environments,
    accounts: books?.accounts ?? 0,
    asOf: books?.oldestAt ?? null,
    newestDay: books && newYork(books.asOf).date,
    firstSession: inside[0]?.session ?? null,
    lastSession,
    sessions: inside.length,
    equity,
    earnedBefore: before === null ? sum([...starts.values()].map(({ earned }) => earned)) : ZERO,
    figures,
    comparison: comparison && {
      ...comparison,
      at: comparison.isRunning && books !== null ? books.asOf : null,
    },
    trips: { total: wins + losses + scratches, wins, losses, scratches },
    fall,
    days,
    years: calendar,
    ...groups,
    distribution,
    exposure,
    ...extremes,
    statement: books?.statement ?? null,
  };
}

const NOTHING: Omit<Answer, "environment" | "environments"> = {
  accounts: 0,
  asOf: null,
  newestDay: null,
  firstSession: null,
  lastSession: null,
  sessions: 0,
  equity: null,
  earnedBefore: ZERO,
  figures: [],
  comparison: null,
  trips: { total: 0, wins: 0, losses: 0, scratches: 0 },
  fall: null,
  days: [],
  years: [],
  byExit: [],
  byStrategy: [],
  byRegime: [],
  bySymbol: [],
  symbols: 0,
  bySector: [],
  distribution: [],
  exposure: [],
  best: [],
  worst: [],
  statement: null,
};

interface Cut {
  inside: Close[];
  /** The close before the period; null when it begins with the accounts. */
  before: EquityAt | null;
  /** The latest reading, when it is newer than the last close and inside the period. */
  running: EquityAt | null;
}

function cut(closes: Close[], latest: EquityAt | null, { from = "", to = "9999-12-31" }: Period): Cut {
  const isInside = ({ session }: { session: SessionDate }) => session >= from && session <= to;
  const before = closes.filter(({ session }) => session < from).at(-1) ?? null;
  const isNewer = latest !== null && latest.session > (closes.at(-1)?.session ?? "");
  return { inside: closes.filter(isInside), before, running: isNewer && isInside(latest) ? latest : null };
}

async function readExtremes({ db }: Context, accounts: Scope["accounts"], isInside: Prisma.Sql) {
  const [best, worst] = await Promise.all([
    readTrips(db, accounts, {
      where: Prisma.sql`${isInside} and "outcome" = 'WIN'`,
      order: Prisma.sql`"pnl" desc, "id"`,
      limit: EXTREMES,
    }),
    readTrips(db, accounts, {
      where: Prisma.sql`${isInside} and "outcome" = 'LOSS'`,
      order: Prisma.sql`"pnl", "id"`,
      limit: EXTREMES,
    }),
  ]);
  return { best, worst };
}
