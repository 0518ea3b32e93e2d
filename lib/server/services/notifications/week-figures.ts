import type { TripOutcome } from "@/lib/domain/enums.ts";
import { money, sum, text, ZERO, type Money } from "@/lib/domain/money.ts";
import type { Db } from "../../db.ts";
import type { WeekFigures } from "../../mail/mail-props.ts";
import { environmentLabel, type EnvironmentLabel } from "../../rows.ts";
import { readStarts } from "../equity/read-starts.ts";
import { accountTitle } from "../../core/account-title.ts";
import { reasonLabel } from "../orders/notify-order.ts";
import type { Account } from "../../core/row-types.ts";
import type { SummaryWeek } from "./summary-week.ts";

/** A span of market time: what came after `from`, up to and with `to`. */
export interface MarketSpan {
  from: Date;
  to: Date;
}

type Trip = { symbol: string; pnl: Money; exitReason: string | null; outcome: TripOutcome | null };

/** The figures of one environment of a person in a week; null when nothing happened in it. Accounts that were removed are left out. */
export async function weekFigures(
  db: Db,
  accounts: [Account, ...Account[]],
  span: MarketSpan,
  week: SummaryWeek,
): Promise<WeekFigures | null> {
  const environment: EnvironmentLabel = environmentLabel(accounts[0]);
  const ids = accounts.map(({ id }) => id);
  const within = { gt: span.from, lte: span.to };
  const [equity, traded, realized, trips, halts] = await Promise.all([
    equityOf(db, ids, span),
    tradedIn(db, ids, span),
    db.lotClosure.aggregate({ where: { lot: { accountId: { in: ids } }, at: within }, _sum: { realizedPnl: true } }),
    db.roundTrip.findMany({ where: { accountId: { in: ids }, closedAt: within } }),
    haltsOf(db, accounts, week),
  ]);
  if (equity === null) return null;
  const { start, end, netDeposits } = equity;
  const pnl = end.minus(start ?? ZERO).minus(netDeposits);
  const isQuiet = traded.trades === 0 && trips.length === 0 && halts.length === 0;
  if (isQuiet && pnl.isZero() && netDeposits.isZero()) return null;
  return {
    environment,
    accounts: accounts.map(accountTitle),
    from: span.from.toISOString(),
    to: span.to.toISOString(),
    equityStart: start === null ? null : text(start),
    equityEnd: text(end),
    netDeposits: text(netDeposits),
    pnl: text(pnl),
    realizedPnl: text((realized._sum.realizedPnl ?? ZERO).toString()),
    ...traded,
    ...tripFigures(trips.map((trip) => ({ ...trip, pnl: money(trip.pnl) }))),
    halts,
  };
}

/**
 * The last point before the week against the last one in it. An account that is younger begins with nothing, and what was
 * in it at its first reading came in.
 */
async function equityOf(
  db: Db,
  ids: string[],
  { from, to }: MarketSpan,
): Promise<{ start: Money | null; end: Money; netDeposits: Money } | null> {
  const latest = (accountId: string, until: Date) =>
    db.equityPoint.findFirst({ where: { accountId, at: { lte: until } }, orderBy: { at: "desc" } });
  const starts = await readStarts(db, ids);
  const points = await Promise.all(
    ids.map(async (id) => ({ before: await latest(id, from), after: await latest(id, to), start: starts.get(id) })),
  );
  const seen = points.flatMap(({ before, after, start }) => (after ? [{ before, after, start }] : []));
  if (seen.length === 0) return null;
  const known = seen.flatMap(({ before }) => (before ? [money(before.equity)] : []));
  return {
    start: known.length === 0 ? null : sum(known),
    end: sum(seen.map(({ after }) => money(after.equity))),
    netDeposits: sum(
      seen.map(({ before, after, start }) =>
        before
          ? money(after.netDeposits).minus(money(before.netDeposits))
          : money(after.netDeposits).plus(start?.earned ?? 0),
      ),
    ),
  };
}

async function tradedIn(
  db: Db,
  ids: string[],
  { from, to }: MarketSpan,
): Promise<Pick<WeekFigures, "trades" | "volume">> {
  const [row] = await db.$queryRaw<{ trades: number; volume: string }[]>`
    select count(distinct "orderId")::int as "trades", coalesce(sum("qty" * "price"), 0)::text as "volume"
    from "Fill" where "accountId" = any(${ids}::uuid[]) and "at" > ${from}::timestamptz and "at" <= ${to}::timestamptz`;
  return { trades: row?.trades ?? 0, volume: text(money(row?.volume ?? "0")) };
}

function tripFigures(trips: Trip[]): Pick<WeekFigures, "wins" | "losses" | "scratches" | "best" | "worst" | "exits"> {
  const withOutcome = (outcome: Trip["outcome"]) => trips.filter((trip) => trip.outcome === outcome).length;
  const ranked = trips.toSorted((a, b) => b.pnl.cmp(a.pnl) || (a.symbol < b.symbol ? -1 : 1));
  const named = (trip: Trip | undefined) =>
    trip ? { symbol: trip.symbol, pnl: text(trip.pnl), reason: reasonLabel(trip.exitReason) } : null;
  const byReason = new Map<string, Trip[]>();
  for (const trip of trips) {
    const reason = reasonLabel(trip.exitReason) ?? "Not by the engine";
    byReason.set(reason, [...(byReason.get(reason) ?? []), trip]);
  }
  return {
    wins: withOutcome("WIN"),
    losses: withOutcome("LOSS"),
    scratches: withOutcome("SCRATCH"),
    best: named(ranked[0]),
    worst: ranked.length > 1 ? named(ranked.at(-1)) : null,
    exits: [...byReason]
      .map(([reason, some]) => ({ reason, count: some.length, pnl: text(sum(some.map(({ pnl }) => pnl))) }))
      .sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1)),
  };
}

/** When an account was halted, by a person, a check or its drawdown, from the audit trail. */
async function haltsOf(
  db: Db,
  accounts: [Account, ...Account[]],
  { from, to }: SummaryWeek,
): Promise<WeekFigures["halts"]> {
  const events = await db.auditEvent.findMany({
    where: {
      subjectUserId: accounts[0].userId,
      eventType: { in: ["ACCOUNT_HALTED", "ACCOUNT_LATCHED"] },
      at: { gte: new Date(from), lt: new Date(to) },
    },
    orderBy: { seq: "asc" },
    select: { at: true, data: true },
  });
  return events.flatMap(({ at, data }) => {
    const { accountId, reason } = data as { accountId?: unknown; reason?: unknown };
    const account = accounts.find(({ id }) => id === accountId);
    if (!account) return [];
    const why = typeof reason === "string" ? reason : "the log says why";
    return [{ at: at.toISOString(), account: accountTitle(account), reason: why }];
  });
}
