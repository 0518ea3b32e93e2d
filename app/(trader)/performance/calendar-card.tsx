"use client";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { useState } from "react";
import { shortMoneyText, signedMoneyText, signedPercentText } from "@/lib/domain/format.ts";
import { addDays } from "@/lib/domain/time.ts";
import { Card } from "../../_ui/card.tsx";
import type { Performance } from "./performance-screen.tsx";

type Day = Pick<Performance["days"][number], "session" | "pnl" | "value">;

const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri"];
const MONTH = new Intl.DateTimeFormat("en-US", { month: "long", year: "numeric", timeZone: "UTC" });
const LONG_DAY = new Intl.DateTimeFormat("en-US", { month: "long", day: "numeric", timeZone: "UTC" });
const dateOf = (session: string) => new Date(`${session}T12:00:00Z`);

/** From near zero to the largest day of the month. The figure says the sign, in ink: red on red would be hard to read. */
const SHADES = {
  gain: ["bg-gain/8", "bg-gain/14", "bg-gain/20", "bg-gain/26", "bg-gain/32"],
  loss: ["bg-loss/8", "bg-loss/14", "bg-loss/20", "bg-loss/26", "bg-loss/32"],
} as const;

/** How strong the colour of a day is, beside the day of its month that is furthest from zero, USD. */
function shadeOf({ pnl }: Day, largest: number): string {
  // What reads $0.00 has no colour.
  if (Math.abs(pnl) < 0.005) return "";
  const shades = SHADES[pnl > 0 ? "gain" : "loss"];
  return shades[Math.ceil((Math.abs(pnl) / largest) * shades.length) - 1] ?? shades[0];
}

/** The days of a month in weeks from Monday to Friday; undefined before its first and after its last. */
function weeksOf(month: string): (string | undefined)[][] {
  const weeks: (string | undefined)[][] = [];
  for (let date = `${month}-01`; date.startsWith(month); date = addDays(date, 1)) {
    const weekday = dateOf(date).getUTCDay();
    if (weekday === 0 || weekday === 6) continue;
    if (weeks.length === 0 || weekday === 1) weeks.push(Array.from({ length: 5 }, () => undefined));
    weeks.at(-1)![weekday - 1] = date;
  }
  return weeks;
}

/** The result of each session on a calendar, a month at a time, the latest first. */
export function CalendarCard({ days }: { days: readonly Day[] }) {
  const months = [...new Set(days.map(({ session }) => session.slice(0, 7)))];
  const [chosen, setChosen] = useState<string | null>(null);
  const index = chosen === null || !months.includes(chosen) ? months.length - 1 : months.indexOf(chosen);
  const month = months[index];
  if (month === undefined) return null;
  const bySession = new Map(days.map((day) => [day.session, day]));
  const ofMonth = days.filter(({ session }) => session.startsWith(month));
  const largest = Math.max(...ofMonth.map(({ pnl }) => Math.abs(pnl)));
  const step = (by: number) => () => setChosen(months[index + by] ?? month);
  return (
    <Card
      title="Profit and loss by day"
      aside={
        <span className="flex items-center gap-1 print:hidden">
          <MonthButton label="Earlier month" isPossible={index > 0} onClick={step(-1)} Icon={ChevronLeft} />
          <MonthButton
            label="Later month"
            isPossible={index < months.length - 1}
            onClick={step(1)}
            Icon={ChevronRight}
          />
        </span>
      }
    >
      <table className="w-full table-fixed border-separate border-spacing-1 text-xs tabular-nums">
        <caption className="pb-1 text-left text-base font-semibold text-ink" aria-live="polite">
          {MONTH.format(dateOf(`${month}-01`))}
        </caption>
        <thead>
          <tr>
            {WEEKDAYS.map((name) => (
              <th key={name} scope="col" className="pb-1 text-left font-medium text-muted">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(month).map((week) => (
            <tr key={week.find((date) => date !== undefined)}>
              {week.map((date, weekday) => (
                <DayCell
                  key={WEEKDAYS[weekday]}
                  date={date}
                  day={date === undefined ? undefined : bySession.get(date)}
                  largest={largest}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="mt-2 text-xs text-muted">
        After fees, without deposits and withdrawals. The stronger the color, the further from zero within the month.
      </p>
    </Card>
  );
}

interface DayCellProps {
  date: string | undefined;
  day: Day | undefined;
  largest: number;
}

function DayCell({ date, day, largest }: DayCellProps) {
  if (date === undefined) return <td aria-hidden />;
  return (
    <td
      className={`h-14 rounded-md p-1 align-top sm:p-1.5 ${day === undefined ? "" : "border border-line"} ${day ? shadeOf(day, largest) : ""}`}
    >
      <span className={day === undefined ? "text-muted" : ""}>
        <span aria-hidden>{Number(date.slice(8))}</span>
        <span className="sr-only">{LONG_DAY.format(dateOf(date))}</span>
      </span>
      {day !== undefined && (
        <span className="block truncate text-[0.65rem] font-medium max-sm:tracking-tighter sm:text-sm">
          {/* Where a cell is too narrow for it, the whole amount is read out alone. */}
          <span className="amount max-md:not-print:sr-only">{signedMoneyText(day.pnl)}</span>
          <span aria-hidden className="amount md:hidden print:hidden">
            {shortMoneyText(day.pnl)}
          </span>
          {day.value !== null && <span className="sr-only">, {signedPercentText(100 * day.value)}</span>}
        </span>
      )}
    </td>
  );
}

interface MonthButtonProps {
  label: string;
  isPossible: boolean;
  onClick: () => void;
  Icon: typeof ChevronLeft;
}

function MonthButton({ label, isPossible, onClick, Icon }: MonthButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      aria-disabled={!isPossible}
      onClick={isPossible ? onClick : undefined}
      className="flex size-11 items-center justify-center rounded-lg text-muted hover:bg-sunken hover:text-ink aria-disabled:opacity-40 sm:size-8"
    >
      <Icon aria-hidden className="size-4" />
    </button>
  );
}
