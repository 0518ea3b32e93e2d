import { randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { ensureDatabase, migrate } from "@/scripts/databases.mjs";
import { ownPostgres } from "@/scripts/own-services.mjs";
import { tradesApi } from "@/lib/contracts/trades.ts";
import type { Received } from "@/lib/contracts/endpoint.ts";
import { db, type Db } from "@/lib/server/db.ts";
import { forgetEnv } from "@/lib/server/env.ts";
import { findTrades } from "@/lib/server/services/trades/find-trades.ts";
import { listTrades } from "@/lib/server/services/trades/list-trades.ts";
import { summarizeTrades } from "@/lib/server/services/trades/summarize-trades.ts";
import { ownScope, type TradeFilter } from "@/lib/server/services/trades/trade-scope.ts";
import { systemContext } from "@/lib/server/system-context.ts";
import { makeAccount, makeUser } from "@/prisma/factories.ts";

/**
 * The trade history of somebody with 100,000 trades in two accounts: `npm run bench:trades`. Brings its own Postgres and
 * touches nothing of the stack. BENCH_ROWS changes the number. The aims: any page in 100 ms and at most twice the first one,
 * the summary in 50 ms and at most twice that of somebody with 85 trades. Nothing fails on a slow machine. Writes the same
 * figures to .data/bench-trades.json.
 */
const rows = Number(process.env.BENCH_ROWS ?? 100_000);
const FEW = 85;
const ROUNDS = 25;
const LIMIT = 50;

type Sort = Received<typeof tradesApi.list>["sort"];

interface Figure {
  name: string;
  leastMs: number;
  medianMs: number;
  mostMs: number;
}

/** Wall time of the service, its queries included; the first rounds warm up. */
async function time(name: string, work: () => Promise<unknown>, rounds = ROUNDS): Promise<Figure> {
  for (let round = 0; round < 3; round += 1) await work();
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = performance.now();
    await work();
    times.push(performance.now() - startedAt);
  }
  times.sort((a, b) => a - b);
  return { name, leastMs: times[0]!, medianMs: times[rounds >> 1]!, mostMs: times.at(-1)! };
}

/** What the database does in one statement, well within its time. */
const CHUNK = 5_000;

async function seedOrders(
  client: Db,
  accountId: string,
  { first, last, count }: { first: number; last: number; count: number },
): Promise<void> {
  await client.$executeRaw`
    insert into "Order" ("id", "accountId", "origin", "role", "brokerOrderId", "clientOrderId", "symbol", "side", "orderClass",
      "type", "timeInForce", "qty", "status", "brokerStatus", "filledQty", "filledAvgPrice", "filledValue", "submittedAt",
      "tradedAt", "brokerUpdatedAt", "updatedAt")
    select gen_random_uuid(), ${accountId}::uuid, 'EXTERNAL', 'EXTERNAL', gen_random_uuid()::text, gen_random_uuid()::text,
      'S' || lpad((i * 7919 % 100)::text, 3, '0'), (case when i % 2 = 0 then 'BUY' else 'SELL' end)::"Side", 'SIMPLE', 'MARKET', 'day',
      q, (case when i % 50 = 0 then 'REJECTED' when i % 25 = 0 then 'CANCELED' else 'FILLED' end)::"OrderStatus", 'as seeded',
      case when i % 25 = 0 then 0 else q end, case when i % 25 = 0 then null else p end,
      case when i % 25 = 0 then 0 else q * p end, at, at, at, at
    from generate_series(${first}::bigint, ${last}::bigint) i
    cross join lateral (select (i * 104729 % 997) + 1 as q, ((i * 15485863 % 99991) + 100) / 100.0 as p,
      timestamptz '2010-01-04 15:00:00Z' + i * (interval '3652 days' / ${count}::float8) as at) s`;
}

/** Orders over ten years in a hundred symbols, with a round trip for every second one. */
async function seed(client: Db, accountId: string, count: number): Promise<void> {
  for (let first = 1; first <= count; first += CHUNK)
    await seedOrders(client, accountId, { first, last: Math.min(count, first + CHUNK - 1), count });
  await client.$executeRaw`
    insert into "RoundTrip" ("id", "accountId", "symbol", "openedAt", "closedAt", "outcome", "pnl")
    select gen_random_uuid(), "accountId", "symbol", "tradedAt" - interval '1 day', "tradedAt",
      (case when "filledQty" % 3 = 0 then 'LOSS' else 'WIN' end)::"TripOutcome", 1
    from "Order" where "accountId" = ${accountId}::uuid and "side" = 'SELL'`;
  await client.$executeRaw`
    update "AccountFigures" f set "winningTrips" = w.wins, "losingTrips" = w.losses
    from (select count(*) filter (where "outcome" = 'WIN') wins, count(*) filter (where "outcome" = 'LOSS') losses
      from "RoundTrip" where "accountId" = ${accountId}::uuid) w where f."accountId" = ${accountId}::uuid`;
}

async function person(client: Db, counts: readonly number[]) {
  const user = await makeUser(client);
  for (const count of counts) await seed(client, (await makeAccount(client, user.id)).id, count);
  const actor = { kind: "user", userId: user.id, role: "USER", signInId: randomUUID() } as const;
  return { ...systemContext("bench"), actor };
}

type Person = Awaited<ReturnType<typeof person>>;

