import { easternText, easternClockText } from "@/lib/domain/format.ts";

/** An instant in New York time; the reader's own zone in the tooltip. */
export function Time({ at, isClock = false }: { at: string; isClock?: boolean }) {
  return (
    <time
      dateTime={at}
      title={new Date(at).toLocaleString()}
      suppressHydrationWarning
      className="whitespace-nowrap tabular-nums"
    >
      {isClock ? easternClockText(at) : easternText(at)}
    </time>
  );
}
