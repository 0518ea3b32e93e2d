import type { SessionDate } from "./time.ts";

/** The same day some months before, or that month's last day where it is shorter: one before 2020-03-31 → 2020-02-29. */
export function monthsBefore(date: SessionDate, months: number): SessionDate {
  const [year = 0, month = 1, day = 1] = date.split("-").map(Number);
  const lastDay = new Date(Date.UTC(year, month - months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 - months, Math.min(day, lastDay))).toISOString().slice(0, 10);
}
