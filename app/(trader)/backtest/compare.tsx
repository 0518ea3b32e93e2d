"use client";
import Link from "next/link";
import type { ReactNode } from "react";
import { backtestsApi } from "@/lib/contracts/backtests.ts";
import { statisticText } from "@/lib/domain/statistics/text.ts";
import { signedPercentText } from "@/lib/domain/format.ts";
import { STRATEGIES } from "@/lib/domain/strategies/strategies.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { EnvironmentBadge } from "../../_ui/badge.tsx";
import { TextButton } from "../../_ui/button.tsx";
import { Card } from "../../_ui/card.tsx";
import { Definition } from "../../_ui/definition.tsx";
import { FailureNote } from "../../_ui/failure-note.tsx";
import { AmountsText, Money } from "../../_ui/money.tsx";
import { Skeleton } from "../../_ui/skeleton.tsx";
import { GrowthChart, type GrowthLine } from "./growth-chart.tsx";
import { monthName, type Result, type Run, spanText } from "./labels.ts";

type Done = Run & { result: Result };

const LETTERS = ["A", "B", "C", "D"] as const;
const SHOWN = [
  "final_equity",
  "total_return",
  "index_return",
  "universe_return",
  "alpha",
  "beta",
  "max_drawdown",
  "sharpe",
  "deflated_sharpe",
  "sortino",
  "trades",
  "win_rate",
  "profit_factor",
  "mean_held",
  "mean_exposure",
  "turnover",
];

function useRun(id: string | undefined) {
  const run = useEndpoint(backtestsApi.read, { id: id ?? "" }, { isEnabled: id !== undefined });
  const isIt = id !== undefined && run.data?.id === id;
  return { data: isIt && run.data?.result ? (run.data as Done) : null, failure: run.failure, retry: run.retry };
}

function lineOf({ name, cash, result }: Done, place: number): GrowthLine {
  return {
    letter: LETTERS[place]!,
    name,
    points: result.days.map(({ session, equity }) => ({ session, growth: equity / cash - 1 })),
  };
}

/** Runs side by side. All are of one kind of figure: a backtest's. */
export function Compare({ ids, onClear }: { ids: readonly string[]; onClear: () => void }) {
  const asked = [useRun(ids[0]), useRun(ids[1]), useRun(ids[2]), useRun(ids[3])].slice(0, ids.length);
  const failed = asked.find(({ failure }) => failure !== null);
  const runs = asked.flatMap(({ data }) => data ?? []);
  return (
    <Card
      title="Compared"
      aside={
        <span className="flex items-center gap-4">
          <EnvironmentBadge environment="BACKTEST" />
          <TextButton onClick={onClear}>Clear</TextButton>
        </span>
      }
    >
      {failed && (
        <FailureNote text="Failed to load a backtest" detail={failed.failure?.message} onRetry={failed.retry} />
      )}
      {runs.length < ids.length && !failed && <Skeleton className="h-96" />}
      {runs.length === ids.length && (
        <div className="flex flex-col gap-6">
          <p className="sr-only">
            {runs
              .map(({ name, result }, i) => `${LETTERS[i]}, ${name}: ${signedPercentText(returnOf(result))}`)
              .join("; ")}
          </p>
          <GrowthChart lines={runs.map(lineOf)} />
          {runs.some(({ from, to }) => from !== runs[0]?.from || to !== runs[0].to) && (
            <p className="text-sm text-warn">
              These runs cover different dates: their returns are not of the same market.
            </p>
          )}
          <CompareTable runs={runs} />
          <MonthTable runs={runs} />
        </div>
      )}
    </Card>
  );
}

const figureOf = (result: Result, id: string) => result.figures.find((figure) => figure.id === id);
const returnOf = (result: Result) => (figureOf(result, "total_return")?.value ?? 0) * 100;

