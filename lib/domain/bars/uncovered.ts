import { addDays, type SessionDate } from "../time.ts";

/** Days from one to another, both included. */
export interface Stretch {
  from: SessionDate;
  to: SessionDate;
}

/** The days of `wanted` that lie in `covered`, too; null where none do. */
export function overlapOf(wanted: Stretch, covered: Stretch): Stretch | null {
  const from = wanted.from > covered.from ? wanted.from : covered.from;
  const to = wanted.to < covered.to ? wanted.to : covered.to;
  return from <= to ? { from, to } : null;
}

/** What of `wanted` lies outside of `covered`: at most a stretch before it and one after it, ascending. */
export function uncoveredOf(wanted: Stretch, covered: Stretch | null): Stretch[] {
  const both = covered && overlapOf(wanted, covered);
  if (!both) return [wanted];
  return [
    { from: wanted.from, to: addDays(both.from, -1) },
    { from: addDays(both.to, 1), to: wanted.to },
  ].filter(({ from, to }) => from <= to);
}
