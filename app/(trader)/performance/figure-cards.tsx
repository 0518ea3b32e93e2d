import { dateText } from "@/lib/domain/format.ts";
import { TextButton } from "../../_ui/button.tsx";
import { Card } from "../../_ui/card.tsx";
import { benchmarkPeriod, figureText, metricOf, toneOf } from "./figure-text.ts";
import { MetricNote } from "./metric-note.tsx";
import type { Performance, Rows } from "./performance-screen.tsx";

const SESSIONS: Rows = { kind: "sessions", title: "Sessions" };
const trips = (title: string, filter: Extract<Rows, { kind: "trips" }>["filter"] = {}): Rows => ({
  kind: "trips",
  title,
  filter,
});
const ALL = trips("Closed round trips");
const WON = trips("Round trips that won", { outcome: "WIN" });
const LOST = trips("Round trips that lost", { outcome: "LOSS" });

/** The rows each figure is made of; a dash where they are the fills of Trade History. */
const CARDS: { title: string; className: string; grid: string; figures: [id: string, rows: Rows | null][] }[] = [
  {
    title: "Return and risk",
    className: "lg:col-span-2",
    grid: "sm:grid-cols-4",
    figures: [
      ["periodPnl", SESSIONS],
      ["benchmarkReturn", SESSIONS],
      ["maxDrawdown", SESSIONS],
      ["volatility", SESSIONS],
      ["sharpe", SESSIONS],
      ["sortino", SESSIONS],
      ["cagr", SESSIONS],
      ["calmar", SESSIONS],
    ],
  },
  {
    title: "Round trips",
    className: "",
    grid: "sm:grid-cols-3",
    figures: [
      ["winRate", ALL],
      ["profitFactor", ALL],
      ["averageWin", WON],
      ["averageLoss", LOST],
      ["expectancy", ALL],
    ],
  },
  {
    title: "Exposure and costs",
    className: "",
    grid: "",
    figures: [
      ["meanExposure", SESSIONS],
      ["annualTurnover", null],
      ["tradingFees", null],
      ["meanSlippage", null],
    ],
  },
];

interface FigureCardsProps {
  performance: Performance;
  onRows: (rows: Rows) => void;
}

export function FigureCards({ performance, onRows }: FigureCardsProps) {
  const figures = new Map(performance.figures.map((figure) => [figure.id, figure]));
  const { wins, losses, scratches } = performance.trips;
  const notes: Record<string, string | null> = {
    benchmarkReturn: performance.comparison && benchmarkPeriod(performance.comparison),
    maxDrawdown: fallText(performance.fall),
    winRate: `${wins} won, ${losses} lost${scratches > 0 ? `, ${scratches} even` : ""}`,
  };
  return (
    <div className="grid gap-4 lg:grid-cols-[3fr_2fr]">
      {CARDS.map(({ title, className, grid, figures: shown }) => (
        <Card key={title} title={title} className={className}>
          <dl className={`grid grid-cols-2 gap-x-4 gap-y-5 ${grid}`}>
            {shown.map(([id, rows]) => (
              <FigureEntry
                key={id}
                id={id}
                value={figures.get(id)?.value ?? null}
                reason={figures.get(id)?.reason ?? null}
                note={notes[id] ?? null}
                onRows={rows === null ? null : () => onRows(rows)}
              />
            ))}
          </dl>
        </Card>
      ))}
    </div>
  );
}

function fallText(fall: Performance["fall"]): string | null {
  if (fall === null) return null;
  const made = fall.recovered === null ? "not recovered yet" : `recovered ${dateText(fall.recovered)}`;
  return `${fall.peak === null ? "the start" : dateText(fall.peak)} to ${dateText(fall.trough)}, ${made}`;
}

interface FigureEntryProps {
  id: string;
  value: number | null;
  reason: string | null;
  note: string | null;
  onRows: (() => void) | null;
}

function FigureEntry({ id, value, reason, note, onRows }: FigureEntryProps) {
  const { name } = metricOf(id);
  const text = value === null ? "—" : figureText(id, value);
  return (
    <div className="min-w-0">
      <dt className="flex items-center gap-1 text-xs text-muted">
        {name}
        <MetricNote id={id} reason={reason} />
      </dt>
      <dd className="mt-1 text-lg font-semibold tracking-tight wrap-anywhere tabular-nums">
        <span
          title={reason ?? undefined}
          className={
            value === null ? "text-muted" : `${metricOf(id).unit === "USD" ? "amount" : ""} ${toneOf(id, value)}`
          }
        >
          {text}
        </span>
      </dd>
      {reason !== null && <dd className="text-xs text-muted">{reason}</dd>}
      {note !== null && <dd className="text-xs text-muted tabular-nums">{note}</dd>}
      {onRows !== null && value !== null && (
        <dd className="text-xs print:hidden">
          <TextButton aria-label={`Show the rows of ${name}`} onClick={onRows}>
            Rows
          </TextButton>
        </dd>
      )}
    </div>
  );
}
