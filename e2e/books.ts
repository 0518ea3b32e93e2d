import { Client } from "pg";
import { run, type Run } from "./run.ts";

/** Reads the database of the running stack. */
export async function rowsOf<T>(sql: string, values: unknown[]): Promise<T[]> {
  const { internal } = run() as Run & { internal: { databaseUrl: string } };
  const client = new Client({ connectionString: internal.databaseUrl });
  await client.connect();
  try {
    return (await client.query(sql, values)).rows as T[];
  } finally {
    await client.end();
  }
}

/** Rows "x" of the accounts of the person whose address is $1. */
const THEIRS = `join "Account" a on a.id = x."accountId" join "User" u on u.id = a."userId" where u.email = $1`;

const usd = { style: "currency", currency: "USD" } as const;
const dollars = new Intl.NumberFormat("en-US", { ...usd, signDisplay: "negative" });
const changes = new Intl.NumberFormat("en-US", { ...usd, signDisplay: "exceptZero" });

/** A decimal of the database as a person reads it. */
export const money = (exact: string | null) => dollars.format(Number(exact ?? "0"));
/** The same for a gain or a loss. */
export const change = (exact: string | null) => changes.format(Number(exact ?? "0"));

/** What the database holds about a person's money, in the words of the screens, to the cent. */
export async function figuresOf(email: string) {
  const [sums] = await rowsOf<Record<"equity" | "cash" | "power" | "pnl", string>>(
    `select sum(x.equity)::text equity, sum(x.cash)::text cash, sum(x."buyingPower")::text power,
       sum(x.equity - x."netDeposits")::text pnl
     from "AccountFigures" x ${THEIRS} and a."deletedAt" is null`,
    [email],
  );
  return {
    "Total Portfolio": money(sums?.equity ?? null),
    Cash: money(sums?.cash ?? null),
    "Buying Power": money(sums?.power ?? null),
    "P&L": change(sums?.pnl ?? null),
  };
}

/**
 * What the account of a newcomer, opened with its whole deposit, gained: since the close that its broker names, since the
 * closes a week and a month ago where it is that old, and in all.
 */
export async function periodsOf(email: string): Promise<Record<"Day" | "Week" | "Month" | "Total", string>> {
  const since = (age: string) =>
    `(x.equity - coalesce((select p.equity from "EquityPoint" p where p."accountId" = x."accountId" and p."isClose"
       and p."sessionDate" <= (x."asOf" at time zone 'America/New_York')::date - interval '${age}'
       order by p."sessionDate" desc limit 1), x."netDeposits"))::text`;
  const [gains] = await rowsOf<Record<"day" | "week" | "month" | "total", string>>(
    `select (x.equity - x."lastEquity")::text as day, ${since("7 days")} as week, ${since("1 month")} as month,
       (x.equity - x."netDeposits")::text as total from "AccountFigures" x ${THEIRS}`,
    [email],
  );
  const text = (period: "day" | "week" | "month" | "total") => change(gains?.[period] ?? null);
  return { Day: text("day"), Week: text("week"), Month: text("month"), Total: text("total") };
}

/** What is held, most valuable first, with the stop and the target that rest at the broker for it. */
export async function positionsOf(email: string) {
  const resting = (role: string, price: string) =>
    `(select min(o."${price}")::text from "Order" o left join "Order" p on p.id = o."parentId"
       where o."accountId" = x."accountId" and o.symbol = x.symbol and o.role = '${role}'
       and o.status not in ('FILLED', 'CANCELED', 'EXPIRED', 'REJECTED', 'REPLACED')
       and (p.id is null or p.status = 'FILLED' or p.role = 'TARGET'))`;
  const rows = await rowsOf<
    Record<"symbol" | "qty" | "average" | "value" | "gain" | "percent" | "price", string> &
      Record<"stop" | "target", string | null>
  >(
    `select x.symbol, x.qty::text qty, x."avgEntryPrice"::text average, x."marketValue"::text value,
       x."unrealizedPnl"::text gain, (x."unrealizedPnlPercent" * 100)::text percent, x."currentPrice"::text price,
       ${resting("STOP", "stopPrice")} stop, ${resting("TARGET", "limitPrice")} target
     from "Position" x ${THEIRS} order by x."marketValue" desc nulls last, x.symbol`,
    [email],
  );
  return rows.map(({ symbol, qty, average, value, gain, percent, price, stop, target }) => ({
    symbol,
    isProtected: stop !== null && target !== null,
    cells: [
      symbol,
      `${Number(qty)} ${Number(qty) === 1 ? "share" : "shares"} at ${money(average)}`,
      money(value),
      change(gain),
      `${Number(percent).toFixed(2)}%`,
      `Price ${money(price)}`,
      `Stop ${stop === null ? "None" : money(stop)}`,
      `Target ${target === null ? "None" : money(target)}`,
    ],
  }));
}

