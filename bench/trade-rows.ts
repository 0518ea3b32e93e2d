import { randomUUID } from "node:crypto";
import type { Db } from "@/lib/server/db.ts";
import { systemContext } from "@/lib/server/system-context.ts";
import { makeAccount, makeUser } from "@/prisma/factories.ts";

/** What the database does in one statement, well within its time. */
const CHUNK = 5_000;

/** How the trades of an account lie: ten years in a hundred symbols, or a single day in one. */
export type Spread = "years" | "day";

const SPREADS = {
  years: { from: "2010-01-04T15:00:00Z", length: "3652 days", symbols: 100 },
  day: { from: "2015-03-04T14:30:00Z", length: "6 hours", symbols: 1 },
};

async function seedOrders(
  client: Db,
  accountId: string,
  { first, last, count, spread }: { first: number; last: number; count: number; spread: Spread },
): Promise<void> {
  const { from, length, symbols } = SPREADS[spread];
  await client.$executeRaw`
    insert into "Order" ("id", "accountId", "origin", "role", "brokerOrderId", "clientOrderId", "symbol", "side", "orderClass",
      "type", "timeInForce", "qty", "status", "brokerStatus", "filledQty", "filledAvgPrice", "filledValue", "submittedAt",
      "tradedAt", "brokerUpdatedAt", "updatedAt")
    select gen_random_uuid(), ${accountId}::uuid, 'EXTERNAL', 'EXTERNAL', gen_random_uuid()::text, gen_random_uuid()::text,
      'S' || lpad((i * 7919 % ${symbols}::int)::text, 3, '0'), (case when i % 2 = 0 then 'BUY' else 'SELL' end)::"Side", 'SIMPLE', 'MARKET', 'day',
      q, (case when i % 50 = 0 then 'REJECTED' when i % 25 = 0 then 'CANCELED' else 'FILLED' end)::"OrderStatus", 'as seeded',
      case when i % 25 = 0 then 0 else q end, case when i % 25 = 0 then null else p end,
      case when i % 25 = 0 then 0 else q * p end, at, at, at, at
    from generate_series(${first}::bigint, ${last}::bigint) i
    cross join lateral (select (i * 104729 % 997) + 1 as q, ((i * 15485863 % 99991) + 100) / 100.0 as p,
      ${from}::timestamptz + i * (${length}::interval / ${count}::float8) as at) s`;
}

/** Orders with a round trip for every second one. */
async function seed(client: Db, accountId: string, count: number, spread: Spread): Promise<void> {
  for (let first = 1; first <= count; first += CHUNK)
    await seedOrders(client, accountId, { first, last: Math.min(count, first + CHUNK - 1), count, spread });
  await client.$executeRaw`
    insert into "RoundTrip" ("id", "accountId", "symbol", "openedAt", "closedAt", "outcome", "pnl")
    select gen_random_uuid(), "accountId", "symbol", "tradedAt" - interval '1 day', "tradedAt",
      (case when "filledQty" % 3 = 0 then 'LOSS' else 'WIN' end)::"TripOutcome", 1
    from "Order" where "accountId" = ${accountId}::uuid and "side" = 'SELL'`;
}

/** A user with an account for each of the counts, as the services see them. */
export async function personWith(client: Db, counts: readonly number[], spread: Spread = "years") {
  const user = await makeUser(client);
  for (const count of counts) await seed(client, (await makeAccount(client, user.id)).id, count, spread);
  const actor = { kind: "user", userId: user.id, role: "USER", signInId: randomUUID() } as const;
  return { ...systemContext("bench"), actor };
}

export type Person = Awaited<ReturnType<typeof personWith>>;
