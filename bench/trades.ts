import { mkdirSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { ensureDatabase, migrate } from "@/scripts/databases.mjs";
import { ownPostgres } from "@/scripts/own-services.mjs";
import { tradesApi } from "@/lib/contracts/trades.ts";
import { db, type Prisma } from "@/lib/server/db.ts";
import { forgetEnv } from "@/lib/server/env.ts";
import { WHERE_TRADE } from "@/lib/server/rows.ts";
import { findTrades, type TradeOrder } from "@/lib/server/services/trades/find-trades.ts";
import { listAllTrades, listTrades } from "@/lib/server/services/trades/list-trades.ts";
import { summarizeTrades } from "@/lib/server/services/trades/summarize-trades.ts";
import {
  periodOf,
  tradesOfEnvironment,
  type TradeFilter,
  type TradeScope,
} from "@/lib/server/services/trades/trade-scope.ts";
import { personWith, type Person } from "./trade-rows.ts";

/**
 * The trade history of a user with 100,000 trades in two accounts over ten years, of a user with as many in one symbol on one
 * day, and an administrator's view of all users': `npm run bench:trades`. Brings its own Postgres and touches nothing of the
 * stack. BENCH_ROWS changes the number, BENCH_CROWD how many other accounts of 1,000 trades there are (1,000), BENCH_ROUNDS how often each is asked (100). The aims: any page
 * in 100 ms and at most twice the first one, any summary of a person in 50 ms. Each stands beside its peer of the same run: the page by
 * OFFSET, the sum over the trades. Nothing fails on a slow machine. Writes the same figures to .data/bench-trades.json.
 */
const rows = Number(process.env.BENCH_ROWS ?? 100_000);
const crowd = Number(process.env.BENCH_CROWD ?? 1_000);
const FEW = 85;
const EACH = 1_000;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 100);
const PEER_ROUNDS = 15;
const LIMIT = 50;
const SORTS = ["date", "symbol", "quantity", "price", "total"] as const;

interface Figure {
  name: string;
  leastMs: number;
  p50Ms: number;
  p99Ms: number;
  /** Of the peer, where there is one, and how many times as long it takes. */
  peerMs?: number;
  peerRatio?: number;
}

const figures: Figure[] = [];

/** Wall times of the service, its queries included, in order; the first rounds warm up. */
async function timesOf(work: () => Promise<unknown>, rounds: number): Promise<number[]> {
  for (let round = 0; round < 3; round += 1) await work();
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = performance.now();
    await work();
    times.push(performance.now() - startedAt);
  }
  return times.sort((a, b) => a - b);
}

async function time(name: string, work: () => Promise<unknown>, peer?: () => Promise<unknown>): Promise<void> {
  const times = await timesOf(work, ROUNDS);
  const at = (share: number) => times[Math.floor((ROUNDS - 1) * share)] ?? NaN;
  const figure: Figure = { name, leastMs: at(0), p50Ms: at(0.5), p99Ms: at(0.99) };
  if (peer) {
    // Of the least times: other programs on the machine disturb the rest.
    figure.peerMs = (await timesOf(peer, PEER_ROUNDS))[0] ?? NaN;
    figure.peerRatio = figure.peerMs / figure.leastMs;
  }
  figures.push(figure);
}

const scopeOf = async (person: Person) => (await tradesOfEnvironment(person, undefined, { isOfAll: false })).scope;

const query = (more: object) => tradesApi.list.input.parse({ limit: LIMIT, ...more });

/** The cursor behind which `skipped` trades lie. */
async function cursorAt({ db: client }: Person, scope: TradeScope, sort: TradeOrder["sort"], skipped: number) {
  const page = await findTrades(client, scope, {}, { sort, direction: "desc", cursor: undefined, limit: skipped });
  return page.nextCursor ?? "";
}

