import { signedPercentText } from "@/lib/domain/format.ts";
import { EnvironmentBadge } from "../../_ui/badge.tsx";
import { Card } from "../../_ui/card.tsx";
import { toneOfText } from "../../_ui/tone-of-text.ts";
import { monthName, type Result } from "./labels.ts";

type Month = Result["months"][number];

const NUMBERS = Array.from({ length: 12 }, (_, i) => i + 1);

function grown(months: readonly { value: number | null }[]): number | null {
  if (months.length === 0 || months.some(({ value }) => value === null)) return null;
  return months.reduce((growth, { value }) => growth * (1 + (value ?? 0)), 1) - 1;
}

/** Returns by month and year, SPY's below. The first and last month may be parts of one. */
export function MonthGrid({ months }: { months: readonly Month[] }) {
  const years = [...new Set(months.map(({ year }) => year))];
  return (
    <Card title="Returns by month" aside={<EnvironmentBadge environment="BACKTEST" />}>
      <div className="overflow-x-auto" tabIndex={0} role="region" aria-label="Returns by month and year">
        <table className="w-full min-w-180 text-right text-sm tabular-nums">
          <thead>
            <tr className="border-b border-line text-xs text-muted">
              <th scope="col" className="py-1.5 text-left font-medium">
                Year
              </th>
              {NUMBERS.map((month) => (
                <th key={month} scope="col" className="px-1 py-1.5 font-medium">
                  {monthName(month)}
                </th>
              ))}
              <th scope="col" className="py-1.5 font-medium">
                All
              </th>
            </tr>
          </thead>
          <tbody>
            {years.map((year) => {
              const own = months.filter((row) => row.year === year);
              return [
                <Line key={year} head={String(year)} months={own} valueOf={({ value }) => value} />,
                <Line key={`${year} SPY`} head="SPY" isQuiet months={own} valueOf={({ index }) => index} />,
              ];
            })}
          </tbody>
        </table>
      </div>
    </Card>
  );
}

interface LineProps {
  head: string;
  months: readonly Month[];
  valueOf: (month: Month) => number | null;
  isQuiet?: boolean;
}

const percent = (value: number | null) => signedPercentText(value === null ? null : value * 100);

function Line({ head, months, valueOf, isQuiet = false }: LineProps) {
  const whole = grown(months.map((month) => ({ value: valueOf(month) })));
  return (
    <tr className={isQuiet ? "border-b border-line text-xs text-muted last:border-0" : ""}>
      <th scope="row" className="py-1.5 text-left font-medium">
        {head}
      </th>
      {NUMBERS.map((number) => {
        const month = months.find((one) => one.month === number);
        const value = month === undefined ? null : valueOf(month);
        return (
          <td key={number} className={`px-1 py-1.5 ${isQuiet ? "" : toneOfText(percent(value))}`}>
            {month === undefined ? "" : percent(value)}
          </td>
        );
      })}
      <td className={`py-1.5 font-medium ${isQuiet ? "" : toneOfText(percent(whole))}`}>{percent(whole)}</td>
    </tr>
  );
}
