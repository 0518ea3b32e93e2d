import { afterAll, beforeAll, expect, it } from "vitest";
import { sessionHours } from "@/lib/domain/market-calendar.ts";
import { backtestsApi } from "@/lib/contracts/backtests.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import { HISTORY_PROGRAM, THREAD_PROGRAM } from "@/lib/proof/fixtures/backtests.ts";
import { offsetTo, restoreClock, setClockOffset } from "@/lib/proof/rehearsal/moved-clock.ts";
import { openAlpacaAccount, openStandIn } from "@/lib/proof/rehearsal/stand-in.ts";
import { STRATEGY_NAMES } from "@/lib/domain/enums.ts";
import { makeUser } from "@/prisma/factories.ts";
import type { Context } from "../../context.ts";
import { db } from "../../db.ts";
import { activePolicy } from "../../core/active-policy.ts";
import { dateOf } from "../../rows.ts";
import { systemContext } from "../../system-context.ts";
import { loadHistory } from "../cycles/load-history.ts";
import { refreshCompanies } from "../providers/refresh-companies.ts";
import { createBacktest } from "./create-backtest.ts";
import { readBacktest } from "./read-backtest.ts";
import { readOptions } from "./read-options.ts";
import { runBacktests } from "./run-backtests.ts";
import { runStrategyHistories } from "./run-strategy-histories.ts";

const SESSION = "2026-11-25";
const LONG = 180_000;

let exchange: Exchange;
let context: Context;
let trader: Context<"user">;

beforeAll(async () => {
  setClockOffset(offsetTo(Date.parse(sessionHours(SESSION)!.opensAt)));
  exchange = await openStandIn();
  context = systemContext("test");
  await activePolicy(context);
  trader = (await openAlpacaAccount(context, exchange, { environment: "PAPER", preferences: {} })).asUser;
}, LONG);
afterAll(async () => {
  await exchange.close();
  restoreClock();
});

const asked = (from: string, to: string) =>
  backtestsApi.create.input.parse({
    market: "US",
    from,
    to,
    cash: 100_000,
    settings: {
      strategy: "MEAN_REVERSION",
      riskTolerance: "medium",
      riskLevel: "MEDIUM",
      defaultOrderSize: 5000,
      maxPositions: 20,
      maxPositionValue: 8000,
      profitTarget: 10,
      stopLoss: 5,
    },
  });

const histories = () =>
  db().strategyHistory.findMany({
    where: { market: "US" },
    orderBy: { strategy: "asc" },
    select: { strategy: true, sessions: true, throughDate: true, reason: true },
  });
const ofUs = async (as: Context<"user">) => (await readOptions(as)).markets.find(({ market }) => market === "US");

/** Of the 140 of a small market, or of all. */
const SOME = process.env.WHOLE_MARKET === "1" ? 150 : 110;

it("the US market is for who has an account of it, and says what a past of it still needs", async () => {
  const { id: userId } = await makeUser(db());
  const stranger: Context<"user"> = { ...context, actor: { kind: "user", userId, role: "USER", signInId: "test" } };
  const unlocked = "Add an Alpaca account to run backtests on the US market.";
  expect(await ofUs(stranger)).toEqual({ market: "US", sessions: null, reason: unlocked });
  await expect(createBacktest(stranger, asked("2026-06-01", "2026-09-30"))).rejects.toThrow(unlocked);
  // Alpaca's keys alone, and no filing read yet: entries would have no report dates to keep away from.
  expect(await ofUs(trader)).toMatchObject({ sessions: null, reason: expect.stringMatching(/^It is not known when/) });
  await expect(createBacktest(trader, asked("2026-06-01", "2026-09-30"))).rejects.toThrow("It is not known when");
  expect(await db().backtest.count()).toBe(0);
  // Nor is there a history of the strategies, for the same reason.
  await db().cycle.create({
    data: {
      market: "US",
      startedAt: new Date(sessionHours("2026-11-24")!.opensAt),
      sessionDate: dateOf("2026-11-24"),
      status: "DONE",
    },
  });
  await runStrategyHistories(context, HISTORY_PROGRAM);
  expect(await histories()).toEqual(
    STRATEGY_NAMES.map((strategy) => ({
      ...{ strategy, sessions: null, throughDate: dateOf("2026-11-24") },
      reason: expect.stringMatching(/^It is not known when/),
    })),
  );
});

