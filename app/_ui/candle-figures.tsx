"use client";
import { countText, dateText, moneyText } from "@/lib/domain/format.ts";
import type { CandleLine } from "./candle-chart.tsx";
import { FiguresFold } from "./figures-fold.tsx";
import { MarkRows } from "./mark-list.tsx";
import { TableHead } from "./table-head.tsx";

/** Rows of a data table: enough to follow the line, few enough to read out. */
const TABLE_ROWS = 60;

interface CandleFiguresProps {
  symbol: string;
  line: CandleLine;
  onOpenTrade: (tradeId: string) => void;
}

/** The candles as a table, and the trades on them: by keyboard, for screen readers and for who wants the figures. */
export function CandleFigures({ symbol, line, onOpenTrade }: CandleFiguresProps) {
  const marks = line.trades
    .filter(({ filledQuantity }) => filledQuantity > 0)
    .slice(0, TABLE_ROWS)
    .map(({ id, side, averagePrice, at }) => ({
      tradeId: id,
      symbol,
      side,
      price: averagePrice ?? 0,
      at,
    }));
  return (
    <FiguresFold label="Price figures">
      {() => (
        <>
          <Rows line={line} />
          {marks.length > 0 && (
            <div className="mt-4">
              <p className="pb-1 text-muted">Your trades, newest first</p>
              <MarkRows marks={marks} onOpenTrade={onOpenTrade} />
            </div>
          )}
        </>
      )}
    </FiguresFold>
  );
}

const TITLES = ["Session", "Open", "High", "Low", "Close", "Volume", "50-day", "200-day"];

function Rows({ line: { candles } }: { line: CandleLine }) {
  const count = candles.sessions.length;
  const places = Array.from({ length: Math.min(count, TABLE_ROWS) }, (_, i) => count - 1 - i);
  const money = (value: number | null | undefined) => (value == null ? "—" : moneyText(value));
  return (
    <table className="w-full tabular-nums">
      <caption className="pb-1 text-left text-muted">
        {count > TABLE_ROWS
          ? `The latest ${TABLE_ROWS} of ${countText(count)} sessions, newest first`
          : "All sessions, newest first"}
      </caption>
      <TableHead titles={TITLES} cell="py-1 pr-3 last:pr-0" />
      <tbody>
        {places.map((i) => (
          <tr key={candles.sessions[i]} className="border-b border-line last:border-0">
            <td className="py-1 pr-3 whitespace-nowrap">{dateText(candles.sessions[i] ?? "")}</td>
            {[candles.open, candles.high, candles.low, candles.close].map((column, of) => (
              <td key={of} className="amount py-1 pr-3 text-right">
                {money(column[i])}
              </td>
            ))}
            <td className="py-1 pr-3 text-right">{countText(candles.volume[i] ?? 0)}</td>
            <td className="amount py-1 pr-3 text-right">{money(candles.sma50[i])}</td>
            <td className="amount py-1 text-right">{money(candles.sma200[i])}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
