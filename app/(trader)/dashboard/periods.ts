import { addDays, newYork, type Instant } from "@/lib/domain/time.ts";

export type Period = "day" | "week" | "month" | "total";

export const PERIODS = [
  { value: "day", label: "Day" },
  { value: "week", label: "Week" },
  { value: "month", label: "Month" },
  { value: "total", label: "Total" },
] as const satisfies readonly { value: Period; label: string }[];

/** The New York date a period starts on, seen from market time: today, 7 days back, one month back; none for Total. */
export function startDateOf(period: Period, marketNow: Instant): string | undefined {
  const today = newYork(marketNow).date;
  if (period === "day") return today;
  if (period === "week") return addDays(today, -7);
  if (period === "month") return monthBefore(today);
  return undefined;
}

/** The same day of the month before, or that month's last day where it is shorter: 31 March → 29 February. */
function monthBefore(date: string): string {
  const [year = 0, month = 1, day = 1] = date.split("-").map(Number);
  const lastDay = new Date(Date.UTC(year, month - 1, 0));
  lastDay.setUTCDate(Math.min(day, lastDay.getUTCDate()));
  return lastDay.toISOString().slice(0, 10);
}
