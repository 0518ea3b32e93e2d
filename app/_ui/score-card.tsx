"use client";
import { useState } from "react";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import type { selectorsApi } from "@/lib/contracts/selectors.ts";
import { dateText, shareText } from "@/lib/domain/format.ts";
import { TextButton } from "./button.tsx";
import { Card } from "./card.tsx";
import { linePath } from "./line-path.ts";
import { Money } from "./money.tsx";
import { Table, type Column } from "./table.tsx";

type SymbolAnswer = Answer<typeof selectorsApi.symbol>;

type Score = SymbolAnswer["scores"][number];

const LINES: { name: string; className: string; dash?: string; width: number; of: (score: Score) => number | null }[] =
  [
    { name: "Composite", className: "stroke-accent", width: 2, of: ({ compositeScore }) => compositeScore },
    {
      name: "Technical",
      className: "stroke-ink",
      dash: "5 3",
      width: 1.25,
      of: ({ seat }) => seat?.technicalScore ?? null,
    },
    {
      name: "Liquidity",
      className: "stroke-muted",
      dash: "1.5 3",
      width: 1.5,
      of: ({ seat }) => seat?.liquidityScore ?? null,
    },
    {
      name: "Sentiment",
      className: "stroke-warn",
      dash: "9 4",
      width: 1.25,
      of: ({ seat }) => seat?.sentimentScore ?? null,
    },
  ];

const WIDTH = 720;
const HEIGHT = 200;

/** The scores of the last selections as lines, with the same as figures on demand. */
export function ScoreCard({ scores }: { scores: readonly Score[] }) {
  const [isTable, setTable] = useState(false);
  const known = scores.filter(({ compositeScore }) => compositeScore !== null);
  const [first, last] = [scores[0], scores.at(-1)];
  return (
    <Card
      title="Scores over time"
      aside={
        known.length > 0 && (
          <TextButton aria-expanded={isTable} onClick={() => setTable(!isTable)}>
            {isTable ? "Hide figures" : "Show figures"}
          </TextButton>
        )
      }
    >
      {first === undefined || last === undefined || known.length === 0 ? (
        <p className="text-sm text-muted">It was not in the Top-50, or close to it, in the last selections.</p>
      ) : (
        <>
          <p className="mb-3 text-sm">
            {`Seated in ${scores.filter(({ seat }) => seat !== null).length} of the last ${scores.length} selections.`}{" "}
            {rangeText(known)} A line breaks where a score is not known.
          </p>
          <div className="flex gap-2">
            <div aria-hidden className="flex h-48 flex-col justify-between text-right text-xs leading-none text-muted">
              {["100%", "50%", "0%"].map((level) => (
                <span key={level}>{level}</span>
              ))}
            </div>
            <Lines scores={scores} />
          </div>
          <div className="mt-1 flex justify-between pl-10 text-xs text-muted">
            <span>{dateText(first.sessionDate)}</span>
            <span>{dateText(last.sessionDate)}</span>
          </div>
          <Legend />
        </>
      )}
      {isTable && (
        <div
          className="-mx-4 mt-4 max-h-96 overflow-y-auto border-t border-line sm:-mx-5"
          tabIndex={0}
          role="region"
          aria-label="Figures"
        >
          <Table
            caption="Scores by session"
            columns={COLUMNS}
            rows={scores.toReversed()}
            rowKey={({ sessionDate }) => sessionDate}
            card={(score) => <ScoreRow score={score} />}
          />
        </div>
      )}
    </Card>
  );
}

function rangeText(known: readonly Score[]): string {
  const values = known.flatMap(({ compositeScore }) => (compositeScore === null ? [] : [compositeScore]));
  return `Composite score between ${shareText(Math.min(...values) / 100)} and ${shareText(Math.max(...values) / 100)}.`;
}

function Lines({ scores }: { scores: readonly Score[] }) {
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="h-48 min-w-0 grow overflow-visible"
    >
      {[0, 50, 100].map((level) => (
        <line
          key={level}
          x1={0}
          x2={WIDTH}
          y1={yOf(level)}
          y2={yOf(level)}
          vectorEffect="non-scaling-stroke"
          className="stroke-line"
        />
      ))}
      {LINES.map(({ name, className, dash, width, of }) => (
        <path
          key={name}
          d={linePath(scores.map(of), WIDTH, yOf)}
          fill="none"
          strokeWidth={width}
          strokeDasharray={dash}
          strokeLinecap="round"
          vectorEffect="non-scaling-stroke"
          className={className}
        />
      ))}
    </svg>
  );
}

const yOf = (value: number) => HEIGHT - (value / 100) * HEIGHT;

function Legend() {
  return (
    <ul className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-xs text-muted">
      {LINES.map(({ name, className, dash, width }) => (
        <li key={name} className="flex items-center gap-2">
          <svg aria-hidden viewBox="0 0 28 4" className="h-1 w-7">
            <line x1={1} x2={27} y1={2} y2={2} strokeWidth={width} strokeDasharray={dash} className={className} />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  );
}

const plain = (value: number | null | undefined) => (value == null ? "—" : shareText(value / 100));

const COLUMNS: Column<Score>[] = [
  {
    key: "session",
    title: "Session",
    cell: ({ sessionDate }) => <span className="whitespace-nowrap">{dateText(sessionDate)}</span>,
  },
  { key: "rank", title: "Rank", isNumber: true, cell: ({ seat }) => seat?.rank ?? "—" },
  { key: "type", title: "Type", cell: ({ seat }) => typeText(seat) },
  { key: "composite", title: "Composite", isNumber: true, cell: ({ compositeScore }) => plain(compositeScore) },
  { key: "technical", title: "Technical", isNumber: true, cell: ({ seat }) => plain(seat?.technicalScore) },
  { key: "liquidity", title: "Liquidity", isNumber: true, cell: ({ seat }) => plain(seat?.liquidityScore) },
  { key: "sentiment", title: "Sentiment", isNumber: true, cell: ({ seat }) => plain(seat?.sentimentScore) },
  {
    key: "price",
    title: "Price",
    isNumber: true,
    cell: ({ seat }) => (seat === null ? "—" : <Money value={seat.lastPrice} />),
  },
  { key: "policy", title: "Policy", cell: ({ policyVersion }) => policyVersion },
];

function typeText(seat: Score["seat"]): string {
  if (seat === null) return "Not seated";
  return seat.freshOrSticky === "fresh" ? "Fresh" : "Sticky";
}

function ScoreRow({ score: { sessionDate, seat, compositeScore } }: { score: Score }) {
  return (
    <div className="flex flex-col gap-1">
      <p className="flex items-center justify-between gap-3">
        <span>{dateText(sessionDate)}</span>
        <span>{plain(compositeScore)}</span>
      </p>
      <p className="text-xs text-muted">
        {seat === null
          ? "Not seated"
          : `${typeText(seat)}, rank ${seat.rank}. Technical ${plain(seat.technicalScore)}, liquidity ${plain(seat.liquidityScore)}, sentiment ${plain(seat.sentimentScore)}`}
      </p>
    </div>
  );
}
