import { REASON_TEXT } from "@/lib/domain/engine/reasons.ts";
import { MARKET_LABEL } from "@/lib/domain/insight/market-text.ts";
import { money, ZERO } from "@/lib/domain/money.ts";
import { type TripTotals, tripProfitFactor, tripWinRate } from "@/lib/domain/performance.ts";
import { type MarketName, STRATEGY_NAMES } from "@/lib/domain/enums.ts";
import { NO_SECTOR } from "@/lib/domain/sectors.ts";
import { STRATEGIES } from "@/lib/domain/strategies/strategies.ts";
import { byText } from "@/lib/domain/text-order.ts";
import { type Db, Prisma } from "../../db.ts";
import { isOneOf } from "../../core/accounts-of-environment.ts";
import { type AccountStart, isSinceAdded } from "../equity/read-starts.ts";
import { isWithin, type Period } from "./period.ts";
import { readSectors } from "./read-sectors.ts";

type Dimension = "strategy" | "regime" | "exitReason" | "symbol";

interface Row {
  level: number;
  strategy: string | null;
  regime: string | null;
  exitReason: string | null;
  symbol: string | null;
  trips: number;
  wins: number;
  losses: number;
  pnl: string;
  won: string;
  lost: string;
  gains: string;
  falls: string;
}

/** grouping() has a bit per column that the row is not grouped by: strategy 8, regime 4, exit reason 2, symbol 1. */
const LEVELS = { all: 15, strategy: 7, regime: 11, exitReason: 13, symbol: 14 } as const;

/** Symbols shown from either end, of those that made the most and those that lost the most. */
const SYMBOLS_SHOWN = 10;

/** Limits of the distribution's bars, fractions of the entry value. */
const BAR_LIMITS = [-0.1, -0.05, -0.02, -0.01, 0, 0.01, 0.02, 0.05, 0.1] as const;

const NAMES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(STRATEGY_NAMES.map((strategy) => [strategy, STRATEGIES[strategy].label])),
  ...MARKET_LABEL,
};
const UNNAMED: Record<Dimension, string> = {
  strategy: "No strategy (placed elsewhere)",
  regime: "Not recorded",
  exitReason: "Placed elsewhere",
  symbol: "No symbol",
};

export function exitText(reason: string): string {
  return (REASON_TEXT as Record<string, string>)[reason] ?? reason;
}

const EMPTY: TripTotals = {
  wins: 0,
  losses: 0,
  scratches: 0,
  pnl: ZERO,
  won: ZERO,
  lost: ZERO,
  gains: ZERO,
  falls: ZERO,
};

function totalsOf(row: Row): TripTotals {
  return {
    wins: row.wins,
    losses: row.losses,
    scratches: row.trips - row.wins - row.losses,
    pnl: money(row.pnl),
    won: money(row.won),
    lost: money(row.lost),
    gains: money(row.gains),
    falls: money(row.falls),
  };
}

type Starts = ReadonlyMap<string, AccountStart>;

const CLOSED_AT = Prisma.sql`"closedAt"`;

/** Round trips that ended in the period, and after the figures of their accounts begin. */
export const isClosedIn = (period: Period, starts: Starts): Prisma.Sql =>
  Prisma.sql`"closedAt" is not null and ${isWithin(CLOSED_AT, period)} and ${isSinceAdded(starts, CLOSED_AT)}`;

/** How many closed round trips of the period ended where, by P&L over entry value. */
export async function readDistribution(db: Db, accounts: readonly { id: string }[], period: Period, starts: Starts) {
  const rows = await db.$queryRaw<{ bar: number; trips: number }[]>`
    select width_bucket("pnl" / "entryValue", ${[...BAR_LIMITS]}::numeric[]) as "bar", count(*)::int as "trips"
    from "RoundTrip"
    where ${isOneOf(accounts)} and "entryValue" > 0 and ${isClosedIn(period, starts)}
    group by 1`;
  const trips = new Map(rows.map((row) => [row.bar, row.trips]));
  return [null, ...BAR_LIMITS].map((from, bar) => ({ from, to: BAR_LIMITS[bar] ?? null, trips: trips.get(bar) ?? 0 }));
}

