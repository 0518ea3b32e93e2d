"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { backtestGridsApi } from "@/lib/contracts/backtest-grids.ts";
import { backtestsApi } from "@/lib/contracts/backtests.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { gridTriesText } from "@/lib/domain/backtest/grid-text.ts";
import { countText } from "@/lib/domain/format.ts";
import { useAction } from "../../_hooks/use-action.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { EnvironmentBadge } from "../../_ui/badge.tsx";
import { Banner } from "../../_ui/banner.tsx";
import { Button } from "../../_ui/button.tsx";
import { Card } from "../../_ui/card.tsx";
import { Definition } from "../../_ui/definition.tsx";
import { FailureNote } from "../../_ui/failure-note.tsx";
import { SelectField } from "../../_ui/field.tsx";
import { isUnderWay, RunWaiting } from "../../_ui/run-progress.tsx";
import { Segmented } from "../../_ui/segmented.tsx";
import { Skeleton } from "../../_ui/skeleton.tsx";
import { type Cells, type Grid, HeatTable, type MeasureName, MEASURES } from "./heat-table.tsx";

const POLL_MS = 1_000;

type Read = Answer<typeof backtestGridsApi.read>;
type Axes = Read["axes"];
type AxisName = Axes[number]["axis"];

/** Whether the result stands alone among its neighbours: the backtest again with two of its settings varied. */
export function SensitivityCard({ id }: { id: string }) {
  const [isBusy, setBusy] = useState(false);
  const reading = useEndpoint(backtestGridsApi.read, { id }, isBusy ? { pollMs: POLL_MS } : {});
  const { data } = reading;
  const grid = data?.grid ?? null;
  const nowBusy = grid !== null && isUnderWay(grid);
  if (nowBusy !== isBusy) setBusy(nowBusy);
  const client = useQueryClient();
  // Its runs are tries: once they are done, what the page says of tries is read again.
  useEffect(
    () => (isBusy ? () => void client.invalidateQueries({ queryKey: [backtestsApi.read.path] }) : undefined),
    [client, isBusy],
  );
  return (
    <Card
      title={
        <>
          How much depends on the settings <Meaning />
        </>
      }
      aside={<EnvironmentBadge environment="BACKTEST" />}
    >
      <div className="flex flex-col gap-4">
        {reading.failure !== null && data === undefined && (
          <FailureNote text="Failed to load" detail={reading.failure.message} onRetry={reading.retry} />
        )}
        {reading.isLoading && <Skeleton className="h-24" />}
        {grid !== null && <Outcome grid={grid} />}
        {data !== undefined && data.axes.length >= 2 && <Question id={id} {...data} />}
        {data !== undefined && data.axes.length < 2 && grid === null && (
          <p className="text-sm text-muted">These settings lie at their bounds: there is nothing around them to try.</p>
        )}
      </div>
    </Card>
  );
}

function Meaning() {
  return (
    <Definition of="how much depends on the settings">
      <p>
        The same backtest, over the same sessions and with the same cash, policy and cost model, for values around two
        of its settings. Where neighbours do about as well, the result does not depend on an exact value. Where one cell
        is good and those around it are bad, the past happened to suit that value.
      </p>
      <p className="mt-2">
        This is not a search for better settings: the best of many looks good by luck, which is why each run counts as a
        try.
      </p>
    </Definition>
  );
}

function Outcome({ grid }: { grid: Grid }) {
  if (grid.status === "FAILED")
    return (
      <Banner kind="failure" detail={grid.error}>
        The settings could not be varied
      </Banner>
    );
  return grid.result === null ? <Progress grid={grid} /> : <Result grid={grid} result={grid.result} />;
}

function Progress({ grid }: { grid: Grid }) {
  const { done, total, readPercent } = grid.progress;
  const isReading = done === 0 && readPercent !== 100;
  return (
    <RunWaiting
      run={{ ...grid, progress: isReading ? { done, total: null, readPercent } : { done, total } }}
      unit="runs"
      stalledText="It continues as soon as one does. Trading is not affected."
    >
      <p className="text-sm text-muted">
        You can leave: it continues. Choosing other settings ends it and starts again.
      </p>
    </RunWaiting>
  );
}

