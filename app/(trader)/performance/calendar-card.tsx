"use client";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { useState } from "react";
import { signedPercentText } from "@/lib/domain/format.ts";
import { addDays } from "@/lib/domain/time.ts";
import { Card } from "../../_ui/card.tsx";
import { Money } from "../../_ui/money.tsx";
import type { Performance } from "./performance-screen.tsx";

type Day = Performance["days"][number];

const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri"];
const MONTH = new Intl.DateTimeFormat("en-US", { month: "long", year: "numeric", timeZone: "UTC" });
const LONG_DAY = new Intl.DateTimeFormat("en-US", { month: "long", day: "numeric", timeZone: "UTC" });
const dateOf = (session: string) => new Date(`${session}T12:00:00Z`);

/** Results of a day at and beyond this size have the strongest colour, fraction. */
const STRONG = 0.01;
/** Near zero, further away and far away: the sign stands in the figure too. */
const SHADES = {
  gain: ["", "bg-gain-soft", "bg-gain-soft ring-1 ring-gain"],
  loss: ["", "bg-loss-soft", "bg-loss-soft ring-1 ring-loss"],
} as const;

function shadeOf({ pnl, value }: Day): string {
  if (pnl === 0) return "";
  const size = Math.abs(value ?? 0);
  const step = size >= STRONG ? 2 : size >= STRONG / 3 ? 1 : 0;
  return SHADES[pnl > 0 ? "gain" : "loss"][step];
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
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="mt-2 text-xs text-muted">
        After fees, without deposits and withdrawals. The stronger the color, the further from zero.
      </p>
    </Card>
  );
}

function DayCell({ date, day }: { date: string | undefined; day: Day | undefined }) {
  if (date === undefined) return <td aria-hidden />;
  return (
    <td
      className={`h-14 rounded-md p-1.5 align-top ${day === undefined ? "" : "border border-line"} ${day ? shadeOf(day) : ""}`}
    >
      <span className="text-muted">
        <span aria-hidden>{Number(date.slice(8))}</span>
        <span className="sr-only">{LONG_DAY.format(dateOf(date))}</span>
      </span>
      {day !== undefined && (
        <span className="block truncate text-[0.7rem] font-medium sm:text-sm">
          <Money value={day.pnl} isChange />
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
