import { beforeEach, expect, it } from "vitest";
import { readHistory } from "@/lib/backtest/read-history.ts";
import { readOptions } from "@/lib/backtest/options.ts";
import { HISTORY_PREFERENCES } from "@/lib/domain/backtest/strategy-history.ts";
import { runBacktest } from "@/lib/domain/backtest/run-backtest.ts";
import { STRATEGY_NAMES } from "@/lib/domain/enums.ts";
import { tooFewSessions } from "@/lib/domain/insight/history-text.ts";
import { type Policy, POLICY_2_9_0 } from "@/lib/domain/policy.ts";
import { statisticsOf, valueOf } from "@/lib/domain/statistics/statistics.ts";
import { HOUR_MS, MINUTE_MS } from "@/lib/domain/time.ts";
import { HISTORY_PROGRAM, marketOfFile } from "@/lib/proof/fixtures/backtests.ts";
import { testContext } from "@/lib/proof/fixtures/orders.ts";
import { activePolicy } from "../../core/active-policy.ts";
import { asJson, historyPointsOf } from "../../core/json.ts";
import { db } from "../../db.ts";
import { marketData } from "../../providers/market-data-registry.ts";
import { sessionOf } from "../../rows.ts";
import { closedSessions } from "./read-options.ts";
import { runStrategyHistories } from "./run-strategy-histories.ts";

const LONG = 180_000;
/** Long enough for the next session to be waited for no more. */
const aWhileAgo = () => new Date(Date.now() - 16 * MINUTE_MS);
const market = marketOfFile();

beforeEach(async () => {
  await db().strategyHistory.deleteMany();
  await db().cycle.deleteMany();
});

const looked = (status: "DONE" | "RUNNING" = "DONE") =>
  db().cycle.create({
    data: {
      market: "PRACTICE",
      startedAt: new Date("2020-06-30T14:00:00Z"),
      sessionDate: new Date("2020-06-30"),
      status,
    },
  });
const rows = () => db().strategyHistory.findMany({ orderBy: { strategy: "asc" } });
async function make(change: Parameters<typeof testContext>[0] = {}) {
  const context = testContext({ marketData, ...change });
  await runStrategyHistories(context, HISTORY_PROGRAM);
  return context.lines.map(({ event }) => event);
}

/** With another policy in force meanwhile. */
async function underPolicy(policy: Policy, work: () => Promise<void>) {
  const { version } = await activePolicy(testContext());
  await db().policyVersion.update({ where: { version }, data: { status: "RETIRED" } });
  await db().policyVersion.create({
    data: { version: policy.version, status: "ACTIVE", content: asJson(policy), note: "test" },
  });
  try {
    await work();
  } finally {
    await db().policyVersion.update({ where: { version: policy.version }, data: { status: "RETIRED" } });
    await db().policyVersion.update({ where: { version }, data: { status: "ACTIVE" } });
  }
}

