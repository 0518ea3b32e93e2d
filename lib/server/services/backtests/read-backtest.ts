import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { backtestsApi } from "@/lib/contracts/backtests.ts";
import { assumptionsOf } from "@/lib/domain/backtest/assumptions.ts";
import type { BacktestRecord } from "@/lib/domain/backtest/record.ts";
import { GATE_OF } from "@/lib/domain/gates/gates.ts";
import { REASON_TEXT } from "@/lib/domain/engine/reasons.ts";
import type { Statistic, Trials } from "@/lib/domain/statistics/statistics.ts";
import { definitionOf } from "@/lib/domain/statistics/definitions.ts";
import { indexMonths } from "@/lib/domain/statistics/tables.ts";
import { sessionHours } from "@/lib/domain/market-calendar.ts";
import { text } from "@/lib/domain/money.ts";
import { newYorkInstant } from "@/lib/domain/time.ts";
import { figuresOf, preferencesOf, recordOf } from "../../core/json.ts";
import type { Context } from "../../context.ts";
import { answerView } from "./answer-view.ts";
import { rowView, type BacktestRow } from "./backtest-view.ts";
import { ownBacktest } from "./own-backtest.ts";
import { policyOf } from "./policy-of.ts";
import { deflatedOf, judgeTries, readTrials } from "./read-trials.ts";

type View = Given<typeof backtestsApi.read>;
type Result = NonNullable<View["result"]>;

/** A run with all its results. Its deflated Sharpe ratio is that of today: later tries lower it. */
export async function readBacktest(
  context: Context<"user">,
  { id }: Received<typeof backtestsApi.read>,
): Promise<View> {
  const row = await ownBacktest(context, id);
  const { policyVersion } = row;
  const stored =
    row.status === "DONE" ? await context.db.backtest.findUnique({ where: { id }, select: { record: true } }) : null;
  const record = stored && recordOf(stored);
  return {
    ...rowView(row, context.now()),
    settings: preferencesOf(row),
    policyVersion,
    result: record ? await resultView(context, row, record) : null,
  };
}

async function resultView(context: Context, row: BacktestRow, record: BacktestRecord): Promise<Result> {
  const { db } = context;
  const { days, tables, trips, openPositions } = record;
  const [trials, overfit, policy] = await Promise.all([
    readTrials(db, row),
    judgeTries(db, row),
    policyOf(db, row.policyVersion),
  ]);
  const deflated = deflatedOf(text(row.cash), days.equity, trials);
  const ofSpy = new Map(indexMonths(days, text(row.cash)).map(({ year, month, value }) => [`${year}-${month}`, value]));
  return {
    engineVersion: record.engineVersion,
    symbolCount: record.symbolCount,
    answer: answerView(record, text(row.cash), overfit.tries),
    figures: (figuresOf(row) ?? []).map((figure) =>
      figureView(figure.id === "deflated_sharpe" ? atToday(figure, deflated, trials) : figure),
    ),
    overfit,
    days: days.sessions.map((session, i) => ({
      session,
      at: sessionHours(session)?.closesAt ?? newYorkInstant(session, 16, 0),
      equity: days.equity[i]!,
      exposure: days.exposure[i]!,
      index: days.index[i]!,
      universe: days.universe?.[i] ?? null,
    })),
    months: tables.monthly.map((row) => ({ ...row, index: ofSpy.get(`${row.year}-${row.month}`) ?? null })),
    trips: trips.map(({ qty, exitReason, ...trip }) => ({ ...trip, quantity: qty, exit: REASON_TEXT[exitReason] })),
    openPositions: openPositions.map(({ qty, avgPrice, ...held }) => ({
      ...held,
      quantity: qty,
      averagePrice: avgPrice,
    })),
    byExit: tables.byExit.map((row) => ({ ...row, group: REASON_TEXT[row.group as keyof typeof REASON_TEXT] })),
    bySector: tables.bySector,
    byRegimeAtEntry: tables.byRegimeAtEntry,
    regimeDays: tables.regimeDays,
    costs: tables.costs,
    refusals: record.refusals.map(({ gate, count }) => ({
      gate,
      word: GATE_OF[gate].label,
      text: GATE_OF[gate].explanation,
      count,
    })),
    halted: record.halted,
    assumptions: assumptionsOf(policy, { hasRotation: row.hasRotation, facts: record.facts ?? null }),
  };
}

const figureView = (figure: Statistic) => ({ ...figure, ...definitionOf(figure) });

/** Judged beside all tries of today, not only those before it. */
function atToday(figure: Statistic, value: number | null, { count, sharpes }: Trials): Statistic {
  const name = `Deflated Sharpe (${count} ${count === 1 ? "try" : "tries"})`;
  const isAlone = count > 1 && sharpes.length < 2;
  const reason = isAlone ? "fewer than two tries have a Sharpe ratio" : figure.reason;
  return { ...figure, name, value, reason: value === null ? (reason ?? "fewer than 60 sessions") : null };
}
