"use client";
import Link from "next/link";
import { countText } from "@/lib/domain/format.ts";
import { styled } from "./styled.ts";

export type FunnelStep = "looked" | "seated" | "signals" | "ordered" | "bought";

export interface FunnelCounts {
  screened: number;
  seated: number;
  signals: number;
  entries: number;
  bought: number;
}

interface Step {
  step: FunnelStep;
  count: number;
  phrase: string;
}

/** What was ordered is a step of its own where less of it was bought. */
function stepsOf({ screened, seated, signals, entries, bought }: FunnelCounts): Step[] {
  return [
    { step: "looked", count: screened, phrase: "looked at" },
    { step: "seated", count: seated, phrase: "in the Top-50" },
    { step: "signals", count: signals, phrase: "would buy" },
    ...(entries === bought ? [] : [{ step: "ordered", count: entries, phrase: "ordered" } as const]),
    { step: "bought", count: bought, phrase: "bought" },
  ];
}

/** "in the Top-50", which breaks before its last word only. */
const Phrase = ({ phrase }: Pick<Step, "phrase">) => {
  const last = phrase.lastIndexOf(" ") + 1;
  return (
    <>
      {phrase.slice(0, last)}
      <span className="whitespace-nowrap">{phrase.slice(last)}</span>
    </>
  );
};

interface FunnelProps {
  counts: FunnelCounts;
  /** The address of a step's list. */
  hrefOf: (step: FunnelStep) => string;
  /** In a narrow card the phrases stand below their counts on every screen, not on a phone alone. */
  isNarrow?: boolean;
}

/** "495 looked at → 50 in the Top-50 → 27 would buy → 0 bought", each with its list behind it. An empty list is no link. */
export function Funnel({ counts, hrefOf, isNarrow = false }: FunnelProps) {
  const inLine = isNarrow ? "" : "sm:inline";
  return (
    <ol
      aria-label="Stocks at each step"
      className={`flex items-start gap-x-2 tabular-nums ${isNarrow ? "" : "sm:flex-wrap sm:items-baseline"}`}
    >
      {stepsOf(counts).map(({ step, count, phrase }, index) => {
        const text = (
          <>
            <span className={`block font-semibold ${inLine}`}>{countText(count)}</span>{" "}
            <span className={`block text-xs ${isNarrow ? "" : "sm:inline sm:text-sm"}`}>
              <Phrase phrase={phrase} />
            </span>
          </>
        );
        return (
          <li key={step} className="flex items-baseline gap-x-2">
            {index > 0 && <Arrow />}
            {count === 0 ? (
              <span className="text-muted">{text}</span>
            ) : (
              <Link
                href={hrefOf(step)}
                prefetch={false}
                onClick={(event) => event.stopPropagation()}
                className="tap rounded-sm text-accent underline-offset-4 hover:underline"
              >
                {text}
              </Link>
            )}
          </li>
        );
      })}
    </ol>
  );
}

const Arrow = () => (
  <span aria-hidden className="text-muted">
    →
  </span>
);

interface FunnelBarsProps {
  counts: FunnelCounts;
  /** The step whose list is open. */
  opened: string;
  onToggle: (step: FunnelStep) => void;
}

/** The same as bars, where the list opens on the page. */
export function FunnelBars({ counts, opened, onToggle }: FunnelBarsProps) {
  const widest = Math.max(1, counts.screened);
  return (
    <ol aria-label="Stocks at each step" className="flex gap-1 sm:gap-2">
      {stepsOf(counts).map(({ step, count, phrase }) => (
        <li key={step} className="min-w-0 flex-1">
          <button
            type="button"
            aria-pressed={opened === step}
            onClick={() => onToggle(step)}
            className="flex h-full w-full flex-col gap-1 rounded-lg border border-transparent px-1.5 py-2 text-left tabular-nums hover:bg-sunken aria-pressed:border-accent/40 aria-pressed:bg-accent-soft sm:px-3"
          >
            <span className="text-xl font-semibold tracking-tight sm:text-2xl">{countText(count)}</span>{" "}
            <span className="text-xs text-muted sm:text-sm">
              <Phrase phrase={phrase} />
            </span>
            <span
              aria-hidden
              className="mt-auto h-1.5 w-full overflow-hidden rounded-full bg-sunken ring-1 ring-line forced-color-adjust-none"
            >
              <span
                className="block h-full rounded-full bg-accent"
                ref={styled({ width: `${count === 0 ? 0 : Math.max(2, (100 * count) / widest)}%` })}
              />
            </span>
          </button>
        </li>
      ))}
    </ol>
  );
}
