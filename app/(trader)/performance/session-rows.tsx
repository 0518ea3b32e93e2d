import { countText, dateText, moneyText, signedMoneyText, signedPercentText } from "@/lib/domain/format.ts";
import { newYork } from "@/lib/domain/time.ts";
import { TableHead } from "../../_ui/table-head.tsx";

const ROWS_MOST = 200;

interface Point {
  at: string;
  equity: number;
  netDeposits: number;
}

/** One row per session, from its last point: what the returns are made of. `base` is the last point before the first of them. */
function sessionsOf(points: readonly Point[], base: Point | null) {
  const last = new Map<string, Point>();
  for (const point of points) last.set(newYork(point.at).date, point);
  const days = [...last];
  return days.map(([date, { equity, netDeposits }], i) => {
    const before = days[i - 1]?.[1] ?? base;
    const flow = netDeposits - (before?.netDeposits ?? 0);
    const start = (before?.equity ?? 0) + flow;
    return { date, equity, flow, change: equity - start, percent: start > 0 ? 100 * (equity / start - 1) : null };
  });
}

interface SessionRowsProps {
  points: readonly Point[];
  /** What the first session begins with, where the period begins later than the line. */
  before: Point | null;
}

export function SessionRows({ points, before }: SessionRowsProps) {
  const rows = sessionsOf(points, before);
  return (
    <table className="w-full text-xs tabular-nums sm:text-sm">
      <caption className="pb-2 text-left text-xs text-muted">
        {rows.length > ROWS_MOST
          ? `The latest ${ROWS_MOST} of ${countText(rows.length)} sessions, newest first`
          : "All sessions, newest first; the running one as it was read last"}
      </caption>
      <TableHead titles={["Session", "Equity", "Deposits", "P&L", "Return"]} cell="py-1.5" />
      <tbody>
        {rows
          .slice(-ROWS_MOST)
          .reverse()
          .map((row) => (
            <tr key={row.date} className="border-b border-line last:border-0">
              <th scope="row" className="py-1.5 text-left font-normal whitespace-nowrap">
                {dateText(row.date)}
              </th>
              <td className="amount py-1.5 text-right">{moneyText(row.equity)}</td>
              <td className="amount py-1.5 text-right">{row.flow === 0 ? "" : signedMoneyText(row.flow)}</td>
              <td className="amount py-1.5 text-right">{signedMoneyText(row.change)}</td>
              <td className="py-1.5 text-right">{signedPercentText(row.percent)}</td>
            </tr>
          ))}
      </tbody>
    </table>
  );
}
