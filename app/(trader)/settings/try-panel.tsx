"use client";
import { useState, type ReactNode } from "react";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { preferencesPreviewApi } from "@/lib/contracts/preferences-preview.ts";
import { countText, dateText } from "@/lib/domain/format.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { Badge, EnvironmentBadge } from "../../_ui/badge.tsx";
import { Banner } from "../../_ui/banner.tsx";
import { FailureNote } from "../../_ui/failure-note.tsx";
import { AmountsText, Money } from "../../_ui/money.tsx";
import { Percent } from "../../_ui/percent.tsx";
import { isUnderWay, RunWaiting } from "../../_ui/run-progress.tsx";
import { Skeleton } from "../../_ui/skeleton.tsx";
import type { Tried, TriedSettings } from "./try-settings.tsx";

type Preview = Answer<typeof preferencesPreviewApi.read>;
type Result = NonNullable<Preview["result"]>;
type Figures = Result["draft"];

const POLL_MS = 1_000;

const isSame = (one: TriedSettings, other: TriedSettings) =>
  (Object.keys(one) as (keyof TriedSettings)[]).every((name) => one[name] === other[name]);

interface TryPanelProps {
  tried: Tried;
  /** What is entered and what is saved now. */
  entered: TriedSettings;
  saved: TriedSettings;
}

/** What the last sessions would have been with the settings that were tried. */
export function TryPanel({ tried, entered, saved }: TryPanelProps) {
  const [isBusy, setBusy] = useState(true);
  const preview = useEndpoint(preferencesPreviewApi.read, { id: tried.id }, isBusy ? { pollMs: POLL_MS } : {});
  const data = preview.data?.id === tried.id ? preview.data : undefined;
  const nowBusy = data === undefined ? preview.failure === null : isUnderWay(data);
  if (nowBusy !== isBusy) setBusy(nowBusy);
  const isOther = !isSame(tried.settings, entered);
  return (
    <section aria-label="What was tried" className="flex flex-col gap-3 rounded-lg border border-line p-4 text-sm">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="mr-auto font-medium">Tried on the last sessions</h3>
        {isOther && <Badge tone="warn">For other settings</Badge>}
        <EnvironmentBadge environment="BACKTEST" />
      </div>
      {isOther && (
        <p className="text-warn">You have changed the settings since: this result is for the earlier ones.</p>
      )}
      {!isOther && !isSame(tried.saved, saved) && (
        <p className="text-muted">You have saved since: “Saved settings” are the ones from before.</p>
      )}
      {preview.failure !== null && data === undefined && (
        <FailureNote text="Failed to load this trial" detail={preview.failure.message} onRetry={preview.retry} />
      )}
      {data === undefined && preview.failure === null && <Skeleton className="h-6" />}
      {data !== undefined && isUnderWay(data) && (
        <RunWaiting
          run={data}
          unit="sessions"
          stalledText="The trial continues as soon as one does. Trading is not affected."
        />
      )}
      {data?.status === "FAILED" && (
        <Banner kind="failure" detail={data.error}>
          The settings could not be tried
        </Banner>
      )}
      {data?.result && <Outcome preview={data} result={data.result} />}
    </section>
  );
}

const Gain = ({ of }: { of: Figures["best"] }) =>
  of === null ? (
    <>—</>
  ) : (
    <>
      {of.symbol} <Money value={of.pnl} isChange />
      {of.isOpen && <span className="text-muted"> (held)</span>}
    </>
  );

const timesText = (count: number) => (count === 1 ? "once" : `${countText(count)} times`);

/** One row of the comparison, of each side's figures. */
const ROWS: [label: string, cell: (figures: Figures, sessions: number) => ReactNode][] = [
  ["Profit or loss", ({ pnl }) => <Money key="pnl" value={pnl} isChange />],
  ["Return", ({ totalReturn }) => <Percent key="return" value={100 * totalReturn} />],
  ["Largest fall from a high", ({ maxDrawdown }) => <Percent key="fall" value={100 * maxDrawdown} />],
  ["Purchases", ({ purchases }) => countText(purchases)],
  ["Sold with a gain", ({ won }) => countText(won)],
  ["Sold with a loss", ({ lost }) => countText(lost)],
  ["Held at the end", ({ open }) => countText(open)],
  ["Best", ({ best }) => <Gain key="best" of={best} />],
  ["Worst", ({ worst }) => <Gain key="worst" of={worst} />],
  ["Days invested", ({ daysInvested }, sessions) => `${daysInvested} of ${sessions}`],
  ["Refused most by", ({ refused }) => (refused === null ? "—" : `${refused.word}, ${timesText(refused.count)}`)],
];

function Outcome({
  preview: { sessions, basis },
  result: { sentence, draft, saved },
}: {
  preview: Preview;
  result: Result;
}) {
  const sides = saved === null ? [draft] : [draft, saved];
  return (
    <>
      <p role="status">
        <AmountsText text={sentence} />
      </p>
      <p className="text-muted">
        <AmountsText text={basis} />
      </p>
      {draft.halted !== null && (
        <p className="text-warn">
          With these settings, buying would have stopped on {dateText(draft.halted)} until you resumed it.
        </p>
      )}
      <table className="w-full text-left tabular-nums">
        <thead>
          <tr className="text-xs text-muted">
            <th scope="col" className="sr-only">
              Figure
            </th>
            <th scope="col" className="py-1 pr-2 font-medium">
              These settings
            </th>
            {saved !== null && (
              <th scope="col" className="py-1 font-medium">
                Saved settings
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {ROWS.map(([label, cell]) => (
            <tr key={label} className="border-t border-line align-top">
              <th scope="row" className="py-1.5 pr-3 font-normal text-muted">
                {label}
              </th>
              {sides.map((figures, side) => (
                <td key={side} className="py-1.5 pr-2">
                  {cell(figures, sessions)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {draft.refused !== null && (
        <p className="text-muted">
          {draft.refused.word}: {draft.refused.text}
        </p>
      )}
    </>
  );
}
