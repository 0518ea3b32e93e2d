import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { performanceApi } from "@/lib/contracts/performance.ts";
import type { MarketName } from "@/lib/domain/enums.ts";
import { weekHeadline, weekRefusals } from "@/lib/domain/insight/week-review.ts";
import { sessionsBetween } from "@/lib/domain/market-calendar.ts";
import { type Money, money, sum } from "@/lib/domain/money.ts";
import { addDays, newYork, type SessionDate } from "@/lib/domain/time.ts";
import { mondayOf, type TradingWeek, weekFrom } from "@/lib/domain/weeks.ts";
import type { Context } from "../../context.ts";
import { type Db, Prisma } from "../../db.ts";
import type { WeekFigures } from "../../mail/mail-props.ts";
import { dateOf, sessionOf } from "../../rows.ts";
import { accountsOfEnvironment, isOneOf, type Scope } from "../../core/accounts-of-environment.ts";
import { type AccountStart, isSinceAdded, readStarts } from "../equity/read-starts.ts";
import { readTrips } from "./list-round-trips.ts";
import { isRunning, marketTime } from "./market-time.ts";
import { isWithin } from "./period.ts";
import { readHeld } from "./read-held.ts";
import { isClosedIn } from "./read-trip-figures.ts";
import { readPerformance } from "./read-performance.ts";
import { readFees } from "./read-trading.ts";
import { isQuiet, weekFigures } from "./week-figures.ts";

type Answer = Given<typeof performanceApi.week>;
type Figures = NonNullable<Answer["figures"]>;

const TRIPS_MOST = 200;
/** A week of decisions every few minutes in some accounts. */
const LINES_MOST = 10_000;

/** A week of one environment: the figures of its mail, and what they are made of. */
export async function readWeek(
  context: Context<"user">,
  { week: date, environment: wanted }: Received<typeof performanceApi.week>,
): Promise<Answer> {
  const { db } = context;
  const week = weekFrom(mondayOf(date));
  const { accounts, ...scope } = await accountsOfEnvironment(context, wanted);
  const [first, ...others] = accounts;
  if (!first) return { ...scope, ...nothingOf(week) };
  const period = { from: addDays(week.monday, -2), to: week.friday };
  const performance = await readPerformance(context, {
    ...period,
    ...(scope.environment === null ? {} : { environment: scope.environment }),
  });
  const span = { from: new Date(week.from), to: new Date(week.to) };
  const starts = await readStarts(
    db,
    accounts.map(({ id }) => id),
  );
  const [now, mailed, traded, fees, trips, held, regimes, refusals] = await Promise.all([
    marketTime(context, first.market, accounts),
    wallOf(db, first.market, week).then((wall) =>
      weekFigures(db, { userId: context.actor.userId, accounts: [first, ...others], span, wall }),
    ),
    readTraded(db, accounts, starts, period),
    readFees(db, accounts, period, starts),
    readTrips(db, accounts, {
      where: isClosedIn(period, starts),
      order: Prisma.sql`"closedAt" desc, "id" desc`,
      limit: TRIPS_MOST,
    }),
    readHeld(db, accounts, span.to),
    readRegimes(db, first.market, week),
    readRefusals(db, { market: first.market, accounts }, span),
  ]);
  const figures = mailed && figuresOf(mailed, performance, { ...traded, fees });
  const hasBegun = now.toISOString() >= week.from;
  const isKnown = figures !== null && mailed !== null && hasBegun;
  const results = new Map(performance.days.map((day) => [day.session, day]));
  const isRun = isRunning(week.monday, now);
  return {
    ...scope,
    ...week,
    ...besides(
      week.monday,
      [...starts.values()].map(({ at }) => at),
      now,
    ),
    isRunning: isRun,
    asOf: performance.asOf,
    headline: weekHeadline(
      isKnown && !(isQuiet(mailed) && performance.days.length === 0)
        ? { ...mailed, value: figures.value, spy: figures.spy, isRunning: isRun }
        : null,
    ),
    figures: isKnown ? figures : null,
    sessions: sessionsBetween(week.monday, week.friday).map((session) => ({
      session,
      pnl: results.get(session)?.pnl ?? null,
      value: results.get(session)?.value ?? null,
      regime: regimes.get(session) ?? null,
    })),
    trips,
    moreTrips: mailed === null ? 0 : Math.max(0, mailed.wins + mailed.losses + mailed.scratches - trips.length),
    ...(hasBegun ? held : NOTHING_HELD),
    refusals,
  };
}

const NOTHING_HELD = { held: [], risk: { atStops: money(0), unknown: 0 } };

const nothingOf = ({ monday, friday }: TradingWeek): Omit<Answer, "environment" | "environments"> => ({
  monday,
  friday,
  previous: null,
  next: null,
  isRunning: false,
  asOf: null,
  headline: weekHeadline(null),
  figures: null,
  sessions: [],
  trips: [],
  moreTrips: 0,
  ...NOTHING_HELD,
  refusals: { decisions: 0, groups: [] },
});

