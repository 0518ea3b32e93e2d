import { linePath, scaleTo } from "./line-path.ts";

const WIDTH = 100;
const HEIGHT = 28;
/** Keeps the stroke inside at both ends. */
const MARGIN = 2;

interface SparkLineProps {
  /** Oldest first. */
  values: readonly number[];
  /** A level to measure the line by, such as the price that was paid. */
  level: number;
  className?: string;
}

/** A line without axes beside figures that tell the same in words: nothing of it is read aloud. Nothing for less than two values. */
export function SparkLine({ values, level, className = "" }: SparkLineProps) {
  if (values.length < 2) return null;
  const yOf = scaleTo([level, ...values], HEIGHT, MARGIN);
  const levelAt = yOf(level);
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden
      className={`overflow-visible ${className}`}
    >
      <line
        x1={0}
        x2={WIDTH}
        y1={levelAt}
        y2={levelAt}
        className="stroke-line-strong"
        strokeDasharray="2 3"
        vectorEffect="non-scaling-stroke"
      />
      <path
        d={linePath(values, WIDTH, yOf)}
        fill="none"
        className="stroke-accent"
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
