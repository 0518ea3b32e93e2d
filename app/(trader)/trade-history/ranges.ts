import { addDays, type SessionDate } from "@/lib/domain/time.ts";

/** Periods that are one press away, by the market's day: each begins on its first day and has no end, because the day goes on. */
export const RANGES = [
  { value: "today", label: "Today" },
  { value: "week", label: "This week" },
  { value: "month", label: "This month" },
  { value: "all", label: "All" },
] as const;

type Range = (typeof RANGES)[number]["value"];

/** The first day of each, "" of all; a week begins on Monday. */
export function startOf(range: Range, today: SessionDate): string {
  if (range === "all") return "";
  if (range === "today") return today;
  if (range === "month") return `${today.slice(0, 8)}01`;
  const daysSinceMonday = (new Date(`${today}T00:00:00.000Z`).getUTCDay() + 6) % 7;
  return addDays(today, -daysSinceMonday);
}

/** The range that these dates are; on a Monday that begins a month the shortest of them. "" where they are none. */
export function rangeOf(dates: { startDate: string; endDate: string }, today: SessionDate): Range | "" {
  if (dates.endDate !== "") return "";
  return RANGES.find(({ value }) => startOf(value, today) === dates.startDate)?.value ?? "";
}
