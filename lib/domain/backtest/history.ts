import type { DecimalText } from "../money.ts";
import { firstBars } from "../screening/compute-features.ts";
import type { BarSeries } from "../screening/features.ts";
import type { SessionDate } from "../time.ts";
import type { DayBar } from "./fill-model.ts";

/** Raw daily bars of one symbol: one entry per session of the market, NaN where it did not trade. */
export interface HistorySymbol {
  symbol: string;
  name: string;
  /** Null where it is unknown; "ETF" for funds, which are not traded. */
  sector: string | null;
  open: Float64Array;
  high: Float64Array;
  low: Float64Array;
  close: Float64Array;
  volume: Float64Array;
}

/** A market's past, as a backtest reads it. Splits: new shares per old; dividends: USD per share on the ex-date. */
export interface MarketHistory {
  name: string;
  /** Ascending. */
  sessions: SessionDate[];
  symbols: HistorySymbol[];
  splits: { date: SessionDate; symbol: string; ratio: DecimalText }[];
  dividends: { date: SessionDate; symbol: string; amount: DecimalText }[];
  /** Null when no calendar is known: then no entry passes its gate. */
  earnings: { date: SessionDate; symbol: string }[] | null;
  /** True where `earnings` are past filings and no calendar: of each session only those before it are known, and the next is estimated. */
  areReportsEstimated?: boolean;
  vix: { date: SessionDate; close: number }[];
}

/** What is known of a real market's past, and what is not: it stands among the assumptions of a run. */
export interface HistoryFacts {
  /** Stocks and funds of the history. */
  stocks: number;
  /** Left out: in no session did their turnover reach what the screening asks for. */
  untraded: number;
  sectorsBy: "vendor" | "SEC" | "vendor and SEC" | "none";
  withoutSector: number;
  /** The calendar's name; null where reports are estimated by past filings. */
  calendar: string | null;
  withoutReports: number;
}

/** The symbol whose closes make the regime and the benchmark. */
export const INDEX_SYMBOL = "SPY";

/** The bar of a symbol in the session; null when it did not trade. */
export function barAt(row: HistorySymbol | undefined, session: number): DayBar | null {
  const open = row?.open[session];
  if (row === undefined || open === undefined || Number.isNaN(open)) return null;
  return { open, high: row.high[session]!, low: row.low[session]!, close: row.close[session]! };
}

/** The bars that exist, and the session each of them belongs to; the tape's own arrays where no session is missing. */
export function closedBars(row: HistorySymbol, sessions: string[]): { bars: BarSeries; at: Int32Array | null } {
  const count = sessions.length;
  let existing = 0;
  for (let i = 0; i < count; i++) if (!Number.isNaN(row.close[i]!)) existing++;
  if (existing === count) return { bars: firstBars({ ...row, dates: sessions }, count), at: null };
  const at = new Int32Array(existing);
  for (let i = 0, bar = 0; i < count; i++) if (!Number.isNaN(row.close[i]!)) at[bar++] = i;
  const pick = (values: Float64Array) => Float64Array.from(at, (i) => values[i]!);
  return {
    at,
    bars: {
      symbol: row.symbol,
      dates: Array.from(at, (i) => sessions[i]!),
      open: pick(row.open),
      high: pick(row.high),
      low: pick(row.low),
      close: pick(row.close),
      volume: pick(row.volume),
    },
  };
}
