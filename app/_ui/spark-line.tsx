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
  const low = Math.min(level, ...values);
  const range = Math.max(level, ...values) - low;
  const yOf = (value: number) =>
    (range === 0 ? HEIGHT / 2 : MARGIN + (1 - (value - low) / range) * (HEIGHT - 2 * MARGIN)).toFixed(1);
  const points = values.map((value, index) => `${((index / (values.length - 1)) * WIDTH).toFixed(1)},${yOf(value)}`);
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden
      className={`overflow-visible ${className}`}
    >
      <path
        d={`M0 ${yOf(level)}H${WIDTH}`}
        className="stroke-line-strong"
        strokeDasharray="2 3"
        vectorEffect="non-scaling-stroke"
      />
      <polyline
        points={points.join(" ")}
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
