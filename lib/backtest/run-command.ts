import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { runBacktest } from "@/lib/domain/backtest/run-backtest.ts";
import { prepareFeatures } from "@/lib/domain/backtest/features.ts";
import { type Repair, repairText } from "@/lib/domain/backtest/check.ts";
import { INDEX_SYMBOL } from "@/lib/domain/backtest/history.ts";
import type { HistoryIndex } from "@/lib/domain/backtest/market.ts";
import type { BacktestResult } from "@/lib/domain/backtest/result.ts";
import { canonicalJson } from "@/lib/domain/engine/canonical.ts";
import { dailyReturns, type Statistic, valueOf } from "@/lib/domain/statistics/statistics.ts";
import { statisticText } from "@/lib/domain/statistics/text.ts";
import { maxDrawdown, sharpe } from "@/lib/domain/metrics.ts";
import type { Policy } from "@/lib/domain/policy.ts";
import type { SessionDate } from "@/lib/domain/time.ts";
import type { BacktestOptions } from "./options.ts";
import type { Progress } from "@/lib/progress.ts";
import { type OpenTape, openTape } from "./open-tape.ts";
import { tapeHash, tradedSessions } from "./read-history.ts";
import { enterRuns, readRegistry, type RegistryEntry, sha256, trialsOf } from "./registry.ts";
import { CAVEAT, summaryText, textTable } from "./summary.ts";
import { openPool, type SweepPoint, type SweepPool, sweepPoints, threadCount } from "./sweep.ts";
import { bestPoint, stitch, walkForwardWindows } from "./walk-forward.ts";
import { csv, writeRun } from "./write-run.ts";

/** Where a command finds and leaves things, and how it speaks. */
export interface Surroundings {
  /** Directory of the registry and of the results. */
  registry: string;
  /** URL of the file that worker threads start. */
  program: string;
  say: (line: string) => void;
  progress: (label: string) => Progress;
}

interface Run extends Surroundings {
  options: BacktestOptions;
  index: HistoryIndex;
  repairs: Repair[];
  from: SessionDate;
  to: SessionDate;
  tapeHash: string;
  out: string;
}

function entryOf(
  run: Run,
  kind: RegistryEntry["kind"],
  policy: Policy,
  parameters: Record<string, number>,
  result: BacktestResult,
): RegistryEntry {
  const returns = dailyReturns(result);
  const { config } = result;
  return {
    kind,
    tape: result.market,
    tapeHash: run.tapeHash,
    strategy: config.preferences.strategy,
    policyHash: sha256(canonicalJson(policy)),
    parameters,
    preferences: { ...config.preferences },
    from: config.from,
    to: config.to,
    cash: config.cash,
    seed: config.seed,
    finalEquity: result.days.at(-1)?.equity ?? config.cash,
    sharpe: sharpe(returns),
    maxDrawdown: maxDrawdown([Number(config.cash), ...result.days.map((day) => Number(day.equity))]),
    trades: result.trades.length,
  };
}

async function enter(run: Run, entries: readonly RegistryEntry[]) {
  const rows = await enterRuns(run.registry, entries, new Date().toISOString());
  return trialsOf(rows, run.tapeHash, run.options.preferences.strategy);
}

async function runOnce(run: Run): Promise<void> {
  const { options, index, from, to, say } = run;
  const { policy, preferences, cash, seed, isWithoutEarnings, hasRotation } = options;
  const at = (date: SessionDate) => index.sessionAt.get(date) ?? 0;
  const progress = run.progress("sessions");
  const startedAt = performance.now();
  const features = prepareFeatures(index, at(from) - 1, at(to) - 1);
  const onSession = (done: number, total: number) => progress.at(done, total);
  const input = {
    index,
    features,
    policy,
    preferences,
    cash,
    seed,
    isWithoutEarnings,
    hasRotation,
    from,
    to,
    onSession,
  };
  const result = runBacktest(input);
  progress.end();
  const seconds = (performance.now() - startedAt) / 1000;
  const trials = await enter(run, [entryOf(run, "run", policy, {}, result)]);
  const statistics = writeRun(run.out, result, trials, { parameters: {}, repairs: run.repairs });
  const bars = index.history.symbols.length * result.days.length;
  say(`${result.days.length} sessions, ${bars} symbol-bars traded in ${seconds.toFixed(2)} s`);
  say(summaryText(statistics));
}

