/**
 * Two clocks, never mixed. Market time comes from the broker's clock and dates trades, bars, cycles and
 * P&L; wall time dates sign-ins, tokens, rate limits and leases. Both are ISO instants; sessions are
 * New York dates. Nothing here reads a clock.
 */

/** An instant as ISO text in UTC with milliseconds: "2020-02-03T14:35:00.000Z". */
export type Instant = string;
/** A New York calendar date: "2020-02-03". */
export type SessionDate = string;

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Minutes from one instant to another, in parts; negative where the second is the earlier one. */
export function minutesBetween(from: Instant, to: Instant): number {
  return (Date.parse(to) - Date.parse(from)) / MINUTE_MS;
}

const newYorkParts = new Intl.DateTimeFormat("en-US", {
  timeZone: "America/New_York",
  hourCycle: "h23",
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});

export interface NewYorkTime {
  date: SessionDate;
  hour: number;
  minute: number;
  second: number;
}

/** How New York read the beginning of an hour, by hours since 1970: since 1883 its clocks change on whole hours, and a formatter takes long. */
const knownHours = new Map<number, NewYorkTime>();
const HOURS_KEPT = 20_000;

function readHour(hour: number): NewYorkTime {
  const parts: Record<string, string> = {};
  for (const { type, value } of newYorkParts.formatToParts(new Date(hour * HOUR_MS))) parts[type] = value;
  if (knownHours.size >= HOURS_KEPT) knownHours.clear();
  const reading = {
    date: `${parts.year}-${parts.month}-${parts.day}`,
    hour: Number(parts.hour),
    minute: Number(parts.minute),
    second: Number(parts.second),
  };
  knownHours.set(hour, reading);
  return reading;
}

/** The New York wall-clock reading of an instant. */
export function newYork(instant: Instant | number | Date): NewYorkTime {
  const ms = new Date(instant).getTime();
  const hour = Math.floor(ms / HOUR_MS);
  const begun = knownHours.get(hour) ?? readHour(hour);
  const seconds = Math.floor((ms - hour * HOUR_MS) / 1000);
  return { date: begun.date, hour: begun.hour, minute: Math.floor(seconds / 60), second: seconds % 60 };
}

/** The instant of a New York wall-clock time. Times that a clock change skips or repeats take the first reading. */
export function newYorkInstant(date: SessionDate, hour: number, minute: number, second = 0): Instant {
  const wanted = Date.parse(`${date}T00:00:00.000Z`) + ((hour * 60 + minute) * 60 + second) * 1000;
  for (const offsetHours of [4, 5]) {
    const candidate = wanted + offsetHours * HOUR_MS;
    const seen = newYork(candidate);
    if (seen.date === date && seen.hour === hour && seen.minute === minute) return new Date(candidate).toISOString();
  }
  return new Date(wanted + 5 * HOUR_MS).toISOString();
}

/** A reader of texts that keeps its last answer. */
export function lastRead<T>(read: (text: string) => T): (text: string) => T {
  let known: { text: string; answer: T } | null = null;
  return (text) => {
    if (known === null || known.text !== text) known = { text, answer: read(text) };
    return known.answer;
  };
}

/** Adds calendar days to a date. */
export function addDays(date: SessionDate, days: number): SessionDate {
  return new Date(Date.parse(`${date}T00:00:00.000Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The same day some months before, or that month's last day where it is shorter: one before 2020-03-31 → 2020-02-29. */
export function monthsBefore(date: SessionDate, months: number): SessionDate {
  const [year = 0, month = 1, day = 1] = date.split("-").map(Number);
  const lastDay = new Date(Date.UTC(year, month - months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 - months, Math.min(day, lastDay))).toISOString().slice(0, 10);
}

/** "10:05" New York time. */
export function clockText(instant: Instant): string {
  const { hour, minute } = newYork(instant);
  return `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;
}
