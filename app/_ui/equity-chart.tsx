"use client";
import { useMemo, useState } from "react";
import {
  benchmarkLine,
  type BenchmarkPoint,
  drawdownLine,
  type LinePoint,
  pointsByDay,
  pointsSince,
  type TradeMark,
} from "@/lib/domain/equity-line.ts";
import {
  countText,
  easternDayText,
  easternText,
  moneyText,
  ratioText,
  signedMoneyText,
  signedPercentText,
} from "@/lib/domain/format.ts";
import { addDays, monthsBefore, newYork, newYorkInstant } from "@/lib/domain/time.ts";
import { Empty } from "./empty.tsx";
import { EquityCanvas, type Hovered } from "./equity-canvas.tsx";
import { EquityFigures } from "./equity-figures.tsx";
import { MarkList } from "./mark-list.tsx";
import { AmountsText } from "./money.tsx";
import { Segmented } from "./segmented.tsx";
import { DotKey } from "./trade-key.tsx";

const PERIODS = [
  { value: "day", label: "Day" },
  { value: "week", label: "Week" },
  { value: "month", label: "Month" },
  { value: "total", label: "Total" },
] as const;
type Period = (typeof PERIODS)[number]["value"];

/**
 * Where a period begins, seen from the newest point: this day in New York, or after the last close a week or a month ago, as
 * the P&L of the same name counts. The point before it is the base.
 */
function startOf(period: Period, newest: string | undefined): string | null {
  if (period === "total" || newest === undefined) return null;
  const { date } = newYork(newest);
  const starts = { day: date, week: addDays(date, -6), month: addDays(monthsBefore(date, 1), 1) };
  return newYorkInstant(starts[period], 0, 0);
}

interface EquityChartProps {
  points: readonly LinePoint[];
  /** SPY, in any unit: it is drawn as what the same money would be worth. */
  benchmark?: readonly BenchmarkPoint[] | undefined;
  markers?: readonly TradeMark[] | undefined;
  onOpenTrade?: ((tradeId: string) => void) | undefined;
}

/** An equity line with its answer above it, the drawdown below it, a summary in words and the figures as a table. */
export function EquityChart({ points, benchmark, markers, onOpenTrade }: EquityChartProps) {
  const [period, setPeriod] = useState<Period>("total");
  const [hovered, setHovered] = useState<Hovered | null>(null);
  const [picked, setPicked] = useState<readonly TradeMark[]>([]);
  const newest = points.at(-1);
  const start = startOf(period, newest?.at);
  const line = useMemo(() => {
    const shown = pointsSince(period === "day" ? points : pointsByDay(points), start);
    return { points: shown, drawdowns: drawdownLine(shown), benchmark: benchmarkLine(shown, benchmark ?? []) };
  }, [points, benchmark, period, start]);
  if (newest === undefined) {
    return (
      <Empty title="No equity recorded yet" hint="The line starts with the first reading of a connected account." />
    );
  }
  const first = line.points[0] ?? newest;
  const marks = (markers ?? []).filter(({ at }) => at >= first.at && at <= newest.at);
  const choose = (next: Period) => {
    setPeriod(next);
    setPicked([]);
  };
  const pick = (chosen: readonly TradeMark[]) => {
    const [only] = chosen;
    if (only && chosen.length === 1 && onOpenTrade) onOpenTrade(only.tradeId);
    else setPicked(chosen);
  };
  return (
    <div>
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <Answer line={line} hovered={hovered} />
        {points.length > 1 && (
          <span className="print:hidden">
            <Segmented label="Period of the equity line" options={PERIODS} value={period} onChange={choose} />
          </span>
        )}
      </div>
      {line.points.length === 1 ? (
        <p className="py-10 text-center text-sm text-muted">
          {points.length === 1
            ? "One reading so far. The line starts with the second."
            : "No second reading in this period yet."}
        </p>
      ) : (
        <>
          <p className="sr-only">
            <AmountsText text={describeLine(line, marks.length)} />
          </p>
          <EquityCanvas line={line} period={period} marks={marks} onHover={setHovered} onPick={pick} />
          <div className="mt-1 flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-xs text-muted">
            <Legend hasBenchmark={line.benchmark.length > 1} hasMarks={marks.length > 0} />
            <span>
              Chart:{" "}
              <a href="https://www.tradingview.com/" target="_blank" rel="noreferrer" className="underline">
                TradingView Lightweight Charts™
              </a>
            </span>
          </div>
        </>
      )}
      <MarkList
        title={`${countText(picked.length)} ${picked.length === 1 ? "trade" : "trades"} at this place`}
        marks={picked}
        onOpenTrade={onOpenTrade}
        onClose={() => setPicked([])}
      />
      <EquityFigures line={line} marks={marks} onOpenTrade={onOpenTrade} />
    </div>
  );
}