const SHOWN = ["final_equity", "total_return", "max_drawdown", "sharpe", "psr", "deflated_sharpe", "trades"];

function pointTable(points: readonly SweepPoint[], statistics: readonly Statistic[][]): string[][] {
  const paths = Object.keys(points[0]?.parameters ?? {});
  const heads = SHOWN.map((id) => (id === "deflated_sharpe" ? "Deflated Sharpe" : nameOf(statistics, id)));
  const rows = points.map(({ parameters }, i) => [
    String(i + 1),
    ...paths.map((name) => String(parameters[name])),
    ...SHOWN.map((id) => {
      const found = statistics[i]?.find((statistic) => statistic.id === id);
      return found === undefined ? "" : statisticText(found);
    }),
  ]);
  return [["Point", ...paths, ...heads], ...rows];
}

function nameOf(statistics: readonly Statistic[][], id: string): string {
  return statistics[0]?.find((statistic) => statistic.id === id)?.name ?? id;
}

async function runPoints(
  pool: SweepPool,
  points: readonly SweepPoint[],
  window: { from: SessionDate; to: SessionDate },
  cash: string,
  onDone: () => void,
): Promise<BacktestResult[]> {
  return Promise.all(
    points.map(async ({ policy }) => {
      const result = await pool.run({ policy, cash, ...window });
      onDone();
      return result;
    }),
  );
}

async function sweep(run: Run, pool: SweepPool, points: readonly SweepPoint[]): Promise<void> {
  const { options, say, from, to } = run;
  const progress = run.progress("runs");
  let done = 0;
  const results = await runPoints(pool, points, { from, to }, options.cash, () => progress.at(++done, points.length));
  progress.end();
  const entries = points.map(({ policy, parameters }, i) => entryOf(run, "sweep", policy, parameters, results[i]!));
  const trials = await enter(run, entries);
  const statistics = points.map(({ parameters }, i) =>
    writeRun(path.join(run.out, `point-${i + 1}`), results[i]!, trials, { parameters, repairs: run.repairs }),
  );
  const rows = points.map(({ parameters }, i) => ({
    point: i + 1,
    ...parameters,
    ...Object.fromEntries(SHOWN.map((id) => [id, valueOf(statistics[i] ?? [], id)])),
  }));
  writeFileSync(
    path.join(run.out, "sweep.csv"),
    csv(rows, ["point", ...Object.keys(points[0]?.parameters ?? {}), ...SHOWN]),
  );
  writeFileSync(path.join(run.out, "sweep.json"), `${JSON.stringify({ trials, points: rows }, null, 1)}\n`);
  say(textTable(pointTable(points, statistics)));
  say(`Deflated over ${trials.count} runs of this tape and strategy. The best of many is expected to look good.`);
}

