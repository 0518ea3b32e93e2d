import type { SessionDate } from "../../domain/time.ts";

/** What a market knows about one symbol. */
export interface Asset {
  id: string;
  symbol: string;
  name: string;
  /** GICS sector, null where unknown; "ETF" for funds. */
  sector: string | null;
  exchange: "NASDAQ" | "NYSE" | "ARCA";
}

/** Raw daily bars of a symbol, one entry per session of the market; NaN where the symbol did not trade. */
export interface Series {
  open: ArrayLike<number>;
  high: ArrayLike<number>;
  low: ArrayLike<number>;
  close: ArrayLike<number>;
  volume: ArrayLike<number>;
}

export interface Split {
  date: SessionDate;
  symbol: string;
  /** New shares per old, as exact text: "4", "1.062". */
  ratio: string;
}

export interface Dividend {
  date: SessionDate;
  symbol: string;
  /** USD per share, as exact text; `date` is the ex-date. */
  amount: string;
}

export interface EarningsReport {
  date: SessionDate;
  symbol: string;
  hour: "bmo" | "amc" | "";
  epsEstimate: number | null;
  epsActual: number | null;
}

export interface VixDay {
  date: SessionDate;
  open: number;
  high: number;
  low: number;
  close: number;
}

/** A stretch of a session in which a symbol does not trade. */
export interface Halt {
  date: SessionDate;
  symbol: string;
  /** Minutes after the opening. */
  fromMinute: number;
  minutes: number;
  /** A pause after a violent move, or one to let news spread. */
  reason: "volatility" | "news";
}

/**
 * A market: where daily bars and events come from. It may know the future; only the market view
 * (view.ts) decides what is visible at a given market time.
 */
export interface Market {
  kind: "tape" | "generated";
  name: string;
  seed: number;
  /** Sorted. */
  symbols: readonly string[];
  assets: ReadonlyMap<string, Asset>;
  /** Ascending; grows in a generated market. */
  sessions: readonly SessionDate[];
  /** The first session on which the practice market may start by default. */
  defaultStart: SessionDate;
  /** The session after which there is nothing more, null when the market is endless. */
  lastSession: SessionDate | null;
  splits: readonly Split[];
  dividends: readonly Dividend[];
  earnings: readonly EarningsReport[];
  vix: readonly VixDay[];
  halts: readonly Halt[];
  /** Makes sure that all sessions up to the date exist. */
  extendTo(date: SessionDate): void;
  series(symbol: string): Series | undefined;
  sessionIndex(date: SessionDate): number | undefined;
}
