import { signedPercentText } from "@/lib/domain/format.ts";
import { TableHead } from "../../_ui/table-head.tsx";
import { toneOfText } from "../../_ui/tone-of-text.ts";
import type { Performance } from "./performance-screen.tsx";

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

interface Cell {
  value: number | null;
  spy: number | null;
}

/** Returns by month and year, SPY beneath each over the very same sessions. */
export function MonthsTable({ years }: { years: Performance["years"] }) {
  if (years.length === 0) return <p className="text-sm text-muted">The first month appears with the first reading.</p>;
  return (
    <>
      <div className="relative overflow-x-auto" tabIndex={0} role="region" aria-label="Returns by month">
        <table className="w-full text-sm tabular-nums">
          <caption className="sr-only">Time-weighted return by month, with SPY over the same sessions</caption>
          <TableHead titles={["Year", ...MONTHS, "Year"]} cell="px-2 py-2 first:pl-0 first:pr-3 last:pr-0 last:pl-3" />
          <tbody>
            {years.map((year) => (
              <tr key={year.year} className="border-b border-line last:border-0">
                <th scope="row" className="py-2 pr-3 text-left font-medium">
                  {year.year}
                </th>
                {MONTHS.map((name, i) => (
                  <td key={name} className="px-2 py-2 text-right">
                    <Return cell={year.months.find(({ month }) => month === i + 1)} />
                  </td>
                ))}
                <td className="py-2 pl-3 text-right font-semibold">
                  <Return cell={year} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="mt-3 text-xs text-muted">
        Beneath each return: SPY over the same sessions, dividends reinvested. The first and the last month may be
        incomplete.
      </p>
    </>
  );
}

function Return({ cell }: { cell: Cell | undefined }) {
  if (cell === undefined) return null;
  const { value, spy } = cell;
  const own = signedPercentText(value === null ? null : 100 * value);
  return (
    <>
      <span className={`block whitespace-nowrap ${toneOfText(own)}`}>{own}</span>
      <span className="block text-xs font-normal whitespace-nowrap text-muted">
        <span className="sr-only">SPY </span>
        {signedPercentText(spy === null ? null : 100 * spy)}
      </span>
    </>
  );
}
