import { Client } from "pg";
import { run, type Run } from "./run.ts";

/** Reads the database of the running stack. */
async function rowsOf<T>(sql: string, values: unknown[]): Promise<T[]> {
  const { internal } = run() as Run & { internal: { databaseUrl: string } };
  const client = new Client({ connectionString: internal.databaseUrl });
  await client.connect();
  try {
    return (await client.query(sql, values)).rows as T[];
  } finally {
    await client.end();
  }
}

const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", signDisplay: "negative" });

/** A decimal of the database as a person reads it. */
const money = (exact: string | null) => dollars.format(Number(exact ?? "0"));

/** What the database holds about a person's money, in the words of the screens, to the cent. */
export async function figuresOf(email: string) {
  const [sums] = await rowsOf<Record<"equity" | "cash" | "power" | "pnl", string>>(
    `select sum(f.equity)::text equity, sum(f.cash)::text cash, sum(f."buyingPower")::text power,
       sum(f.equity - f."netDeposits")::text pnl
     from "AccountFigures" f join "Account" a on a.id = f."accountId" join "User" u on u.id = a."userId"
     where u.email = $1 and a."deletedAt" is null`,
    [email],
  );
  const positions = await rowsOf<{ symbol: string; qty: string; average: string; value: string; gain: string }>(
    `select symbol, qty::text, "avgEntryPrice"::text average, "marketValue"::text value, "unrealizedPnl"::text gain
     from "Position" p join "Account" a on a.id = p."accountId" join "User" u on u.id = a."userId"
     where u.email = $1 order by "marketValue" desc nulls last, symbol`,
    [email],
  );
  return {
    equity: money(sums?.equity ?? null),
    cash: money(sums?.cash ?? null),
    power: money(sums?.power ?? null),
    pnl: money(sums?.pnl ?? null),
    positions: positions.map(({ symbol, qty, average, value, gain }) => ({
      symbol,
      shares: `${Number(qty)} shares at ${money(average)}`,
      value: money(value),
      gain: money(gain),
    })),
  };
}

/** The person's trades by what their fills say, newest first, and their round trips. */
export async function tradesOf(email: string) {
  const trades = await rowsOf<Record<"id" | "symbol" | "side" | "qty" | "average" | "value", string>>(
    `select o.id, o.symbol, o.side::text side, coalesce(sum(f.qty), 0)::text qty,
       (sum(f.qty * f.price) / nullif(sum(f.qty), 0))::text average, coalesce(sum(f.qty * f.price), 0)::text value
     from "Order" o join "Account" a on a.id = o."accountId" join "User" u on u.id = a."userId"
     left join "Fill" f on f."orderId" = o.id
     where u.email = $1 and (o."parentId" is null or o."filledQty" > 0 or o.status = 'REJECTED')
     group by o.id order by o."tradedAt" desc, o.id desc`,
    [email],
  );
  const [trips] = await rowsOf<{ won: number; lost: number }>(
    `select count(*) filter (where outcome = 'WIN')::int won, count(*) filter (where outcome = 'LOSS')::int lost
     from "RoundTrip" t join "Account" a on a.id = t."accountId" join "User" u on u.id = a."userId" where u.email = $1`,
    [email],
  );
  const value = trades.reduce((sum, trade) => sum + Number(trade.value), 0);
  return {
    count: trades.length,
    volume: money(String(value)),
    averageSize: money(String(trades.length === 0 ? 0 : value / trades.length)),
    won: trips?.won ?? 0,
    lost: trips?.lost ?? 0,
    trades: trades.map(({ id, symbol, side, qty, average, value: each }) => ({
      id,
      symbol,
      side,
      quantity: String(Number(qty)),
      price: money(average),
      value: money(each),
    })),
  };
}

/** The line of the person's latest decision; null before the first. */
export async function latestDecision(email: string): Promise<{ id: string; line: string } | null> {
  const [row] = await rowsOf<{ id: string; line: string }>(
    `select d.id, d.line from "DecisionRecord" d join "Account" a on a.id = d."accountId"
     join "User" u on u.id = a."userId" where u.email = $1 order by d."decidedAt" desc limit 1`,
    [email],
  );
  return row ?? null;
}

/** What the person's log says last. */
export async function latestLogLine(email: string): Promise<string> {
  const [row] = await rowsOf<{ message: string }>(
    `select message from "LogEvent" l join "User" u on u.id = l."userId" where u.email = $1 order by l.id desc limit 1`,
    [email],
  );
  return row?.message ?? "no line in the log";
}
