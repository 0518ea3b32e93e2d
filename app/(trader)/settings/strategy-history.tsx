import { countText, shareText } from "@/lib/domain/format.ts";
import { EnvironmentBadge } from "../../_ui/badge.tsx";
import { linePath, scaleTo } from "../../_ui/line-path.ts";
import { AmountsText } from "../../_ui/money.tsx";
import { Percent } from "../../_ui/percent.tsx";
import type { StrategyTexts } from "./strategy-explanation.tsx";

type History = NonNullable<StrategyTexts["history"]>;

const WIDTH = 600;
const HEIGHT = 64;
const AIR = 4;

/** Never colour alone: SPY's line is dashed, and both are as strong. */
const STROKES = {
  strategy: { className: "stroke-accent", dash: undefined },
  index: { className: "stroke-muted", dash: "5 3" },
} as const;

/** What the strategy made of the past beside SPY, or why that is not known. */
export function StrategyHistory({ texts: { label, history, historyReason } }: { texts: StrategyTexts }) {
  return (
    <section
      aria-label={`History of ${label}`}
      className="flex min-w-0 flex-col gap-2.5 border-t border-line pt-3 text-sm"
    >
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h4 className="text-xs text-muted">History</h4>
        <EnvironmentBadge environment="BACKTEST" />
      </div>
      {history === null ? (
        <p className="text-muted">{historyReason}</p>
      ) : (
        <HistoryText label={label} history={history} />
      )}
    </section>
  );
}

function HistoryText({ label, history }: { label: string; history: History }) {
  return (
    <>
      <p className="sr-only">{history.sentence}</p>
      <Line points={history.points} />
      <Figures label={label} history={history} />
      <p className="text-xs text-muted">{history.label}</p>
      <p className="text-xs text-muted">
        <AmountsText text={history.basis} />
      </p>
    </>
  );
}

function Line({ points }: { points: History["points"] }) {
  const known = points.flatMap(({ strategy, index }) => (index === null ? [strategy] : [strategy, index]));
  const yOf = scaleTo(known, HEIGHT, AIR);
  const start = yOf(points[0]?.strategy ?? 0);
  return (
    <svg aria-hidden viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" className="h-16 w-full">
      <line x1={0} x2={WIDTH} y1={start} y2={start} vectorEffect="non-scaling-stroke" className="stroke-line" />
      {(["index", "strategy"] as const).map((name) => (
        <path
          key={name}
          d={linePath(
            points.map((point) => point[name]),
            WIDTH,
            yOf,
          )}
          fill="none"
          strokeWidth="2"
          strokeDasharray={STROKES[name].dash}
          strokeLinecap="round"
          vectorEffect="non-scaling-stroke"
          className={STROKES[name].className}
        />
      ))}
    </svg>
  );
}

/** The stroke of a line beside its name. */
const Key = ({ of }: { of: keyof typeof STROKES }) => (
  <svg aria-hidden viewBox="0 0 20 4" className="h-1 w-5 shrink-0">
    <line
      x1={1}
      x2={19}
      y1={2}
      y2={2}
      strokeWidth="2"
      strokeDasharray={STROKES[of].dash}
      className={STROKES[of].className}
    />
  </svg>
);

const percentOf = (fraction: number | null) => (fraction === null ? null : 100 * fraction);

function Figures({ label, history }: { label: string; history: History }) {
  const { totalReturn, indexReturn, maxDrawdown, trades, winRate } = history;
  return (
    <dl aria-hidden className="grid grid-cols-[repeat(auto-fit,minmax(6.5rem,1fr))] gap-x-4 gap-y-2">
      <Figure name={label} mark={<Key of="strategy" />}>
        <Percent value={percentOf(totalReturn)} />
      </Figure>
      <Figure name="SPY, same dates" mark={<Key of="index" />}>
        <Percent value={percentOf(indexReturn)} />
      </Figure>
      <Figure name="Largest fall">
        <Percent value={percentOf(maxDrawdown)} />
      </Figure>
      <Figure name="Trades ended">{countText(trades)}</Figure>
      <Figure name="With a gain">{winRate === null ? "—" : shareText(winRate)}</Figure>
    </dl>
  );
}

function Figure({ name, mark, children }: { name: string; mark?: React.ReactNode; children: React.ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="flex items-center gap-1.5 text-xs text-muted">
        {mark}
        <span className="min-w-0 truncate">{name}</span>
      </dt>
      <dd className="mt-0.5 font-semibold tabular-nums">{children}</dd>
    </div>
  );
}