const SETTINGS: readonly [string, (run: Done) => ReactNode][] = [
  ["Strategy", ({ strategy }) => STRATEGIES[strategy].label],
  ["Dates", spanText],
  ["Cash", ({ cash }) => <Money value={cash} />],
  [
    "Positions",
    ({ settings }) => (
      <>
        {settings.maxPositions} of <Money value={settings.maxPositionValue} />
      </>
    ),
  ],
  ["Target, stop", ({ settings }) => `${settings.profitTarget}%, ${settings.stopLoss}%`],
  ["Risk tolerance, level", ({ settings }) => `${settings.riskTolerance}, ${settings.riskLevel.toLowerCase()}`],
  ["Policy", ({ policyVersion }) => policyVersion],
];

function CompareTable({ runs }: { runs: readonly Done[] }) {
  return (
    <div className="overflow-x-auto" tabIndex={0} role="region" aria-label="Compared figures">
      <table className="w-full text-sm tabular-nums">
        <caption className="sr-only">Figures and settings of the compared backtests</caption>
        <thead>
          <tr className="border-b border-line">
            <th scope="col" className="py-2 pr-3 text-left text-xs font-medium text-muted">
              Figure
            </th>
            {runs.map(({ id, name }, i) => (
              <th key={id} scope="col" className="px-3 py-2 text-right text-xs font-medium">
                {LETTERS[i]}{" "}
                <Link href={`/backtest/${id}`} className="text-accent underline-offset-4 hover:underline">
                  <AmountsText text={name} />
                </Link>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {SHOWN.map((id) => (
            <FigureRow key={id} id={id} runs={runs} />
          ))}
          {SETTINGS.map(([name, textOf]) => (
            <tr key={name} className="border-b border-line text-muted last:border-0">
              <th scope="row" className="py-1.5 pr-3 text-left font-normal">
                {name}
              </th>
              {runs.map((run) => (
                <td key={run.id} className="px-3 py-1.5 text-right">
                  {textOf(run)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function FigureRow({ id, runs }: { id: string; runs: readonly Done[] }) {
  const known = runs.flatMap(({ result }) => figureOf(result, id) ?? [])[0];
  if (!known) return null;
  return (
    <tr className="border-b border-line">
      <th scope="row" className="py-1.5 pr-3 text-left font-normal">
        {id === "deflated_sharpe" ? "Deflated Sharpe" : known.name}{" "}
        <Definition of={known.name}>{known.definition}.</Definition>
      </th>
      {runs.map((run) => {
        const figure = figureOf(run.result, id);
        return (
          <td key={run.id} className="px-3 py-1.5 text-right" title={figure?.reason ?? undefined}>
            <span className={figure?.unit === "USD" ? "amount" : ""}>{figure ? statisticText(figure) : "—"}</span>
          </td>
        );
      })}
    </tr>
  );
}

/** The curves as figures: what each run earned in each month. */
function MonthTable({ runs }: { runs: readonly Done[] }) {
  const keyOf = ({ year, month }: { year: number; month: number }) => `${year}-${String(month).padStart(2, "0")}`;
  const months = [...new Set(runs.flatMap(({ result }) => result.months.map(keyOf)))].sort();
  return (
    <details className="text-sm">
      <summary className="inline-flex min-h-6 cursor-pointer items-center rounded-sm text-muted hover:text-ink">
        Show the curves as figures
      </summary>
      <div className="mt-2 overflow-x-auto" tabIndex={0} role="region" aria-label="Returns by month">
        <table className="w-full tabular-nums">
          <caption className="pb-1 text-left text-xs text-muted">Return of each month</caption>
          <thead>
            <tr className="border-b border-line text-xs text-muted">
              <th scope="col" className="py-1 text-left font-medium">
                Month
              </th>
              {runs.map(({ id }, i) => (
                <th key={id} scope="col" className="py-1 text-right font-medium">
                  {LETTERS[i]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {months.map((key) => (
              <tr key={key} className="border-b border-line last:border-0">
                <th scope="row" className="py-1 text-left font-normal">
                  {monthName(Number(key.slice(5)))} {key.slice(0, 4)}
                </th>
                {runs.map(({ id, result }) => {
                  const found = result.months.find((month) => keyOf(month) === key);
                  return (
                    <td key={id} className="py-1 text-right">
                      {signedPercentText(found ? found.value * 100 : null)}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
