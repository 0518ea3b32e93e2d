import { addDays, type Instant, monthsBefore, newYork } from "@/lib/domain/time.ts";

export type Period = "day" | "week" | "month" | "total";

export const PERIODS = [
  { value: "day", label: "Day" },
  { value: "week", label: "Week" },
  { value: "month", label: "Month" },
  { value: "total", label: "Total" },
] as const satisfies readonly { value: Period; label: string }[];

/** What each period is, in words. */
export const PERIODS_MEAN =
  "Day is the session. Week is the last 7 days and Month the last month, both with today: they begin after the close of 7 days or a month ago. On the page Performance weeks and months are those of the calendar.";

/** The New York date of a period's first session, seen from market time: the day after the close that its P&L counts from; none for Total. */
export function startDateOf(period: Period, marketNow: Instant): string | undefined {
  const today = newYork(marketNow).date;
  if (period === "day") return today;
  if (period === "week") return addDays(today, -6);
  if (period === "month") return addDays(monthsBefore(today, 1), 1);
  return undefined;
}
