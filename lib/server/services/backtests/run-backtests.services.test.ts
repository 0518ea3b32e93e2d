import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { runBacktest } from "@/lib/domain/backtest/run-backtest.ts";
import { type BacktestRecord, recordOf } from "@/lib/domain/backtest/record.ts";
import { spreadRunOf } from "@/lib/domain/backtest/spreads.ts";
import { dailyReturns, statisticsOf } from "@/lib/domain/statistics/statistics.ts";
import { sharpe } from "@/lib/domain/metrics.ts";
import { makeUser } from "@/prisma/factories.ts";
import { readOptions } from "@/lib/backtest/options.ts";
import { readHistory, tradedSessions } from "@/lib/backtest/read-history.ts";
import type { Context } from "../../context.ts";
import { db, type Prisma } from "../../db.ts";
import { forgetEnv } from "../../env.ts";
import { marketData } from "../../providers/market-data-registry.ts";
import { dateOf } from "../../rows.ts";
import { testContext } from "@/lib/proof/fixtures/orders.ts";
import { activePolicy } from "../../core/active-policy.ts";
import { releaseThreads } from "../queue/run-thread.ts";
import {
  ENDLESS_PROGRAM,
  marketOfFile,
  startMarket,
  THREAD_PROGRAM,
  writeTape,
} from "@/lib/proof/fixtures/backtests.ts";
import { cancelBacktest } from "./cancel-backtest.ts";
import { claimBacktest } from "./claim-backtest.ts";
import { deleteBacktest } from "./delete-backtest.ts";
import { runBacktests } from "./run-backtests.ts";

const FROM = "2020-01-10";
const TO = "2020-06-30";
const LONG = 120_000;

const market = marketOfFile();
let context: Context;
let userId: string;

beforeAll(async () => {
  context = testContext({ marketData });
  await activePolicy(context);
}, LONG);
beforeEach(async () => {
  await db().backtest.deleteMany();
  userId = (await makeUser(db())).id;
});

const asked = () => readOptions(["--tape", market.tape, "--strategy", "MEAN_REVERSION"])!;

async function queued(change: Partial<Prisma.BacktestUncheckedCreateInput> = {}) {
  const { cash, preferences } = asked();
  return db().backtest.create({
    data: {
      userId,
      name: "A run",
      market: "PRACTICE",
      strategy: "MEAN_REVERSION",
      fromDate: dateOf(FROM),
      toDate: dateOf(TO),
      cash,
      preferences: { ...preferences },
      policyVersion: "2.9.0",
      ...change,
    },
  });
}

const read = (id: string) => db().backtest.findUniqueOrThrow({ where: { id } });
const asOwner = (): Context<"user"> => ({
  ...context,
  actor: { kind: "user", userId, role: "USER", signInId: "test" },
});

/** As the command figures it, straight from the tape, fills at a multiple of the spread. */
function commandResult(spreadMultiple = 1) {
  const { policy, preferences, cash, seed } = asked();
  const index = readHistory(market.tape, seed);
  const { from, to } = tradedSessions(index, policy.selector_top50.min_bars, { from: FROM, to: TO });
  return runBacktest({ index, policy, preferences, cash, seed, from, to, spreadMultiple });
}

it(
  "a run gives the figures, days and round trips that the command gives for the same input, to the last digit",
  async () => {
    const { id } = await queued();
    await runBacktests(context, THREAD_PROGRAM);
    const row = await read(id);
    expect([row.status, row.error]).toEqual(["DONE", null]);
    const result = commandResult();
    expect(result.trades.length, "the market is traded").toBeGreaterThan(10);
    const own = sharpe(dailyReturns(result));
    const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
    const { spreads, largest, ...record } = row.record as unknown as BacktestRecord;
    expect(record).toEqual(asJson(recordOf(result)));
    const { policy } = asked();
    expect(spreads).toEqual([1, 2, 4].map((multiple) => spreadRunOf(commandResult(multiple), policy, multiple)));
    const [usual, , widest] = spreads!.map(({ totalReturn }) => totalReturn);
    expect(widest, "what is paid more is missing at the end").toBeLessThan(usual!);
    const fill = result.fills.find(({ symbol, session }) => symbol === largest!.symbol && session === largest!.session);
    expect(Number(largest!.notional)).toBeCloseTo(Number(fill!.qty) * Number(fill!.price), 6);
    // Two million shares of each stock a day.
    expect(largest!.adv / Number(fill!.price) / 2e6).toBeCloseTo(1, 0);
    expect(largest!.share).toBeCloseTo(Number(largest!.notional) / largest!.adv, 12);
    expect(row.figures).toEqual(asJson(statisticsOf(result, { count: 1, sharpes: [own!] })));
    expect(row.sharpe).toBe(own);
    expect([row.sessionsDone, row.sessionsTotal]).toEqual([result.days.length, result.days.length]);
  },
  LONG,
);

it(
  "the second run of the same kind is deflated by the first, another strategy's is not",
  async () => {
    const first = await queued();
    const second = await queued({ cash: "50000" });
    const other = await queued({ strategy: "MOMENTUM", preferences: { ...asked().preferences, strategy: "MOMENTUM" } });
    await runBacktests(context, THREAD_PROGRAM);
    const nameOf = async (id: string) =>
      ((await read(id)).figures as unknown as { id: string; name: string }[]).find(
        (row) => row.id === "deflated_sharpe",
      )?.name;
    expect(await nameOf(first.id)).toBe("Deflated Sharpe (1 trial)");
    expect(await nameOf(second.id)).toBe("Deflated Sharpe (2 trials)");
    expect(await nameOf(other.id)).toBe("Deflated Sharpe (1 trial)");
  },
  LONG,
);

