/**
 * Whole trading cycles of many accounts: `npm run bench:accounts -- --accounts 1000 --workers 2`. Brings a Postgres, a Redis and a
 * practice market of its own, seeds one practice account each for so many people, starts workers as the product runs them, and lets
 * cycles run. What is measured is read from the product's own rows and metrics, from Postgres, and from /proc. Nothing is asserted
 * on time. Writes the same figures to .data/bench-accounts.json.
 */
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { flag, readArguments, runCommandLine, wholeNumber } from "@/lib/command.ts";
import { activePolicy } from "@/lib/server/core/active-policy.ts";
import { db } from "@/lib/server/db.ts";
import { forgetEnv } from "@/lib/server/env.ts";
import { systemContext } from "@/lib/server/system-context.ts";
import { migrate } from "@/scripts/databases.mjs";
import { ownPostgres, ownRedis } from "@/scripts/own-services.mjs";
import { stopAll } from "@/scripts/proc.mjs";
import { type Books, openBooks, redisUse } from "./accounts-books.ts";
import { type Program, jobRuns, startMarket, startWorker, type Use, useOf, type Worker } from "./accounts-processes.ts";
import { report, type CycleFigures, type Figures, type Phase } from "./accounts-report.ts";
import { marketControl, seedAccounts, type MarketControl } from "./accounts-seed.ts";

const HELP = `Usage: npm run bench:accounts -- [options]

Whole trading cycles of many practice accounts with real worker processes, Postgres, Redis and a practice market, all of
them its own. Says what a cycle takes, and what each kind of process uses.

  --accounts N   accounts, one for each person (default 1000)
  --workers W    worker processes (default 2)
  --cycles C     cycles one after the other (default 1)
  --follow S     seconds for which accounts are only followed, before the first cycle and after the last (default 20)
  --minutes M    a cycle that takes longer is measured as far as it came (default 10)
  --running      the market's clock runs at the speed of the clock; without it, it stands still between two looks
  --profile      a CPU profile of each worker in .data/bench-accounts
  --help         this text
`;

const OPTIONS = {
  accounts: wholeNumber(1, 200_000).default(1_000),
  workers: wholeNumber(1, 16).default(2),
  cycles: wholeNumber(1, 20).default(1),
  follow: wholeNumber(0, 600).default(20),
  minutes: wholeNumber(1, 120).default(10),
  running: flag,
  profile: flag,
};

/** Minutes of market time between two cycles, and after the opening until the first. */
const CHECK_MINUTES = 5;
const FIRST_METRICS_PORT = 19_300;
const LOOK_EVERY_MS = 500;
const MEMORY_EVERY_MS = 2_000;
/** A worker reads every account's books before it is ready. */
const READY_WITHIN_S = 3_600;

type Options = { [Name in keyof typeof OPTIONS]: ReturnType<(typeof OPTIONS)[Name]["parse"]> };

interface Stack {
  options: Options;
  books: Books;
  market: MarketControl;
  redisUrl: string;
  workers: Worker[];
  programs: Record<string, Program[]>;
  /** Most memory of each kind since the start of the run. */
  peaksMb: Record<string, number>;
}

const secondsSince = (startedAt: number) => (performance.now() - startedAt) / 1000;
const say = (message: string) => console.log(`${new Date().toISOString().slice(11, 19)} ${message}`);

function usesOf({ programs, peaksMb }: Pick<Stack, "programs" | "peaksMb">): Record<string, Use> {
  const uses = Object.fromEntries(Object.entries(programs).map(([kind, list]) => [kind, useOf(list)]));
  for (const [kind, { memoryMb }] of Object.entries(uses)) peaksMb[kind] = Math.max(peaksMb[kind] ?? 0, memoryMb);
  return uses;
}