/** Closed round trips of the period in one pass: all together, and by strategy, regime at entry, reason of the exit, symbol and sector. */
export async function readTripFigures(
  db: Db,
  accounts: readonly { id: string; market: MarketName }[],
  period: Period,
  starts: Starts,
) {
  const rows = await db.$queryRaw<Row[]>`
    select grouping("strategy", "regime", "exitReason", "symbol") as "level",
      "strategy"::text, "regime"::text, "exitReason", "symbol",
      count(*)::int as "trips",
      count(*) filter (where "outcome" = 'WIN')::int as "wins", count(*) filter (where "outcome" = 'LOSS')::int as "losses",
      coalesce(sum("pnl"), 0)::text as "pnl",
      coalesce(sum("pnl") filter (where "outcome" = 'WIN'), 0)::text as "won",
      coalesce(sum("pnl") filter (where "outcome" = 'LOSS'), 0)::text as "lost",
      coalesce(sum("pnl") filter (where "pnl" > 0), 0)::text as "gains",
      coalesce(sum("pnl") filter (where "pnl" < 0), 0)::text as "falls"
    from "RoundTrip"
    where ${isOneOf(accounts)} and ${isClosedIn(period, starts)}
    group by grouping sets ((), ("strategy"), ("regime"), ("exitReason"), ("symbol"))`;
  const all = rows.find(({ level }) => level === LEVELS.all);
  const by = (dimension: Dimension) =>
    rows
      .filter(({ level }) => level === LEVELS[dimension])
      .map((row) => {
        const key = row[dimension];
        return groupOf(key ?? "none", key === null ? UNNAMED[dimension] : (NAMES[key] ?? exitText(key)), totalsOf(row));
      })
      .sort(byPnl);
  const bySymbol = by("symbol");
  return {
    totals: all ? totalsOf(all) : EMPTY,
    byStrategy: by("strategy"),
    byRegime: by("regime"),
    byExit: by("exitReason"),
    symbols: bySymbol.length,
    bySymbol:
      bySymbol.length <= 2 * SYMBOLS_SHOWN
        ? bySymbol
        : [...bySymbol.slice(0, SYMBOLS_SHOWN), ...bySymbol.slice(-SYMBOLS_SHOWN)],
    bySector: await bySectorOf(db, accounts, rows),
  };
}

type Group = ReturnType<typeof groupOf>;

function groupOf(key: string, name: string, totals: TripTotals) {
  const { wins, losses, scratches, pnl } = totals;
  return {
    key,
    name,
    trips: wins + losses + scratches,
    wins,
    losses,
    winRate: tripWinRate(totals),
    profitFactor: tripProfitFactor(totals),
    pnl,
  };
}

const byPnl = (a: Group, b: Group) => b.pnl.cmp(a.pnl) || byText(a.key, b.key);

/** Sectors as the latest selection that seated a symbol knows them. */
async function bySectorOf(db: Db, accounts: readonly { market: MarketName }[], rows: readonly Row[]): Promise<Group[]> {
  const ofSymbols = rows.filter(({ level, symbol }) => level === LEVELS.symbol && symbol !== null);
  const sectors = await readSectors(
    db,
    accounts,
    ofSymbols.map(({ symbol }) => symbol!),
  );
  const totals = new Map<string, TripTotals>();
  for (const row of ofSymbols) {
    const sector = sectors.get(row.symbol!) ?? NO_SECTOR;
    totals.set(sector, added(totals.get(sector) ?? EMPTY, totalsOf(row)));
  }
  return [...totals].map(([sector, sum]) => groupOf(sector, sector, sum)).sort(byPnl);
}

const added = (a: TripTotals, b: TripTotals): TripTotals => ({
  wins: a.wins + b.wins,
  losses: a.losses + b.losses,
  scratches: a.scratches + b.scratches,
  pnl: a.pnl.plus(b.pnl),
  won: a.won.plus(b.won),
  lost: a.lost.plus(b.lost),
  gains: a.gains.plus(b.gains),
  falls: a.falls.plus(b.falls),
});