/** The weeks to go to from this one: from the first reading on until the market's own week. */
function besides(monday: SessionDate, starts: readonly Date[], now: Date): Pick<Answer, "previous" | "next"> {
  if (starts.length === 0) return { previous: null, next: null };
  const first = mondayOf(newYork(new Date(Math.min(...starts.map((at) => at.getTime())))).date);
  const current = mondayOf(newYork(now).date);
  const [earlier, later] = [addDays(monday, -7), addDays(monday, 7)];
  return {
    previous: monday <= first ? null : earlier < current ? earlier : current,
    next: monday >= current ? null : later > first ? later : first,
  };
}

interface Traded {
  bought: Figures["bought"];
  sold: Figures["sold"];
  fees: Money;
}

function figuresOf(
  mailed: WeekFigures,
  { figures, comparison, days }: Awaited<ReturnType<typeof readPerformance>>,
  traded: Traded,
): Figures {
  const of = (id: string) => figures.find((figure) => figure.id === id)?.value ?? null;
  const value = of("timeWeightedReturn");
  const { equityStart, equityEnd, netDeposits, pnl, realizedPnl, best, worst, exits, ...rest } = mailed;
  const named = (trip: WeekFigures["best"]) => trip && { ...trip, pnl: money(trip.pnl) };
  return {
    equityStart: equityStart === null ? null : money(equityStart),
    equityEnd: money(equityEnd),
    netDeposits: money(netDeposits),
    pnl: money(pnl),
    realizedPnl: money(realizedPnl),
    value,
    // SPY stands beside the account only from the same start to the same end.
    spy: comparison !== null && comparison.value === value ? comparison.spy : null,
    ...traded,
    wins: rest.wins,
    losses: rest.losses,
    scratches: rest.scratches,
    best: named(best),
    worst: named(worst),
    exits: exits.map((exit) => ({ ...exit, pnl: money(exit.pnl) })),
    halts: rest.halts.map((halt) => ({ ...halt, at: new Date(halt.at) })),
    besideSessions: money(pnl).minus(sum(days.map((day) => money(day.pnl)))),
  };
}

async function readTraded(
  db: Db,
  accounts: Scope["accounts"],
  starts: ReadonlyMap<string, AccountStart>,
  period: { from: SessionDate; to: SessionDate },
) {
  const at = Prisma.sql`"at"`;
  const rows = await db.$queryRaw<{ side: string; orders: number; value: string }[]>`
    select "side"::text as "side", count(distinct "orderId")::int as "orders", sum("qty" * "price")::text as "value"
    from "Fill" where ${isOneOf(accounts)} and ${isWithin(at, period)} and ${isSinceAdded(starts, at)} group by "side"`;
  const of = (side: string): { orders: number; value: Money } => {
    const row = rows.find((each) => each.side === side);
    return { orders: row?.orders ?? 0, value: money(row?.value ?? 0) };
  };
  return { bought: of("BUY"), sold: of("SELL") };
}

async function readRegimes(db: Db, market: MarketName, { monday, friday }: TradingWeek) {
  const rows = await db.regimeReading.findMany({
    where: { market, sessionDate: { gte: dateOf(monday), lte: dateOf(friday) } },
    select: { sessionDate: true, label: true },
  });
  return new Map(rows.map(({ sessionDate, label }) => [sessionOf(sessionDate), label]));
}

/** Null where decisions of the week are no longer kept: what is left of them would pass for all. */
async function readRefusals(
  db: Db,
  { market, accounts }: { market: MarketName; accounts: Scope["accounts"] },
  { from, to }: { from: Date; to: Date },
): Promise<Answer["refusals"]> {
  const rows = await db.decisionRecord.findMany({
    where: { accountId: { in: accounts.map(({ id }) => id) }, decidedAt: { gt: from, lte: to } },
    select: { line: true },
    orderBy: { decidedAt: "desc" },
    take: LINES_MOST,
  });
  // Read last: a cycle drops its snapshot before a decision of it is deleted (cycles/purge-decisions.ts).
  const released = await db.cycle.findFirst({
    where: { market, startedAt: { gt: from, lte: to }, snapshotId: null },
    select: { id: true },
  });
  return released === null ? weekRefusals(rows.map(({ line }) => line)) : null;
}

/** The week in wall time: that of the US market is its own, the practice market's is when its cycles ran. */
async function wallOf(db: Db, market: MarketName, { from, to }: TradingWeek) {
  if (market === "US") return { from, to };
  const { _min, _max } = await db.cycle.aggregate({
    where: { market, startedAt: { gt: new Date(from), lte: new Date(to) } },
    _min: { createdAt: true },
    _max: { createdAt: true },
  });
  if (_min.createdAt === null || _max.createdAt === null) return null;
  return { from: _min.createdAt.toISOString(), to: _max.createdAt.toISOString() };
}
