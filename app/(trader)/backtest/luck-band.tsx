import type { RunAnswer } from "./labels.ts";
import { styled } from "../../_ui/styled.ts";

/** How much of the scale is left free beyond the band and zero. */
const MARGIN = 0.1;

/** The yearly difference and its band on one line with zero marked; the text beside it says all of it. */
export function LuckBand({ band, text }: { band: RunAnswer["band"]; text: string }) {
  return (
    <div>
      <h3 className="text-xs font-medium text-muted">Difference to SPY at the same exposure, a year</h3>
      {band !== null && <Line {...band} />}
      <p className="mt-2 text-sm">{text}</p>
    </div>
  );
}

function Line({ estimate, low, high }: NonNullable<RunAnswer["band"]>) {
  const [from, to] = [Math.min(0, low), Math.max(0, high)];
  const width = to - from || 1;
  const at = (value: number) => `${100 * (MARGIN + ((value - from) / width) * (1 - 2 * MARGIN))}%`;
  return (
    <div aria-hidden className="relative mt-3 h-10 forced-color-adjust-none">
      <span className="absolute inset-x-0 top-3 h-px bg-line-strong" />
      <span
        className="absolute top-2 h-2 rounded-full bg-accent opacity-40"
        ref={styled({ left: at(low), width: `calc(${at(high)} - ${at(low)})` })}
      />
      <span className="absolute top-0 h-6 w-px bg-ink" ref={styled({ left: at(0) })} />
      <span className="absolute top-6 -translate-x-1/2 text-xs text-muted tabular-nums" ref={styled({ left: at(0) })}>
        0
      </span>
      <span
        className="absolute top-1.5 size-3 -translate-x-1/2 rounded-full border-2 border-surface bg-accent"
        ref={styled({ left: at(estimate) })}
      />
    </div>
  );
}
