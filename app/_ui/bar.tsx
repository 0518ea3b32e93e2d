import { styled } from "./styled.ts";
const TONES = { accent: "bg-accent", gain: "bg-gain", loss: "bg-loss", warn: "bg-warn" } as const;

interface BarProps {
  /** What the bar measures, for screen readers. */
  label: string;
  /** 0 to 1; what lies outside is drawn at the end. */
  fraction: number;
  /** The figure in words, beside the bar. */
  text: string;
  tone?: keyof typeof TONES;
}

/** A share of a whole as a bar, with its figure: never colour or length alone. */
export function Bar({ label, fraction, text, tone = "accent" }: BarProps) {
  const width = `${Math.round(100 * Math.min(1, Math.max(0, fraction)))}%`;
  return (
    <span className="flex items-center gap-2">
      <span
        aria-hidden
        className="h-1.5 w-16 forced-color-adjust-none shrink-0 overflow-hidden rounded-full bg-sunken ring-1 ring-line"
      >
        <span className={`block h-full rounded-full ${TONES[tone]}`} ref={styled({ width })} />
      </span>
      <span className="sr-only">{label}</span>
      <span className="text-xs tabular-nums">{text}</span>
    </span>
  );
}