/** What a trade is, as a peer without kept totals and cursors would ask for it. */
const whereOf = (scope: TradeScope, { symbol, side, status, ...dates }: TradeFilter): Prisma.OrderWhereInput => {
  const { from, before } = periodOf(dates);
  return {
    ...(scope === "all-users" ? {} : { accountId: { in: [...scope.accountIds] } }),
    ...(symbol === undefined ? {} : { symbol: { contains: symbol } }),
    ...(side === undefined ? {} : { side }),
    ...(status === undefined
      ? {}
      : { status: status === "CANCELLED" ? "CANCELED" : status === "PENDING" ? "NEW" : status }),
    ...(from || before ? { tradedAt: { ...(from ? { gte: from } : {}), ...(before ? { lt: before } : {}) } } : {}),
    ...WHERE_TRADE,
  };
};

const plainSum =
  ({ db: client }: Person, scope: TradeScope, filter: TradeFilter) =>
  () =>
    client.order.aggregate({ where: whereOf(scope, filter), _count: true, _sum: { filledValue: true } });

const COLUMNS = {
  date: "tradedAt",
  symbol: "symbol",
  quantity: "filledQty",
  price: "filledAvgPrice",
  total: "filledValue",
};

const byOffset =
  ({ db: client }: Person, scope: TradeScope, sort: TradeOrder["sort"], skip: number) =>
  () =>
    client.order.findMany({
      where: whereOf(scope, {}),
      orderBy: [{ [COLUMNS[sort]]: "desc" }, { id: "desc" }],
      skip,
      take: LIMIT,
    });

async function measurePages(who: string, person: Person, scope: TradeScope, total: number): Promise<void> {
  const list = scope === "all-users" ? listAllTrades : listTrades;
  const last = Math.max(0, total - 2 * LIMIT);
  const depths: [string, number][] =
    scope === "all-users"
      ? [
          ["first", 0],
          ["10,000 in", 10_000],
        ]
      : [
          ["first", 0],
          ["middle", last >> 1],
          ["last", last],
        ];
  for (const sort of SORTS)
    for (const [place, depth] of depths) {
      const cursor = depth === 0 ? undefined : await cursorAt(person, scope, sort, depth);
      await time(
        `${who}: ${place} page by ${sort}`,
        () => list(person, query({ sort, cursor: cursor || undefined })),
        byOffset(person, scope, sort, depth),
      );
    }
}

const PAGE_FILTERS: Record<string, TradeFilter> = {
  "one symbol": { symbol: "S042" },
  "sales only": { side: "SELL" },
  "pending only": { status: "PENDING" },
  "rejected only": { status: "REJECTED" },
  "one month": { startDate: "2015-03-01", endDate: "2015-03-31" },
};

async function measureFilters(who: string, person: Person, scope: TradeScope): Promise<void> {
  const list = scope === "all-users" ? listAllTrades : listTrades;
  for (const [name, filter] of Object.entries(PAGE_FILTERS))
    for (const sort of ["date", "total"] as const)
      await time(`${who}: ${name} by ${sort}`, () => list(person, query({ ...filter, sort })));
}

const SUMMARIES: Record<string, TradeFilter> = {
  everything: {},
  "sales only": { side: "SELL" },
  "rejected only": { status: "REJECTED" },
  "one symbol": { symbol: "S042" },
  "every symbol by a part": { symbol: "S" },
  "a day": { startDate: "2015-03-04", endDate: "2015-03-04" },
  "a week": { startDate: "2015-03-01", endDate: "2015-03-07" },
  "a month": { startDate: "2015-03-01", endDate: "2015-03-31" },
  "a year, from March to March": { startDate: "2015-03-05", endDate: "2016-03-04" },
  "nine years": { startDate: "2011-01-01" },
  "nine years, odd ends": { startDate: "2011-01-02", endDate: "2019-12-30" },
  "nine years between two moments": { startDate: "2011-01-02T15:31:12.123Z", endDate: "2019-12-30T18:00:00Z" },
  "one symbol over nine years, odd ends": { symbol: "S042", startDate: "2011-01-02", endDate: "2019-12-30" },
  "every symbol by a part, odd ends": { symbol: "S", startDate: "2011-01-02", endDate: "2019-12-30" },
};