const MEASURE_OPTIONS = (Object.keys(MEASURES) as MeasureName[]).map((value) => ({
  value,
  label: MEASURES[value].label,
}));

/** Why figures are missing, each reason once. */
const reasonsOf = (cells: Cells, measure: MeasureName) => [
  ...new Set(cells.flat().flatMap((cell) => cell[measure].reason ?? [])),
];

function Result({ grid: { rows, columns }, result }: { grid: Grid; result: NonNullable<Grid["result"]> }) {
  const [measure, setMeasure] = useState<MeasureName>("totalReturn");
  const { cells, sentence, tries, drift } = result;
  const reasons = reasonsOf(cells, measure);
  return (
    <>
      <p role="status" className="max-w-prose">
        {sentence}
      </p>
      {drift !== null && <Banner kind="warning">{drift}</Banner>}
      <div className="max-w-full overflow-x-auto py-0.5">
        <div className="w-max">
          <Segmented label="Figure shown" options={MEASURE_OPTIONS} value={measure} onChange={setMeasure} />
        </div>
      </div>
      <HeatTable rows={rows} columns={columns} cells={cells} measure={measure} />
      <div className="flex max-w-prose flex-col gap-1 text-xs text-muted">
        <p>
          The outlined cell is this backtest.{" "}
          {MEASURES[measure].isSigned
            ? "Green is above zero and red below it; stronger is farther from it."
            : "Stronger is more."}
        </p>
        {reasons.map((reason) => (
          <p key={reason}>— Not defined: {reason}.</p>
        ))}
        <p>{tries}</p>
      </div>
    </>
  );
}

/** Which two settings to vary next. */
function Question({ id, axes, grid, played }: Read & { id: string }) {
  const starting = useAction(backtestGridsApi.start, { refreshes: [backtestGridsApi.read] });
  const [pair, setPair] = useState<[AxisName, AxisName]>(() => pairOf(axes, grid));
  const [one, other] = pair.map((name) => axes.find(({ axis }) => axis === name) ?? axes[0]!) as [
    Axes[number],
    Axes[number],
  ];
  const runs = one.values.length * other.values.length;
  const isPlayed = played.some(({ rows, columns }) => pair.includes(rows) && pair.includes(columns));
  const options = axes.map(({ axis, label }) => ({ value: axis, label }));
  // Who chooses the other one twice swaps the two.
  const choose = (place: 0 | 1, name: AxisName) => {
    const kept = pair[1 - place]!;
    const next = kept === name ? pair[place] : kept;
    setPair(place === 0 ? [name, next] : [next, name]);
  };
  return (
    <form
      aria-label="Vary two settings"
      className="flex flex-col gap-4 border-t border-line pt-4 first:border-0 first:pt-0"
      onSubmit={(event) => {
        event.preventDefault();
        starting.run({ id, rows: pair[0], columns: pair[1] });
      }}
    >
      <div className="grid max-w-2xl grid-cols-1 gap-4 sm:grid-cols-2">
        {([0, 1] as const).map((place) => (
          <SelectField
            key={place}
            label={place === 0 ? "One setting" : "Another setting"}
            hint={(place === 0 ? one : other).hint}
            options={options}
            value={pair[place]}
            onChange={(event) => choose(place, event.target.value as AxisName)}
          />
        ))}
      </div>
      <p className="max-w-prose text-sm text-muted">
        {isPlayed
          ? "These two have been varied already: their runs are shown again and do not count again."
          : `It runs the same sessions ${countText(runs)} times, for values around those chosen. ${gridTriesText(runs - 1)}`}
      </p>
      {starting.failure !== null && (
        <Banner kind="failure" detail={starting.failure.message}>
          These settings cannot be varied now
        </Banner>
      )}
      <Button type="submit" tone="secondary" className="self-start" disabled={starting.isBusy}>
        Vary two settings
      </Button>
    </form>
  );
}

/** What was asked for last, or two that matter most. */
function pairOf(axes: Axes, grid: Grid | null): [AxisName, AxisName] {
  if (grid !== null) return [grid.rows.axis, grid.columns.axis];
  return [axes[0]!.axis, axes.at(-1)!.axis];
}