/** The cursor behind which `skipped` trades lie. */
async function cursorAt(context: Person, sort: Sort, skipped: number): Promise<string> {
  const scope = await ownScope(context);
  const order = { sort, direction: "desc" } as const;
  const page = await findTrades(context.db, scope, {}, { ...order, cursor: undefined, limit: skipped });
  return page.nextCursor ?? "";
}

const query = (more: object) => tradesApi.list.input.parse({ limit: LIMIT, ...more });

async function measure(many: Person, few: Person): Promise<Figure[]> {
  const figures: Figure[] = [];
  const page = async (name: string, more: object) =>
    figures.push(await time(name, () => listTrades(many, query(more))));
  const deep = Math.max(0, rows - 2 * LIMIT);
  await page("first page", {});
  await page("middle page", { cursor: await cursorAt(many, "date", deep >> 1) });
  await page("last page", { cursor: await cursorAt(many, "date", deep) });
  for (const sort of ["symbol", "quantity", "price", "total"] as const) {
    await page(`by ${sort}: first page`, { sort });
    await page(`by ${sort}: last page`, { sort, cursor: await cursorAt(many, sort, deep) });
  }
  const filters: Record<string, TradeFilter> = {
    "one symbol": { symbol: "S042" },
    "sales only": { side: "SELL" },
    "rejected only": { status: "REJECTED" },
    "one month": { startDate: "2015-03-01", endDate: "2015-03-31" },
    "nine years": { startDate: "2011-01-01" },
    "one symbol over nine years": { symbol: "S042", startDate: "2011-01-01" },
  };
  for (const [name, filter] of Object.entries(filters)) {
    await page(`${name}: page and summary`, filter);
    await page(`${name}: by total`, { ...filter, sort: "total" });
  }
  const scope = await ownScope(many);
  figures.push(await time("summary", () => summarizeTrades(many.db, scope, {})));
  for (const [name, filter] of Object.entries(filters))
    figures.push(await time(`${name}: summary`, () => summarizeTrades(many.db, scope, filter)));
  const fewScope = await ownScope(few);
  figures.push(await time(`summary of ${FEW} trades`, () => summarizeTrades(few.db, fewScope, {})));
  figures.push(await time(`first page of ${FEW} trades`, () => listTrades(few, query({}))));
  return [...figures, ...(await peers(many, deep))];
}

/** How it is done without a cursor and without a tally, in the same run. */
async function peers({ db: client, actor }: Person, deep: number): Promise<Figure[]> {
  const where = {
    account: { userId: actor.userId },
    OR: [{ parentId: null }, { filledQty: { gt: 0 } }, { status: "REJECTED" as const }],
  };
  const orderBy = [{ tradedAt: "desc" as const }, { id: "desc" as const }];
  return [
    await time("peer: first page by OFFSET", () => client.order.findMany({ where, orderBy, take: LIMIT }), 5),
    await time(
      "peer: last page by OFFSET",
      () => client.order.findMany({ where, orderBy, skip: deep, take: LIMIT }),
      5,
    ),
    await time(
      "peer: summary by counting",
      () =>
        Promise.all([
          client.order.count({ where }),
          client.order.count({ where: { AND: [where, { status: "FILLED" }] } }),
          client.order.aggregate({ where, _sum: { filledValue: true } }),
        ]),
      5,
    ),
  ];
}

function report(figures: Figure[]): void {
  console.log(`${rows.toLocaleString("en-US")} trades in two accounts; ${ROUNDS} rounds, wall time with the database`);
  console.table(
    figures.map(({ name, ...ms }) => ({
      name,
      "least ms": ms.leastMs.toFixed(1),
      "median ms": ms.medianMs.toFixed(1),
      "most ms": ms.mostMs.toFixed(1),
    })),
  );
  const of = (name: string) => figures.find((figure) => figure.name === name)!.leastMs;
  // Of the least times: other programs on the machine disturb the medians.
  const ratios = {
    "last page to first page": of("last page") / of("first page"),
    "summary to that of few": of("summary") / of(`summary of ${FEW} trades`),
    "OFFSET to cursor, last page": of("peer: last page by OFFSET") / of("last page"),
    "counting to tally": of("peer: summary by counting") / of("summary"),
  };
  console.table(Object.entries(ratios).map(([name, ratio]) => ({ name, ratio: ratio.toFixed(2) })));
  mkdirSync(".data", { recursive: true });
  writeFileSync(".data/bench-trades.json", JSON.stringify({ rows, figures, ratios }, null, 2));
}

const postgres = await ownPostgres();
try {
  const url = postgres.urlFor("trades");
  await ensureDatabase(url);
  await migrate(url);
  Object.assign(process.env, {
    DATABASE_URL: url,
    NEXTAUTH_SECRET: "bench-secret-".repeat(8),
    MASTER_KEYS: `1:${Buffer.alloc(32, 7).toString("base64")}`,
    AUDIT_KEY: "bench-audit-key-".repeat(4),
    LOG_LEVEL: "warn",
  });
  forgetEnv();
  const client = db();
  const many = await person(client, [Math.ceil(rows / 2), Math.floor(rows / 2)]);
  const few = await person(client, [FEW]);
  // Somebody else's trades lie between: as many again.
  await person(client, [rows]);
  await client.$executeRawUnsafe("vacuum analyze");
  report(await measure(many, few));
  await client.$disconnect();
} finally {
  await postgres.remove();
}
