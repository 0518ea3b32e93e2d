import { easternText, easternClockText } from "@/lib/domain/format.ts";

const OWN_ZONE: Intl.DateTimeFormatOptions = {
  year: "numeric",
  month: "numeric",
  day: "numeric",
  hour: "numeric",
  minute: "2-digit",
  second: "2-digit",
  timeZoneName: "short",
};

/** In the reader's own zone, which it names: "2/5/2018, 10:29:00 PM GMT+1". */
const ownTime = (at: string) => new Date(at).toLocaleString(undefined, OWN_ZONE);

/** An instant in New York time; the reader's own zone in the tooltip. */
export function Time({ at, isClock = false }: { at: string; isClock?: boolean }) {
  return (
    <time dateTime={at} title={ownTime(at)} suppressHydrationWarning className="whitespace-nowrap tabular-nums">
      {isClock ? easternClockText(at) : easternText(at)}
    </time>
  );
}