it("runs of one person take turns, and those of two do not wait for each other", async () => {
  const [own] = [await queued(), await queued()];
  const another = await queued({ userId: (await makeUser(db())).id });
  const claims = await Promise.all([1, 2, 3].map(() => claimBacktest(context)));
  const begun = claims.flatMap((row) => row?.id ?? []);
  // A worker that lost the race of one user's runs retries.
  for (let row = await claimBacktest(context); row !== null; row = await claimBacktest(context)) begun.push(row.id);
  expect(begun.sort()).toEqual([own.id, another.id].sort());
});

it("a run whose worker died is begun again, and what the first one still writes is not taken", async () => {
  const { id } = await queued();
  const lost = await claimBacktest(context);
  expect(await claimBacktest(context), "its worker beats").toBeNull();
  await db().backtest.update({
    where: { id },
    data: { beatAt: new Date(Date.now() - 16_000), sessionsTotal: 100, sessionsDone: 40 },
  });
  const again = await claimBacktest(context);
  expect([lost?.attempts, again?.attempts, again?.sessionsDone]).toEqual([1, 2, 0]);
  const fenced = await db().backtest.updateMany({
    where: { id, status: "RUNNING", attempts: lost!.attempts },
    data: { status: "DONE" },
  });
  expect(fenced.count).toBe(0);
});

it("a run that ended its worker three times fails in words instead of ending a fourth", async () => {
  const { id } = await queued();
  for (let death = 0; death < 3; death += 1) {
    expect((await claimBacktest(context))?.id).toBe(id);
    await db().backtest.update({ where: { id }, data: { beatAt: new Date(Date.now() - 16_000) } });
  }
  expect(await claimBacktest(context)).toBeNull();
  expect(await read(id)).toMatchObject({ status: "FAILED", error: expect.stringContaining("ended 3 times") });
});

it(
  "an unavailable source fails the run with its own message, and later runs succeed",
  async () => {
    const { id } = await queued();
    process.env.EXCHANGE_URL = "http://127.0.0.1:1";
    try {
      await runBacktests(context, THREAD_PROGRAM);
    } finally {
      process.env.EXCHANGE_URL = market.exchange.url;
      forgetEnv();
    }
    expect(await read(id)).toMatchObject({
      status: "FAILED",
      error: expect.stringMatching(/cannot be reached right now/),
    });
  },
  LONG,
);

it(
  "a market with a fault in its history fails the run with the sentence of that fault",
  async () => {
    const { id } = await queued();
    const spoilt = writeTape();
    const bars = path.join(spoilt, "bars.csv.gz");
    writeFileSync(
      bars,
      gzipSync(
        gunzipSync(readFileSync(bars))
          .toString()
          .replaceAll(/.*,SPY,.*\n?/g, ""),
      ),
    );
    const other = await startMarket(spoilt);
    process.env.EXCHANGE_URL = other.url;
    try {
      await runBacktests(context, THREAD_PROGRAM);
    } finally {
      process.env.EXCHANGE_URL = market.exchange.url;
      forgetEnv();
      await other.close();
      rmSync(spoilt, { recursive: true, force: true });
    }
    expect(await read(id)).toMatchObject({
      status: "FAILED",
      error: "The history of the practice market has no bars of SPY, from which the regime and the benchmark are made.",
    });
  },
  LONG,
);

it(
  "dates without a session fail the run in words",
  async () => {
    const { id } = await queued({ fromDate: dateOf("2020-01-11"), toDate: dateOf("2020-01-12") });
    await runBacktests(context, THREAD_PROGRAM);
    expect(await read(id)).toMatchObject({
      status: "FAILED",
      error: "The market was closed from 11 Jan 2020 to 12 Jan 2020.",
    });
  },
  LONG,
);

it(
  "a run that is cancelled or deleted while it runs ends within its next heartbeat and leaves nothing",
  async () => {
    for (const stop of [cancelBacktest, deleteBacktest]) {
      const { id } = await queued();
      const runs = runBacktests(context, ENDLESS_PROGRAM);
      await expect.poll(async () => (await read(id)).status).toBe("RUNNING");
      await stop(asOwner(), { id });
      await runs;
      const left = await db().backtest.findUnique({ where: { id } });
      expect(left?.status).toBe(stop === cancelBacktest ? "CANCELED" : undefined);
    }
  },
  LONG,
);

it(
  "a thread that ends without an answer fails the run, not the worker",
  async () => {
    const { id } = await queued();
    await runBacktests(context, `data:text/javascript,throw new Error("unexpected")`);
    expect(await read(id)).toMatchObject({
      status: "FAILED",
      error: expect.stringContaining("aborted by an unexpected error"),
    });
  },
  LONG,
);

it(
  "a worker that stops puts its run back for the next one",
  async () => {
    const { id } = await queued();
    const runs = runBacktests(context, ENDLESS_PROGRAM);
    await expect.poll(async () => (await read(id)).status).toBe("RUNNING");
    releaseThreads();
    await runs;
    expect(await read(id)).toMatchObject({ status: "QUEUED", beatAt: null, startedAt: null });
  },
  LONG,
);
