import { addDays, type Instant, monthsBefore, newYork } from "@/lib/domain/time.ts";

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
  if (period === "month") return monthsBefore(today, 1);
  return undefined;
}