async function walkForward(run: Run, pool: SweepPool, points: readonly SweepPoint[]): Promise<void> {
  const { options, index, say } = run;
  const sessions = index.history.sessions.filter((date) => date >= run.from && date <= run.to);
  const windows = walkForwardWindows(sessions, options.walkForward!);
  const total = windows.length * (points.length + 1);
  const progress = run.progress("runs");
  let done = 0;
  const count = () => progress.at(++done, total);
  const parts: BacktestResult[] = [];
  const picks: string[][] = [];
  const entries: RegistryEntry[] = [];
  let { cash } = options;
  for (const { train, test } of windows) {
    const trained = await runPoints(pool, points, train, options.cash, count);
    points.forEach(({ policy, parameters }, i) =>
      entries.push(entryOf(run, "walk_forward_train", policy, parameters, trained[i]!)),
    );
    const { policy, parameters } = points[bestPoint(trained)]!;
    const tested = await pool.run({ policy, cash, ...test });
    count();
    entries.push(entryOf(run, "walk_forward_test", policy, parameters, tested));
    const ended = tested.days.at(-1)!.equity;
    const change = `${((Number(ended) / Number(cash) - 1) * 100).toFixed(2)}%`;
    const picked = Object.entries(parameters).map(([name, value]) => `${name}=${value}`);
    picks.push([`${test.from} to ${test.to}`, picked.join(" "), change]);
    cash = ended;
    parts.push(tested);
  }
  progress.end();
  const trials = await enter(run, entries);
  const statistics = writeRun(run.out, stitch(parts), trials, { parameters: {}, repairs: run.repairs });
  writeFileSync(
    path.join(run.out, "windows.csv"),
    csv(
      picks.map(([test, picked, change]) => ({ test: test!, picked: picked!, change: change! })),
      ["test", "picked", "change"],
    ),
  );
  say(textTable([["Tested", "Picked on the sessions before", "Return"], ...picks]));
  say("");
  say("Out of sample, joined:");
  say(summaryText(statistics));
}

/** Runs what the options ask for and writes it. A tape with faults is refused before the first bar, one sentence each. */
export async function runCommand(options: BacktestOptions, surroundings: Surroundings): Promise<void> {
  const tape = openTape(options.tape, options.seed, options.isRepaired);
  try {
    await runOn(tape, options, surroundings);
  } finally {
    tape.close();
  }
}

async function runOn(
  { index, directory, repairs }: OpenTape,
  options: BacktestOptions,
  surroundings: Surroundings,
): Promise<void> {
  const { registry, program, say } = surroundings;
  const { from, to } = tradedSessions(index, options.policy.selector_top50.min_bars, options);
  const points = sweepPoints(options.policy, options.sweep);
  // A broken registry stops the command before it has worked for nothing.
  readRegistry(registry);
  const hash = tapeHash(directory);
  const { strategy } = options.preferences;
  // Off leaves the name of a run what it was before the rotation could be traded.
  const hasRotation = options.hasRotation || undefined;
  const asked = { ...options, hasRotation, tape: hash, out: null, threads: null, from, to };
  const id = `${strategy.toLowerCase().replace("_", "-")}-${from}-${to}-${sha256(canonicalJson(asked)).slice(0, 8)}`;
  const out = options.out ?? path.join(registry, id);
  mkdirSync(out, { recursive: true });
  const run: Run = { ...surroundings, options, index, repairs, from, to, tapeHash: hash, out };
  say(`BACKTEST ${strategy} on ${index.history.name}, ${from} to ${to}`);
  for (const repair of repairs) say(`Repaired: ${repairText(repair)}`);
  if (index.bySymbol.has(INDEX_SYMBOL) && !index.events.has(INDEX_SYMBOL))
    say(`The tape lists no dividends of ${INDEX_SYMBOL}: its return is that of its price.`);
  if (options.hasRotation) say("The biweekly rotation is traded beside the cycles.");
  if (options.isWithoutEarnings) say("The earnings gate is off: entries are not held back around reports.");
  else if (index.reports === null)
    say(
      "The tape has no earnings dates: the earnings gate cannot be judged, and no entry passes (--without-earnings turns it off).",
    );
  if (options.sweep.length === 0) await runOnce(run);
  else {
    const { seed, preferences, isWithoutEarnings, hasRotation } = options;
    const pool = openPool(
      program,
      { tape: directory, seed, preferences, isWithoutEarnings, hasRotation, from, to },
      threadCount(options.threads, points.length),
    );
    try {
      await (options.walkForward === null ? sweep(run, pool, points) : walkForward(run, pool, points));
    } finally {
      await pool.close();
    }
  }
  say("");
  say(CAVEAT);
  say(`Written to ${out}`);
}
