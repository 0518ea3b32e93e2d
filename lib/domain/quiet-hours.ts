import { MINUTE_MS } from "./time.ts";

export const DAY_MINUTES = 24 * 60;

/** Hours of the day in which mails and pushes wait, on the clock of a time zone. */
export interface QuietHours {
  /** Minutes of the day: 22:00 is 1320. Not the same as `to`. */
  from: number;
  to: number;
  /** IANA name, "America/New_York". */
  timeZone: string;
}

/** Clocks have changed on quarter hours of UTC alone since time zones are kept by law. */
const QUARTER_MINUTES = 15;

/**
 * When the quiet hours end in which this instant lies; null where it lies in none. Quiet is what the zone's clock shows: an
 * hour that a clock change repeats is quiet both times, and where one skips the end, they end with the change.
 */
export function quietUntil(quiet: QuietHours | null, at: Date): Date | null {
  if (quiet === null || quiet.from === quiet.to) return null;
  const clock = clockOf(quiet.timeZone);
  if (!isQuiet(quiet, clock(at.getTime()))) return null;
  let end = Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS;
  for (let shown = clock(end); isQuiet(quiet, shown); shown = clock(end)) {
    const left = (quiet.to - shown + DAY_MINUTES) % DAY_MINUTES;
    const toQuarter = QUARTER_MINUTES - (Math.floor(end / MINUTE_MS) % QUARTER_MINUTES);
    end += Math.min(left, toQuarter) * MINUTE_MS;
  }
  return new Date(end);
}

const isQuiet = ({ from, to }: QuietHours, shown: number) =>
  from < to ? shown >= from && shown < to : shown >= from || shown < to;

/** The minute of the day that the zone's clock shows. */
function clockOf(timeZone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat("en-US", { timeZone, hourCycle: "h23", hour: "2-digit", minute: "2-digit" });
  return (at) => {
    const shown = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    return (shown.get("hour") ?? 0) * 60 + (shown.get("minute") ?? 0);
  };
}

/** Whether this names a time zone: not an offset, which knows no summer. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+\-/]{0,63}$/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

/** "22:00" */
export const minuteText = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;

/** Minutes of "22:00"; null for what is no time of the day. */
export function minuteOf(text: string): number | null {
  const [, hour, minute] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  return hour === undefined || minute === undefined ? null : Number(hour) * 60 + Number(minute);
}

/** "America/New_York" → "New York" */
export const placeOf = (timeZone: string) => (timeZone.split("/").at(-1) ?? timeZone).replaceAll("_", " ");

/** What the quiet hours do, in one sentence. */
export const quietText = ({ from, to, timeZone }: QuietHours) =>
  `From ${minuteText(from)} to ${minuteText(to)} in ${placeOf(timeZone)} emails and browser notifications wait; security alerts and halts do not.`;