async function measureSummaries(who: string, person: Person, scope: TradeScope, asked = SUMMARIES): Promise<void> {
  for (const [name, filter] of Object.entries(asked))
    await time(
      `${who}: summary of ${name}`,
      () => summarizeTrades(person.db, scope, filter),
      plainSum(person, scope, filter),
    );
}

const DAY_SUMMARIES: Record<string, TradeFilter> = {
  everything: {},
  "the day": { startDate: "2015-03-04", endDate: "2015-03-04" },
  "the day in its symbol": { symbol: "S000", startDate: "2015-03-04", endDate: "2015-03-04" },
  "half the day": { startDate: "2015-03-04T17:30:00Z" },
};

const shown = (value: number | undefined) => (value === undefined ? "" : value.toFixed(1));

function report(loads: number[][]): void {
  console.log(
    `${rows.toLocaleString("en-US")} trades of a person, ${crowd.toLocaleString("en-US")} other accounts with ${EACH}; ` +
      `${ROUNDS} rounds, wall time with the database; load ${loads.map((load) => load[0]?.toFixed(1)).join(" to ")}`,
  );
  console.table(
    figures.map(({ name, ...ms }) => ({
      name,
      "least ms": shown(ms.leastMs),
      "p50 ms": shown(ms.p50Ms),
      "p99 ms": shown(ms.p99Ms),
      "peer ms": shown(ms.peerMs),
      "peer ×": shown(ms.peerRatio),
    })),
  );
  const least = (name: string) => figures.find((figure) => figure.name === name)?.leastMs ?? NaN;
  const ratios = {
    "last page to first page": least("many: last page by date") / least("many: first page by date"),
    "summary to that of few": least("many: summary of everything") / least("few: summary of everything"),
    "summary of nine years to that of few":
      least("many: summary of nine years, odd ends") / least("few: summary of everything"),
  };
  console.table(Object.entries(ratios).map(([name, ratio]) => ({ name, ratio: ratio.toFixed(2) })));
  mkdirSync(".data", { recursive: true });
  writeFileSync(
    ".data/bench-trades.json",
    JSON.stringify({ rows, crowd, each: EACH, loads, figures, ratios }, null, 2),
  );
}

const postgres = await ownPostgres();
try {
  const url = postgres.urlFor("trades");
  await ensureDatabase(url);
  await migrate({ migration: url, product: url });
  Object.assign(process.env, {
    DATABASE_URL: url,
    NEXTAUTH_SECRET: "bench-secret-".repeat(8),
    MASTER_KEYS: `1:${Buffer.alloc(32, 7).toString("base64")}`,
    AUDIT_KEY: "bench-audit-key-".repeat(4),
    LOG_LEVEL: "warn",
  });
  forgetEnv();
  const client = db();
  const many = await personWith(client, [Math.ceil(rows / 2), Math.floor(rows / 2)]);
  const few = await personWith(client, [FEW]);
  const busy = await personWith(client, [rows], "day");
  // Another user's trades lie between.
  await personWith(
    client,
    Array.from({ length: crowd }, () => EACH),
  );
  await client.$executeRawUnsafe("vacuum analyze");
  const loads = [loadavg()];
  const scope = await scopeOf(many);
  await measurePages("many", many, scope, rows);
  await measureFilters("many", many, scope);
  await measureSummaries("many", many, scope);
  await time("many: one trade and the summary of a month, as the dashboard asks", () =>
    listTrades(many, query({ limit: 1, startDate: "2019-12-01" })),
  );
  const fewScope = await scopeOf(few);
  await time("few: first page by date", () => listTrades(few, query({})));
  await measureSummaries("few", few, fewScope, { everything: {} });
  await measureSummaries("one day", busy, await scopeOf(busy), DAY_SUMMARIES);
  await measurePages("administrator", many, "all-users", rows);
  await measureFilters("administrator", many, "all-users");
  await measureSummaries("administrator", many, "all-users");
  loads.push(loadavg());
  report(loads);
  await client.$disconnect();
} finally {
  await postgres.remove();
}