it(
  "after the market's first cycle each strategy has the history that the command figures, once a session and policy",
  async () => {
    expect(await make(), "a market that was not looked at yet").toEqual([]);
    const running = await looked("RUNNING");
    expect(await make()).toEqual([]);
    await db().cycle.update({ where: { id: running.id }, data: { status: "DONE" } });
    expect(await make()).toEqual(["strategy-history.completed"]);
    const made = await rows();
    expect(made.map(({ market: of, strategy }) => [of, strategy])).toEqual(
      STRATEGY_NAMES.map((strategy) => ["PRACTICE", strategy]),
    );
    const { policy } = readOptions(["--tape", market.tape])!;
    const index = readHistory(market.tape, 1);
    for (const row of made) {
      const from = sessionOf(row.fromDate!);
      const result = runBacktest({
        index,
        policy,
        preferences: { ...HISTORY_PREFERENCES, strategy: row.strategy },
        cash: "100000",
        seed: 1,
        from,
        to: "2020-06-30",
      });
      const of = (id: string) => valueOf(statisticsOf(result, { count: 1, sharpes: [] }), id);
      expect(sessionOf(row.throughDate)).toBe("2020-06-30");
      expect([row.reason, row.sessions, row.policyVersion]).toEqual([null, result.days.length, policy.version]);
      expect([row.cash?.toString(), row.finalEquity?.toString()]).toEqual(["100000", result.days.at(-1)!.equity]);
      expect(row).toMatchObject({
        totalReturn: of("total_return"),
        maxDrawdown: of("max_drawdown"),
        exposure: of("mean_exposure"),
        trades: of("trades"),
        winRate: of("win_rate"),
        indexReturn: of("index_return"),
      });
      const points = historyPointsOf(row)!;
      expect(points).toHaveLength(60);
      expect(points[0]).toMatchObject({ strategy: 100, index: 100 });
      expect(points[0]!.session < from).toBe(true);
      expect(points.at(-1)).toMatchObject({ session: "2020-06-30" });
      expect(points.at(-1)!.strategy).toBeCloseTo(100 * (1 + row.totalReturn!), 3);
      expect(points.at(-1)!.index).toBeCloseTo(100 * (1 + row.indexReturn!), 3);
    }
    expect(
      made.some(({ trades }) => trades! > 3),
      "the market is traded",
    ).toBe(true);

    expect(await make(), "the same session under the same policy").toEqual([]);
    expect(await rows()).toEqual(made);

    // Another policy, and an older session, are made anew.
    await underPolicy({ ...POLICY_2_9_0, version: "9.9.9" }, async () => {
      expect(await make()).toEqual(["strategy-history.completed"]);
      expect((await rows()).map(({ policyVersion }) => policyVersion)).toEqual(["9.9.9", "9.9.9", "9.9.9"]);
    });
    const older = { policyVersion: policy.version, throughDate: new Date("2020-06-29"), trades: 99_999 };
    await db().strategyHistory.updateMany({ data: older });
    expect(await make(), "made a moment ago, on a market that runs fast").toEqual([]);
    await db().strategyHistory.updateMany({ data: { computedAt: aWhileAgo() } });
    expect(await make()).toEqual(["strategy-history.completed"]);
    const computed = ({ computedAt: _, ...row }: (typeof made)[number]) => row;
    expect((await rows()).map(computed)).toEqual(made.map(computed));
  },
  LONG,
);

it(
  "a market with too few sessions says so instead, until it has enough",
  async () => {
    await looked();
    const { all } = await closedSessions(testContext({ marketData }), "PRACTICE");
    const selector = { ...POLICY_2_9_0.selector_top50, min_bars: all.length - 39 };
    await underPolicy({ ...POLICY_2_9_0, version: "9.9.8", selector_top50: selector }, async () => {
      await make();
      const made = await rows();
      expect(made.map(({ reason, points, totalReturn }) => [reason, points, totalReturn])).toEqual(
        STRATEGY_NAMES.map(() => [tooFewSessions(39, 40), null, null]),
      );
      expect(await make()).toEqual([]);
      expect(await rows()).toEqual(made);
    });
    await make();
    expect((await rows()).map(({ reason }) => reason)).toEqual([null, null, null]);
  },
  LONG,
);

it(
  "what cannot be made leaves what there is, and is tried again an hour later",
  async () => {
    await looked();
    await make();
    await db().strategyHistory.updateMany({ data: { throughDate: new Date("2020-06-29"), computedAt: aWhileAgo() } });
    const before = await rows();
    const said = { kind: "failed", message: "The past has a fault.", cause: "a fault" };
    const broken = `data:text/javascript,import { parentPort } from "node:worker_threads"; parentPort.postMessage(${JSON.stringify(said)});`;
    const context = testContext({ marketData });
    const failures = () => context.lines.filter(({ event }) => event === "strategy-history.failed");
    await runStrategyHistories(context, broken);
    expect(failures().map(({ fields }) => fields)).toEqual([{ market: "PRACTICE", reason: "The past has a fault." }]);
    expect(await rows()).toEqual(before);
    await runStrategyHistories(context, broken);
    expect(failures()).toHaveLength(1);
    const later = () => new Date(Date.now() + HOUR_MS);
    expect(await make({ now: later })).toEqual(["strategy-history.completed"]);
    expect((await rows()).map(({ throughDate }) => sessionOf(throughDate))).toEqual(
      STRATEGY_NAMES.map(() => "2020-06-30"),
    );
  },
  LONG,
);
