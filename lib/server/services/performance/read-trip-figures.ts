import { REASON_TEXT } from "@/lib/domain/engine/reasons.ts";
import { money, ZERO } from "@/lib/domain/money.ts";
import { type TripTotals, tripProfitFactor, tripWinRate } from "@/lib/domain/performance.ts";
import { STRATEGY_NAMES } from "@/lib/domain/enums.ts";
import { STRATEGIES } from "@/lib/domain/strategies/strategies.ts";
import { type Db, Prisma } from "../../db.ts";
import { isOneOf } from "../../core/accounts-of-environment.ts";
import { isWithin, type Period } from "./period.ts";

type Dimension = "strategy" | "regime" | "exitReason";

interface Row {
  level: number;
  strategy: string | null;
  regime: string | null;
  exitReason: string | null;
  trips: number;
  wins: number;
  losses: number;
  pnl: string;
  won: string;
  lost: string;
  gains: string;
  falls: string;
}

/** grouping() has a bit per column that the row is not grouped by: strategy 4, regime 2, exit reason 1. */
const LEVELS = { all: 7, strategy: 3, regime: 5, exitReason: 6 } as const;

const NAMES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(STRATEGY_NAMES.map((strategy) => [strategy, STRATEGIES[strategy].label])),
  risk_on: "Risk on",
  neutral: "Neutral",
  risk_off: "Risk off",
};
const UNNAMED: Record<Dimension, string> = {
  strategy: "No strategy (orders from outside)",
  regime: "Not recorded",
  exitReason: "Orders from outside",
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

/** Closed round trips of the period in one pass: all together, and by strategy, regime at entry and reason of the exit. */
export async function readTripFigures(db: Db, accounts: readonly { id: string }[], period: Period) {
  const rows = await db.$queryRaw<Row[]>`
    select grouping("strategy", "regime", "exitReason") as "level", "strategy"::text, "regime"::text, "exitReason",
      count(*)::int as "trips",
      count(*) filter (where "outcome" = 'WIN')::int as "wins", count(*) filter (where "outcome" = 'LOSS')::int as "losses",
      coalesce(sum("pnl"), 0)::text as "pnl",
      coalesce(sum("pnl") filter (where "outcome" = 'WIN'), 0)::text as "won",
      coalesce(sum("pnl") filter (where "outcome" = 'LOSS'), 0)::text as "lost",
      coalesce(sum("pnl") filter (where "pnl" > 0), 0)::text as "gains",
      coalesce(sum("pnl") filter (where "pnl" < 0), 0)::text as "falls"
    from "RoundTrip"
    where ${isOneOf(accounts)} and "closedAt" is not null and ${isWithin(Prisma.sql`"closedAt"`, period)}
    group by grouping sets ((), ("strategy"), ("regime"), ("exitReason"))`;
  const all = rows.find(({ level }) => level === LEVELS.all);
  const by = (dimension: Dimension) =>
    rows
      .filter(({ level }) => level === LEVELS[dimension])
      .map((row) => {
        const totals = totalsOf(row);
        const key = row[dimension];
        return {
          key: key ?? "none",
          name: key === null ? UNNAMED[dimension] : (NAMES[key] ?? exitText(key)),
          trips: row.trips,
          wins: row.wins,
          losses: row.losses,
          winRate: tripWinRate(totals),
          profitFactor: tripProfitFactor(totals),
          pnl: totals.pnl,
        };
      })
      .sort((a, b) => b.pnl.cmp(a.pnl) || (a.key < b.key ? -1 : 1));
  return {
    totals: all ? totalsOf(all) : EMPTY,
    byStrategy: by("strategy"),
    byRegime: by("regime"),
    byExit: by("exitReason"),
  };
}