/** CPU, statements and runs of jobs of a stretch of time. */
async function phase(stack: Stack, work: () => Promise<void>): Promise<Phase> {
  const [usedBefore, runsBefore] = [usesOf(stack), await jobRuns(stack.workers)];
  await stack.books.startCounting();
  const startedAt = performance.now();
  const sampling = setInterval(() => usesOf(stack), MEMORY_EVERY_MS);
  try {
    await work();
  } finally {
    clearInterval(sampling);
  }
  const seconds = secondsSince(startedAt);
  const [statements, used, runs] = [await stack.books.statements(), usesOf(stack), await jobRuns(stack.workers)];
  const cpuSeconds = Object.entries(used).map(
    ([kind, { cpuMs }]) => [kind, (cpuMs - (usedBefore[kind]?.cpuMs ?? 0)) / 1000] as const,
  );
  const ended = Object.entries(runs).map(([job, count]) => [job, count - (runsBefore[job] ?? 0)] as const);
  return {
    seconds,
    cpuSeconds: Object.fromEntries(cpuSeconds),
    jobs: Object.fromEntries(ended.filter(([, count]) => count > 0)),
    statements,
  };
}

/** Moves the market's clock to the next look and waits until every account has decided, or until the time is over. */
async function runCycle(stack: Stack, advanceMinutes: number): Promise<CycleFigures> {
  const { accounts, minutes } = stack.options;
  const before = await stack.books.cycle();
  const tablesBefore = await stack.books.tables();
  let clockSeconds = 0;
  let awokenAt = 0;
  const whole = await phase(stack, async () => {
    const startedAt = performance.now();
    await stack.market.clock({ advanceMinutes });
    clockSeconds = secondsSince(startedAt);
    awokenAt = Date.now();
    let cycleId: string | null = null;
    while (secondsSince(startedAt) < minutes * 60) {
      if (cycleId === null) {
        const latest = await stack.books.cycle();
        if (latest !== null && latest.id !== before?.id) cycleId = latest.id;
      } else if ((await stack.books.decided(cycleId)) >= accounts) break;
      await delay(LOOK_EVERY_MS);
    }
  });
  const cycle = await stack.books.cycle();
  if (cycle === null || cycle.id === before?.id) throw new Error("no cycle began in the time allowed");
  const tablesAfter = await stack.books.tables();
  const from = cycle.beganAt.getTime();
  return {
    ...whole,
    clockSeconds,
    screeningSeconds: (from - awokenAt) / 1000,
    decided: cycle.decided,
    orders: cycle.orders,
    firstSeconds: cycle.firstAt === null ? null : (cycle.firstAt.getTime() - from) / 1000,
    lastSeconds: cycle.lastAt === null ? null : (cycle.lastAt.getTime() - from) / 1000,
    bytes: tablesAfter.bytes - tablesBefore.bytes,
    tables: Object.fromEntries(
      Object.entries(tablesAfter.byName)
        .map(([name, { bytes, rows }]) => {
          const old = tablesBefore.byName[name];
          return [name, { bytes: bytes - (old?.bytes ?? 0), rows: rows - (old?.rows ?? 0) }] as const;
        })
        .filter(([, { bytes }]) => bytes > 0)
        .sort(([, a], [, b]) => b.bytes - a.bytes),
    ),
  };
}

async function prepareDatabase(postgres: Awaited<ReturnType<typeof ownPostgres>>): Promise<string> {
  const admin = new pg.Client({ connectionString: postgres.urlFor("postgres") });
  await admin.connect();
  await admin.query("alter system set shared_preload_libraries = 'pg_stat_statements'");
  await admin.query("create database accounts");
  await admin.end();
  await postgres.stop();
  await postgres.start();
  const url = postgres.running().urlFor("accounts");
  await migrate({ migration: url, product: url });
  return url;
}

function productEnv(databaseUrl: string, redisUrl: string, exchangeUrl: string, token: string, dataDir: string) {
  return {
    NODE_ENV: "production",
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    EXCHANGE_URL: exchangeUrl,
    EXCHANGE_CONTROL_TOKEN: token,
    NEXTAUTH_SECRET: randomBytes(64).toString("hex"),
    MASTER_KEYS: `1:${randomBytes(32).toString("base64")}`,
    AUDIT_KEY: randomBytes(32).toString("hex"),
    DATA_DIR: dataDir,
    DEMO: "0",
    LOG_LEVEL: "error",
  };
}

