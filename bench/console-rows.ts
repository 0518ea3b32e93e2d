import type { Db } from "@/lib/server/db.ts";
import { writeAuditChain } from "@/lib/proof/fixtures/audit-chain.ts";

export interface Size {
  users: number;
  accounts: number;
  trades: number;
}

/** What the database does in one statement, well within its time. */
const CHUNK = 10_000;

/** The n-th id of a kind: rows of one table find those of another without a look-up. */
const idOf = (kind: string, n: string) => `('00000000-0000-7000-${kind}-' || lpad(to_hex(${n}), 12, '0'))::uuid`;

/** A whole installation by SQL: users, accounts with figures, trades and round trips with their sums, and what the console shows. */
export async function seedConsole(client: Db, { users, accounts, trades }: Size): Promise<void> {
  await client.$executeRawUnsafe(`
    insert into "User" ("id", "email", "firstName", "lastName", "passwordHash", "role", "emailVerifiedAt", "createdAt")
    select ${idOf("8001", "n")}, 'user-' || n || '@example.com', 'First ' || n, 'Last ' || n, 'x',
      (case when n % 100 = 0 then 'ADMIN' else 'USER' end)::"Role", now(), now() - n * interval '1 hour'
    from generate_series(1, ${users}) n`);
  await client.$executeRawUnsafe(`
    insert into "Account" ("id", "userId", "name", "environment", "broker", "market", "brokerAccountId", "sealedKeys",
      "keyPrefix", "liveConfirmedAt", "reconciledAt", "haltedAt", "haltReason", "createdAt")
    select ${idOf("8002", "n")}, ${idOf("8001", `1 + n % ${users}`)}, 'Account ' || n,
      (case when n % 4 = 1 then 'LIVE' else 'PAPER' end)::"Environment",
      (case when n % 4 < 3 then 'ALPACA' else 'PRACTICE' end)::"BrokerKind",
      (case when n % 4 < 3 then 'US' else 'PRACTICE' end)::"Market", 'broker-' || n, 'sealed', 'PKBENCH1',
      case when n % 4 = 1 then now() end, now() - n * interval '1 second',
      case when n % 97 = 0 then now() end, case when n % 97 = 0 then 'Books differ' end, now() - n * interval '1 minute'
    from generate_series(1, ${accounts}) n`);
  await client.$executeRawUnsafe(`
    insert into "AccountFigures" ("accountId", "equity", "cash", "buyingPower", "netDeposits", "asOf")
    select "id", 100000.25, 40000, 80000, 99000, now() from "Account"`);
  await seedTrades(client, { accounts, each: Math.ceil(trades / accounts) });
  await seedSystem(client);
  await writeAuditChain(20_000);
  await client.$executeRawUnsafe("vacuum analyze");
}

/** The sums are filled once at the end, as the migrations fill them: kept row by row they take most of the time. */
async function seedTrades(client: Db, { accounts, each }: { accounts: number; each: number }): Promise<void> {
  for (const table of ["Order", "RoundTrip"])
    await client.$executeRawUnsafe(`alter table "${table}" disable trigger user`);
  const step = Math.max(1, Math.floor(CHUNK / each));
  for (let first = 1; first <= accounts; first += step) {
    const last = Math.min(accounts, first + step - 1);
    await client.$executeRawUnsafe(`
      insert into "Order" ("id", "accountId", "origin", "role", "brokerOrderId", "clientOrderId", "symbol", "side", "orderClass",
        "type", "timeInForce", "qty", "status", "brokerStatus", "filledQty", "filledAvgPrice", "filledValue", "submittedAt",
        "tradedAt", "brokerUpdatedAt", "updatedAt")
      select ${idOf("8003", `a * ${each} + i`)}, ${idOf("8002", "a")}, 'EXTERNAL', 'EXTERNAL', 'b' || a || '-' || i,
        'c' || a || '-' || i, 'S' || lpad((i % 40)::text, 3, '0'), (case when i % 2 = 0 then 'BUY' else 'SELL' end)::"Side",
        'SIMPLE', 'MARKET', 'day', 10, 'FILLED', 'filled', 10, 100, 1000, at, at, at, at
      from generate_series(${first}, ${last}) a cross join generate_series(1, ${each}) i
      cross join lateral (select '2022-01-03T15:00:00Z'::timestamptz + i * interval '60 hours' + a * interval '1 second' as at) s`);
    await client.$executeRawUnsafe(`
      insert into "RoundTrip" ("id", "accountId", "symbol", "openedAt", "closedAt", "outcome", "pnl")
      select ${idOf("8004", `a * ${each} + i`)}, ${idOf("8002", "a")}, 'S' || lpad((i % 40)::text, 3, '0'),
        at - interval '1 day', at, (case when i % 3 = 0 then 'LOSS' else 'WIN' end)::"TripOutcome", 1
      from generate_series(${first}, ${last}) a cross join generate_series(2, ${each}, 2) i
      cross join lateral (select '2022-01-03T15:00:00Z'::timestamptz + i * interval '60 hours' + a * interval '1 second' as at) s`);
    const isOfChunk = `r."accountId" between ${idOf("8002", `${first}`)} and ${idOf("8002", `${last}`)}`;
    await client.$executeRawUnsafe(`
      insert into "TradeTotals" ("accountId", "trades", "filledTrades", "volume", "trips", "wins", "losses")
      select o.*, t."trips", t."wins", t."trips" - t."wins"
      from (select "accountId", count(*), count(*), sum("filledValue") from "Order" as r where ${isOfChunk} group by 1) o
      join (select "accountId", count(*) as "trips", count(*) filter (where "outcome" = 'WIN') as "wins"
        from "RoundTrip" as r where ${isOfChunk} group by 1) t using ("accountId")`);
  }
  for (const table of ["Order", "RoundTrip"])
    await client.$executeRawUnsafe(`alter table "${table}" enable trigger user`);
}

/** Schedules and streams of every account, a month of provider calls, a week of samples. */
async function seedSystem(client: Db): Promise<void> {
  await client.$executeRawUnsafe(`
    insert into "Schedule" ("key", "job", "accountId", "dueAt", "everyMs", "lastFinishedAt", "lastStatus")
    select job || ':' || a."id", job, a."id", now(), 5000, now(), 'done'
    from "Account" a cross join unnest(array['order-status', 'invariants']) job`);
  await client.$executeRawUnsafe(`
    insert into "StreamState" ("accountId", "state", "since") select "id", 'listening', now() from "Account"`);
  for (const [span, unit, count] of [
    ["MINUTE", "minute", 1_500],
    ["HOUR", "hour", 730],
  ] as const)
    await client.$executeRawUnsafe(`
      insert into "ProviderCall" ("provider", "operation", "ok", "status", "error", "span", "at", "calls", "durationMs", "lastAt")
      select p, o, k, 0, case when k then '' else 'timeout' end, '${span}', date_trunc('${unit}', now()) - n * interval '1 ${unit}', 10, 900, now()
      from generate_series(0, ${count}) n cross join unnest(array['Alpaca', 'Practice market', 'Finnhub']) p
      cross join unnest(array['clock', 'snapshots', 'news', 'dailyBars']) o cross join unnest(array[true, false]) k`);
  await client.$executeRawUnsafe(`
    insert into "SystemSample" ("at", "pendingJobs", "processingJobs", "failedJobs", "overdueSchedules")
    select date_trunc('minute', now()) - n * interval '1 minute', n % 50, 1, 0, 0 from generate_series(0, 10080) n`);
}
