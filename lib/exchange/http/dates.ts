import type { SessionDate } from "../../domain/time.ts";
import type { Stamp } from "../book/types.ts";

/** Texts of dates compare as dates only while years have four digits, and New York's clocks keep whole hours only since 1883: what lies beyond is read as these. */
const FIRST = "1900-01-01";
const LAST = "2199-12-31";
const FIRST_MS = Date.parse(`${FIRST}T05:00:00Z`);
const LAST_MS = Date.parse(`${LAST}T05:00:00Z`);

const within = (date: SessionDate): SessionDate => (date < FIRST ? FIRST : date > LAST ? LAST : date);

function isInCalendar(date: string): boolean {
  const ms = Date.parse(`${date}T00:00:00Z`);
  // Of a day that its month does not have, some are read as one of the next month.
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(date);
}

/** The date that a text is, "2024-02-29"; null where it is anything else, or a day that no month has. */
export function dateOf(text: string): SessionDate | null {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && isInCalendar(text) ? within(text) : null;
}

/** Without its zone a time is no instant: it would be read in the zone of the machine. */
const INSTANT = /^\d{4}-\d{2}-\d{2}[t ]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(z|[+-]\d{2}:\d{2})$/i;

/** Epoch milliseconds of an RFC 3339 instant; null where it is anything else, or on a day that no month has. */
export function instantOf(text: string): number | null {
  if (!INSTANT.test(text) || !isInCalendar(text.slice(0, 10))) return null;
  const ms = Date.parse(text.toUpperCase().replace(" ", "T"));
  return Number.isNaN(ms) ? null : Math.min(LAST_MS, Math.max(FIRST_MS, ms));
}

/** An RFC 3339 instant of any precision as a stamp of nanoseconds in UTC, so that instants compare as text; null as above. */
export function stampOf(text: string): Stamp | null {
  const ms = instantOf(text.replace(/\.\d+/, ""));
  const fraction = /\.(\d{1,9})/.exec(text)?.[1] ?? "";
  return ms === null ? null : `${new Date(ms).toISOString().slice(0, 19)}.${fraction.padEnd(9, "0")}Z`;
}

/** The date that a text names: a date, or the one that an instant's text begins with, as clients send both for a day. */
export function dayOf(text: string): SessionDate | null {
  return dateOf(text) ?? (instantOf(text) === null ? null : within(text.slice(0, 10)));
}