async function measure(
  options: Options,
  services: { postgres: Awaited<ReturnType<typeof ownPostgres>>; redis: Awaited<ReturnType<typeof ownRedis>> },
  dataDir: string,
): Promise<Figures> {
  const { postgres, redis } = services;
  const token = randomBytes(16).toString("hex");
  const [databaseUrl, exchange] = [await prepareDatabase(postgres), await startMarket(token)];
  const env = productEnv(databaseUrl, redis.url, exchange.url, token, dataDir);
  Object.assign(process.env, env);
  forgetEnv();
  const market = marketControl(exchange.url, token);
  await market.clock({ paused: true });
  await activePolicy(systemContext("bench"));
  const books = await openBooks(databaseUrl);
  const seed = await seedAccounts(market, options.accounts, CHECK_MINUTES);
  const seeded = await books.tables();
  if (options.running) await market.clock({ speed: 1, paused: false });
  say(
    `${options.accounts} accounts: ${(seed.exchangeMs / 1000).toFixed(1)} s at the exchange, ${(seed.rowsMs / 1000).toFixed(1)} s for their rows`,
  );
  const profileDir = options.profile ? path.resolve(".data/bench-accounts") : null;
  const workerOf = (nth: number) =>
    startWorker({ env, metricsPort: FIRST_METRICS_PORT + nth, profileDir, waitS: READY_WITHIN_S });
  const workers = await Promise.all(Array.from({ length: options.workers }, (_, nth) => workerOf(nth)));
  const readySeconds = workers.map(({ readyMs }) => readyMs / 1000);
  say(`${options.workers} workers ready after ${readySeconds.map((seconds) => seconds.toFixed(1)).join(", ")} s`);
  const programs = {
    worker: workers.map(({ program }) => program),
    postgres: [postgres.running().proc],
    redis: [redis.running().proc],
    exchange: [exchange.program],
  };
  const stack: Stack = { options, books, market, redisUrl: redis.url, workers, programs, peaksMb: {} };
  const follow = () => (options.follow === 0 ? null : phase(stack, () => delay(options.follow * 1000)));
  const following = await follow();
  const cycles: CycleFigures[] = [];
  for (let nth = 0; nth < options.cycles; nth += 1) {
    // The first look comes when the minutes after the opening are over in which nothing is bought.
    cycles.push(await runCycle(stack, nth === 0 ? CHECK_MINUTES + 1 : CHECK_MINUTES));
    const { decided, lastSeconds } = cycles.at(-1)!;
    say(`cycle ${nth + 1}: ${decided} of ${options.accounts} decided, the last after ${lastSeconds?.toFixed(1)} s`);
  }
  const followingAfter = await follow();
  const [redisFigures, ending] = [await redisUse(redis.url), await books.ending()];
  await books.close();
  return {
    ...{ at: new Date().toISOString(), cores: cpus().length, load: loadavg(), ...options },
    ...{ seed, bytesPerAccount: seeded.bytes / options.accounts, readySeconds, following, cycles, followingAfter },
    ...{ peaksMb: stack.peaksMb, redis: redisFigures, ...ending },
  };
}

async function run(options: Options): Promise<number> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "tradewind-accounts-"));
  const [postgres, redis] = [await ownPostgres(), await ownRedis()];
  const end = async () => {
    await db().$disconnect();
    // Workers first: each of the programs carries a rank.
    await stopAll();
    await Promise.all([postgres.remove(), redis.remove()]);
    rmSync(dataDir, { recursive: true, force: true });
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => void end().finally(() => process.exit(130)));
  try {
    const figures = await measure(options, { postgres, redis }, dataDir);
    report(figures);
    mkdirSync(".data", { recursive: true });
    writeFileSync(".data/bench-accounts.json", JSON.stringify(figures, null, 2));
    return 0;
  } finally {
    await end();
  }
}

await runCommandLine(
  HELP,
  (args) => readArguments(args, OPTIONS),
  ({ values }) => run(values),
);