/** Why accounts of the person are halted. */
export async function haltsOf(email: string): Promise<string[]> {
  const sql = `select a."haltReason" as reason from "Account" a join "User" u on u.id = a."userId"
     where u.email = $1 and a."haltedAt" is not null`;
  return (await rowsOf<{ reason: string }>(sql, [email])).map(({ reason }) => reason);
}

const STATUS_LABELS: Record<string, string> = {
  FILLED: "Filled",
  CANCELED: "Cancelled",
  EXPIRED: "Cancelled",
  REPLACED: "Cancelled",
  REJECTED: "Rejected",
};

/** The person's trades by what their fills say, newest first, and their round trips. */
export async function tradesOf(email: string) {
  // Postgres adds and divides: half a cent, which a sum of doubles may lose, decides what a screen shows.
  const trades = await rowsOf<
    Record<"id" | "symbol" | "side" | "status" | "qty" | "average" | "value" | "at" | "volume" | "size", string>
  >(
    `select x.id, x.symbol, x.side::text side, x.status::text status, coalesce(sum(f.qty), 0)::text qty,
       (sum(f.qty * f.price) / nullif(sum(f.qty), 0))::text average, coalesce(sum(f.qty * f.price), 0)::text value,
       (sum(coalesce(sum(f.qty * f.price), 0)) over ())::text volume,
       (avg(coalesce(sum(f.qty * f.price), 0)) over ())::text size,
       ${eastern('x."tradedAt"')} as at
     from "Order" x left join "Fill" f on f."orderId" = x.id ${THEIRS}
       and (x."filledQty" > 0 or (x."parentId" is null and x.role not in ('STOP', 'TARGET')))
     group by x.id order by x."tradedAt" desc, x.id desc`,
    [email],
  );
  const [trips] = await rowsOf<{ won: number; lost: number }>(
    `select count(*) filter (where outcome = 'WIN')::int won, count(*) filter (where outcome = 'LOSS')::int lost
     from "RoundTrip" x ${THEIRS}`,
    [email],
  );
  const { won, lost } = trips ?? { won: 0, lost: 0 };
  const [{ volume, size } = { volume: null, size: null }] = trades;
  return {
    count: trades.length,
    filled: trades.filter(({ status }) => status === "FILLED").length,
    volume: money(volume),
    averageSize: money(size),
    won,
    lost,
    winRate: won + lost === 0 ? "—" : `${((100 * won) / (won + lost)).toFixed(1)}%`,
    trades: trades.map(({ id, symbol, side, status, qty, average, value: each, at }) => ({
      id,
      symbol,
      isFilled: Number(qty) > 0,
      cells: [symbol, side, String(Number(qty)), money(average), money(each), STATUS_LABELS[status] ?? "Pending", at],
    })),
  };
}

/** A column's instant as the screens write it. */
export function eastern(column: string): string {
  return `to_char(${column} at time zone 'America/New_York', 'Dy FMDD Mon YYYY HH24:MI') || ' ET'`;
}

interface Decided {
  id: string;
  line: string;
  at: Date;
}

/** The person's latest decision; null before the first. */
export async function latestDecision(email: string): Promise<Decided | null> {
  const [row] = await rowsOf<Decided>(
    `select x.id, x.line, x."decidedAt" as at from "DecisionRecord" x ${THEIRS} order by x."decidedAt" desc limit 1`,
    [email],
  );
  return row ?? null;
}

/** One decision of the person's; null where it is nobody's or somebody else's. */
export async function decisionOf(email: string, id: string): Promise<Decided | null> {
  const sql = `select x.id, x.line, x."decidedAt" as at from "DecisionRecord" x ${THEIRS} and x.id::text = $2`;
  return (await rowsOf<Decided>(sql, [email, id]))[0] ?? null;
}

/** The person's newest decision in which a rule refused a candidate: in the market of the hour the newest one may have none. */
export async function refusingDecisionOf(email: string): Promise<string> {
  const [row] = await rowsOf<{ id: string }>(
    `select x.id from "DecisionRecord" x ${THEIRS}
       and exists (select from jsonb_array_elements(x.verdicts -> 'candidates') c where c #> '{failing,0}' is not null)
     order by x."decidedAt" desc limit 1`,
    [email],
  );
  if (row === undefined) throw new Error(`no rule refused ${email} anything`);
  return row.id;
}

/** What the person's log says last. */
export async function latestLogLine(email: string): Promise<string> {
  const [row] = await rowsOf<{ message: string }>(
    `select message from "LogEvent" l join "User" u on u.id = l."userId" where u.email = $1 order by l.id desc limit 1`,
    [email],
  );
  return row?.message ?? "no line in the log";
}
