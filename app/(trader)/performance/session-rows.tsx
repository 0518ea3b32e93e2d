import { countText, dateText, moneyText, signedMoneyText, signedPercentText } from "@/lib/domain/format.ts";
import { TableHead } from "../../_ui/table-head.tsx";
import type { Performance } from "./performance-screen.tsx";

const ROWS_MOST = 200;

/** One row for each session, of what its result is made of: the days whose sum is the P&L of the period. */
export function SessionRows({ days }: { days: Performance["days"] }) {
  return (
    <table className="w-full text-xs tabular-nums sm:text-sm">
      <caption className="pb-2 text-left text-xs text-muted">
        {days.length > ROWS_MOST
          ? `The latest ${ROWS_MOST} of ${countText(days.length)} sessions, newest first`
          : "All sessions, newest first; the running one as it was read last"}
      </caption>
      <TableHead titles={["Session", "Equity", "Deposits", "P&L", "Return"]} cell="py-1.5" />
      <tbody>
        {days
          .slice(-ROWS_MOST)
          .reverse()
          .map((day) => (
            <tr key={day.session} className="border-b border-line last:border-0">
              <th scope="row" className="py-1.5 text-left font-normal whitespace-nowrap">
                {dateText(day.session)}
              </th>
              <td className="amount py-1.5 text-right">{moneyText(day.equity)}</td>
              <td className="amount py-1.5 text-right">{day.flow === 0 ? "" : signedMoneyText(day.flow)}</td>
              <td className="amount py-1.5 text-right">{signedMoneyText(day.pnl)}</td>
              <td className="py-1.5 text-right">{signedPercentText(day.value === null ? null : 100 * day.value)}</td>
            </tr>
          ))}
      </tbody>
    </table>
  );
}