export interface EquityLine {
  points: readonly LinePoint[];
  /** percent ≤ 0, by point */
  drawdowns: readonly number[];
  benchmark: readonly BenchmarkPoint[];
}

function Answer({ line, hovered }: { line: EquityLine; hovered: Hovered | null }) {
  const at = hovered?.point ?? line.points.length - 1;
  const point = line.points[at];
  if (!point) return null;
  const drawdown = line.drawdowns[at] ?? 0;
  const peak = line.points[line.drawdowns.slice(0, at + 1).lastIndexOf(0)] ?? point;
  return (
    <p className="flex min-h-7 flex-wrap items-baseline gap-x-3 gap-y-1">
      <span className="amount text-xl font-semibold tracking-tight tabular-nums">{moneyText(point.equity)}</span>
      <span className="text-xs text-muted tabular-nums">{easternText(point.at)}</span>
      {drawdown < -0.005 && (
        <span className="text-xs text-muted tabular-nums">
          {`${ratioText(-drawdown, 2)}% below the peak of ${easternDayText(peak.at)}`}
        </span>
      )}
      {hovered?.benchmark != null && (
        <span className="text-xs text-muted tabular-nums">
          in SPY <span className="amount">{moneyText(hovered.benchmark)}</span>
        </span>
      )}
    </p>
  );
}

function Legend({ hasBenchmark, hasMarks }: { hasBenchmark: boolean; hasMarks: boolean }) {
  return (
    <span className="flex flex-wrap gap-x-3">
      <span>
        <span aria-hidden className="mr-1 inline-block w-4 border-t-2 border-accent align-middle" />
        Equity
      </span>
      {hasBenchmark && (
        <span>
          <span aria-hidden className="mr-1 inline-block w-4 border-t-[1.5px] border-muted align-middle" />
          The same money in SPY
        </span>
      )}
      {hasMarks && <DotKey />}
      <span>Below: drawdown</span>
    </span>
  );
}

function describeLine({ points, drawdowns, benchmark }: EquityLine, trades: number): string {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return "";
  const flows = (last.netDeposits ?? 0) - (first.netDeposits ?? 0);
  const paid = flows === 0 ? "" : `, of which ${signedMoneyText(flows)} came in or went out`;
  const spy = benchmark.at(-1);
  return (
    `Equity from ${easternText(first.at)}, ${moneyText(first.equity)}, to ${easternText(last.at)}, ${moneyText(last.equity)}: ` +
    `a change of ${signedMoneyText(last.equity - first.equity)}${paid}, over ${countText(points.length)} ${points.length === 1 ? "reading" : "readings"}. ` +
    `Deepest drawdown ${signedPercentText(drawdowns.reduce((low, value) => Math.min(low, value), 0))}.` +
    (spy && benchmark.length > 1
      ? ` The same money in SPY would have been ${moneyText(spy.value)} on ${easternText(spy.at)}.`
      : "") +
    (trades > 0
      ? ` ${countText(trades)} ${trades === 1 ? "trade is marked and listed" : "trades are marked and listed"} under the figures.`
      : "")
  );
}
