import { accountTitle } from "@/lib/domain/account-title.ts";
import type { TripOutcome } from "@/lib/domain/enums.ts";
import { money, sum, text, ZERO, type Money } from "@/lib/domain/money.ts";
import type { Instant } from "@/lib/domain/time.ts";
import { byText } from "@/lib/domain/text-order.ts";
import { type Db, Prisma } from "../../db.ts";
import type { WeekFigures } from "../../mail/mail-props.ts";
import { environmentLabel } from "../../rows.ts";
import { type AccountStart, beginningsOf, isSinceAdded, readStarts } from "../equity/read-starts.ts";
import { reasonLabel } from "../orders/notify-order.ts";
import type { Account } from "../../core/row-types.ts";

/** A span of market time: what came after `from`, up to and with `to`. */
export interface MarketSpan {
  from: Date;
  to: Date;
}

type Trip = { symbol: string; pnl: Money; exitReason: string | null; outcome: TripOutcome | null };

type ScopedAccount = Pick<Account, "id" | "name" | "broker" | "environment" | "keyPrefix" | "accountNumberEnd">;

/** Whose week it is: the accounts of one environment of a person. */
export interface WeekScope {
  userId: string;
  accounts: [ScopedAccount, ...ScopedAccount[]];
  span: MarketSpan;
  /** Wall time, which dates halts; null where the week is not known in it. */
  wall: { from: Instant; to: Instant } | null;
}

/**
 * The figures of one environment of a person in a week, for the mail and for the page of the week; null where nothing was
 * read until its end. Accounts that were removed are left out, and so is what an account did before it was added.
 */
export async function weekFigures(db: Db, { userId, accounts, span, wall }: WeekScope): Promise<WeekFigures | null> {
  const ids = accounts.map(({ id }) => id);
  const within = { gt: span.from, lte: span.to };
  const starts = await readStarts(db, ids);
  const before = beginningsOf(starts);
  const [[change], traded, realized, trips, halts] = await Promise.all([
    readEquityChanges(db, ids, starts, [span.from, span.to]),
    tradedIn(db, ids, starts, span),
    db.lotClosure.aggregate({
      where: {
        lot: { accountId: { in: ids } },
        at: within,
        NOT: before.map(({ accountId, at }) => ({ lot: { accountId }, at: { lte: at } })),
      },
      _sum: { realizedPnl: true },
    }),
    db.roundTrip.findMany({
      where: {
        accountId: { in: ids },
        closedAt: within,
        NOT: before.map(({ accountId, at }) => ({ accountId, closedAt: { lte: at } })),
      },
    }),
    wall === null ? [] : haltsOf(db, userId, accounts, wall),
  ]);
  if (!change) return null;
  const { start, end, netDeposits, pnl } = change;
  return {
    environment: environmentLabel(accounts[0]),
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

/** True where nothing happened in the week. */
export function isQuiet({ trades, wins, losses, scratches, halts, pnl, netDeposits }: WeekFigures): boolean {
  const happened = trades + wins + losses + scratches + halts.length;
  return happened === 0 && money(pnl).isZero() && money(netDeposits).isZero();
}

interface EquityChange {
  /** Null where no account was read before. */
  start: Money | null;
  end: Money;
  netDeposits: Money;
  /** Change of equity less net deposits. */
  pnl: Money;
}

/**
 * What the accounts made from each of the instants to the next: the last reading before it against the last one until then; null
 * where there is none yet. Readings are the points, and the latest one of all, which comes between two points. An account that
 * is younger begins with nothing, and what was in it at its first reading came in.
 */
export async function readEquityChanges(
  db: Db,
  ids: string[],
  starts: ReadonlyMap<string, AccountStart>,
  instants: readonly Date[],
): Promise<(EquityChange | null)[]> {
  const points = await db.$queryRaw<{ id: string; nth: number; equity: string; netDeposits: string }[]>`
      select a."id", b."nth"::int as "nth", coalesce(f."equity", p."equity")::text as "equity",
        coalesce(f."netDeposits", p."netDeposits")::text as "netDeposits"
      from unnest(${ids}::uuid[]) as a("id")
      cross join unnest(${instants.map((at) => at.toISOString())}::timestamptz[]) with ordinality as b("at", "nth")
      cross join lateral (select "at", "equity", "netDeposits" from "EquityPoint"
        where "accountId" = a."id" and "at" <= b."at" order by "at" desc limit 1) p
      left join "AccountFigures" f on f."accountId" = a."id" and f."asOf" >= p."at" and f."asOf" <= b."at"`;
  const known = new Map(points.map((point) => [`${point.id} ${point.nth}`, point]));
  return instants.slice(1).map((_, nth) =>
    changeOf(
      ids.flatMap((id) => {
        const [before, after] = [known.get(`${id} ${nth + 1}`), known.get(`${id} ${nth + 2}`)];
        return after ? [{ before, after, earned: starts.get(id)?.earned ?? ZERO }] : [];
      }),
    ),
  );
}

interface EquityText {
  equity: string;
  netDeposits: string;
}

function changeOf(
  accounts: { before: EquityText | undefined; after: EquityText; earned: Money }[],
): EquityChange | null {
  if (accounts.length === 0) return null;
  const before = accounts.flatMap((each) => (each.before ? [money(each.before.equity)] : []));
  const start = before.length === 0 ? null : sum(before);
  const end = sum(accounts.map(({ after }) => money(after.equity)));
  const netDeposits = sum(
    accounts.map((each) =>
      money(each.after.netDeposits).minus(each.before ? money(each.before.netDeposits) : each.earned.negated()),
    ),
  );
  return { start, end, netDeposits, pnl: end.minus(start ?? ZERO).minus(netDeposits) };
}

async function tradedIn(
  db: Db,
  ids: string[],
  starts: ReadonlyMap<string, AccountStart>,
  { from, to }: MarketSpan,
): Promise<Pick<WeekFigures, "trades" | "volume">> {
  const [row] = await db.$queryRaw<{ trades: number; volume: string }[]>`
    select count(distinct "orderId")::int as "trades", coalesce(sum("qty" * "price"), 0)::text as "volume"
    from "Fill" where "accountId" = any(${ids}::uuid[]) and "at" > ${from}::timestamptz and "at" <= ${to}::timestamptz
      and ${isSinceAdded(starts, Prisma.sql`"at"`)}`;
  return { trades: row?.trades ?? 0, volume: text(money(row?.volume ?? "0")) };
}

function tripFigures(trips: Trip[]): Pick<WeekFigures, "wins" | "losses" | "scratches" | "best" | "worst" | "exits"> {
  const withOutcome = (outcome: Trip["outcome"]) => trips.filter((trip) => trip.outcome === outcome).length;
  const ranked = trips.toSorted((a, b) => b.pnl.cmp(a.pnl) || byText(a.symbol, b.symbol));
  const named = (trip: Trip | undefined) =>
    trip ? { symbol: trip.symbol, pnl: text(trip.pnl), reason: reasonLabel(trip.exitReason) } : null;
  const byReason = new Map<string, Trip[]>();
  for (const trip of trips) {
    const reason = reasonLabel(trip.exitReason) ?? "Placed elsewhere";
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
      .sort((a, b) => b.count - a.count || byText(a.reason, b.reason)),
  };
}

/** When an account was halted, by a person, a check or its drawdown, from the audit trail. */
async function haltsOf(
  db: Db,
  userId: string,
  accounts: readonly ScopedAccount[],
  { from, to }: NonNullable<WeekScope["wall"]>,
): Promise<WeekFigures["halts"]> {
  const events = await db.auditEvent.findMany({
    where: {
      subjectUserId: userId,
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