it(
  "with Alpaca's keys and the SEC's filings, a run over the US market trades on the bars that screening keeps, tells its progress and says what its past lacks",
  async () => {
    // Some of the companies: the others stay without sector and report dates.
    await refreshCompanies(context, { most: SOME, requestEveryMs: 0 });
    const us = await ofUs(trader);
    expect(us).toMatchObject({ reason: null, sessions: { last: "2026-11-24" } });
    await expect(createBacktest(trader, asked("2026-08-03", SESSION))).rejects.toThrow(
      "The last day that can be traded is 24 Nov 2026: the bars of a US day are final after midnight in New York.",
    );
    await loadHistory(context, { turnMs: Infinity });
    // What is kept reaches back beyond the warm-up: from here on the vendor answers no bar.
    exchange.control.addFault({ kind: "status", status: 503, path: "/v2/stocks/bars", count: 0 });
    const { id } = await createBacktest(trader, asked("2026-08-03", "2026-10-30"));
    const told: { readPercent: number | null; done: number; total: number | null }[] = [];
    const runs = runBacktests(context, THREAD_PROGRAM);
    await expect
      .poll(
        async () => {
          const { progress, status } = await readBacktest(trader, { id });
          told.push(progress);
          return status;
        },
        { timeout: LONG, interval: 250 },
      )
      .not.toMatch(/QUEUED|RUNNING/);
    await runs;
    exchange.control.clearFaults();
    const { status, error, result, progress } = await readBacktest(trader, { id });
    expect([status, error]).toEqual(["DONE", null]);
    // On a quick machine the reading is over between two looks: that it was reported stands in the last one, too.
    expect(told.some(({ readPercent }) => readPercent !== null)).toBe(true);
    expect(told.map(({ done }) => done)).toEqual(told.map(({ done }) => done).toSorted((a, b) => a - b));
    expect(progress.total).toBeGreaterThanOrEqual(60);
    // The sessions that were asked for are the whole from the first look on, however often they are played.
    expect(told.filter(({ total }) => total !== null && total !== progress.total)).toEqual([]);
    if (!result) throw new Error("no result");
    expect(result.trips.length).toBeGreaterThan(2);
    expect(new Set(result.trips.map(({ sector }) => sector)).has(null), "sectors come from filings").toBe(false);

    // SPY held with its dividends in, by the market's own figures.
    const data = context.marketData("US");
    const bars = (await data.dailyBars(["SPY"], "2026-07-20", "2026-10-30")).get("SPY") ?? [];
    const first = bars.findLastIndex(({ session }) => session < "2026-08-03");
    const paid = (await data.corporateActions("2026-07-20", "2026-10-30")).filter(({ symbol }) => symbol === "SPY");
    const growth = bars.slice(first + 1).reduce((all, { session, close }, i) => {
      const dividend = paid.find(({ exDate, kind }) => exDate === session && kind === "dividend")?.value ?? 0;
      // Reinvested at the close before the ex-date, less the dividend.
      return (all * close) / (bars[first + i]!.close - dividend);
    }, 1);
    expect(result.figures.find(({ id: figure }) => figure === "index_return")?.value).toBeCloseTo(growth - 1, 9);

    const labelled = (label: string) => result.assumptions.find((sentence) => sentence.startsWith(`${label}: `));
    expect(labelled("Survivorship")).toMatch(/listed today\. Names that were delisted meanwhile/);
    expect(labelled("Sectors")).toContain("those of today, by the SEC's classification");
    expect(labelled("Sectors")).toMatch(/\d+ stocks have none and share the limits of one/);
    expect(labelled("Report dates")).toMatch(/^Report dates: estimated for each session.*\d+ stocks without filings/);
  },
  LONG,
);

it(
  "the strategies have a history of the US market, too, once its reports are known",
  async () => {
    // What could not be made yesterday is made with the next session that closes.
    await db().strategyHistory.updateMany({ data: { throughDate: dateOf("2026-11-23") } });
    await runStrategyHistories(context, HISTORY_PROGRAM);
    expect(await histories()).toEqual(
      STRATEGY_NAMES.map((strategy) => ({
        ...{ strategy, throughDate: dateOf("2026-11-24"), reason: null },
        sessions: expect.any(Number),
      })),
    );
    for (const { sessions } of await histories()) expect(sessions).toBeGreaterThanOrEqual(40);
  },
  LONG,
);
