"use client";
import dynamic from "next/dynamic";
import { dateText, signedPercentText } from "@/lib/domain/format.ts";
import { STRATEGIES } from "@/lib/domain/strategies/strategies.ts";
import { Banner } from "../../_ui/banner.tsx";
import { EnvironmentBadge } from "../../_ui/badge.tsx";
import { Card } from "../../_ui/card.tsx";
import { EquityChart } from "../../_ui/equity-chart.tsx";
import { Money } from "../../_ui/money.tsx";
import { Percent } from "../../_ui/percent.tsx";
import { AnswerCard } from "./answer-card.tsx";
import { FigureGrid } from "./figure-grid.tsx";
import { MonthGrid } from "./month-grid.tsx";
import { OverfitDefinition, OverfitMeter } from "./overfit-meter.tsx";
import { runLines } from "./run-lines.ts";
import { Attributions, Costs, Refusals, Settings, StillHeld } from "./run-tables.tsx";
import { TripTable } from "./trip-table.tsx";
import { type Result, type Run } from "./labels.ts";

// Its code comes after the answer.
const SensitivityCard = dynamic(() => import("./sensitivity-card.tsx").then((part) => part.SensitivityCard), {
  ssr: false,
});

const badge = <EnvironmentBadge environment="BACKTEST" />;

/** The answer first, then its course, then its parts, then what it takes for granted. */
export function RunResult({ run, result }: { run: Run; result: Result }) {
  const valueOf = (id: string) => result.figures.find((figure) => figure.id === id)?.value ?? null;
  const total = valueOf("total_return");
  const index = valueOf("index_return");
  // Runs from before it was kept left SPY's dividends out.
  const universe = valueOf("universe_return");
  const { points, benchmark } = runLines({ run, days: result.days });
  return (
    <>
      {result.halted !== null && (
        <Banner
          kind="warning"
          detail={`${result.halted.reason}. You would have had to resume it; a backtest does not.`}
        >
          {`Entries stopped on ${dateText(result.halted.session)}`}
        </Banner>
      )}
      <AnswerCard answer={result.answer} />
      <Card title="Total return" aside={badge}>
        <p className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
          <span className="text-3xl font-semibold tracking-tight">
            <Percent value={total === null ? null : total * 100} />
          </span>
          <span className="text-sm text-muted">
            <Money value={run.cash} /> became <Money value={valueOf("final_equity")} />.
            {index !== null &&
              ` SPY over the same sessions: ${signedPercentText(index * 100)}, ${universe === null ? "its dividends left out" : "with the dividends that the market lists"}.`}
            {universe !== null && ` All stocks of the market in equal parts: ${signedPercentText(universe * 100)}.`}
          </span>
        </p>
        <div className="mt-4">
          <EquityChart points={points} benchmark={benchmark} />
        </div>
      </Card>
      <Tries run={run} result={result} />
      <SensitivityCard id={run.id} />
      <FigureGrid figures={result.figures} />
      <MonthGrid months={result.months} />
      <TripTable trips={result.trips} />
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
        <Refusals refusals={result.refusals} />
        <Costs costs={result.costs} />
      </div>
      <Attributions result={result} />
      {result.openPositions.length > 0 && <StillHeld positions={result.openPositions} />}
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
        <Card title="What it assumes">
          <ul className="flex list-disc flex-col gap-2 pl-5 text-sm">
            {result.assumptions.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </Card>
        <Settings run={run} result={result} />
      </div>
    </>
  );
}

/** What the best of all tries is worth, and whether this run is it. */
function Tries({ run, result }: { run: Run; result: Result }) {
  return (
    <Card
      title={
        <>
          Overfit meter <OverfitDefinition />
        </>
      }
      aside={badge}
    >
      <OverfitMeter title={`All your tries of ${STRATEGIES[run.strategy].label}`} overfit={result.overfit} />
      {result.overfit.bestId !== run.id && result.overfit.bestId !== null && (
        <p className="mt-2 text-sm text-muted">This run is not the best of them.</p>
      )}
    </Card>
  );
}
