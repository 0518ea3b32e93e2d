/**
 * One row of features per symbol, computed on bars closed by T. Prices are split-adjusted to the last
 * closed bar's basis; 12-1 and 6-1 momentum are on total-return-adjusted closes.
 */
export interface FeatureRow {
  /** Closed bars available. */
  barCount: number;
  close: number;
  sma20: number | null;
  sma50: number | null;
  sma200: number | null;
  sma5: number | null;
  rsi2: number | null;
  rsi14: number | null;
  atr14: number | null;
  atr20: number | null;
  adx14: number | null;
  adx14Prior: number | null;
  high20Prior: number | null;
  high55Prior: number | null;
  low10Prior: number | null;
  high252: number | null;
  /** fraction */
  momentum12: number | null;
  momentum6: number | null;
  /** annualised, fraction */
  sigma60: number | null;
  /** annualised over 252 and 126 sessions, for risk-adjusted momentum */
  sigma252: number | null;
  sigma126: number | null;
  volumeRatio: number | null;
  /** Median dollar volume of 20 sessions, USD. */
  adv20: number | null;
  /** Close over the prior close − 1. */
  dayReturn: number | null;
  /** Open minus the prior close, in the row's price basis. */
  gap: number | null;
}

/** Raw daily bars of one symbol, ascending by session. Numbers are doubles: indicators only. */
export interface BarSeries {
  symbol: string;
  /** Session dates, ascending. */
  dates: string[];
  open: Float64Array;
  high: Float64Array;
  low: Float64Array;
  close: Float64Array;
  volume: Float64Array;
}

export interface CorporateEvent {
  symbol: string;
  /** Applies before the open of this session. */
  date: string;
  kind: "split" | "dividend";
  /** split: new shares per old; dividend: USD per share. */
  value: number;
}
