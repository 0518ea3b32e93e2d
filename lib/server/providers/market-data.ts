/**
 * The port to market data of one market. `alpaca-data.ts` implements it; the practice market answers
 * the same wire. Earnings dates and VIX come from vendors behind the same port.
 */
import type { VendorPrice } from "@/lib/domain/consensus/judge-symbol.ts";
import type { EarningsTime, PriceFigure } from "@/lib/domain/enums.ts";
import type { DecimalText } from "@/lib/domain/money.ts";
import type { EarningsCalendar, PriceProvider } from "@/lib/domain/providers.ts";
import type { Instant, SessionDate } from "@/lib/domain/time.ts";
import type { MarketClock } from "../broker/broker.ts";

export interface AssetRow {
  symbol: string;
  name: string;
  exchange: string;
  /** GICS sector; "Unknown" where no source gives one. */
  sector: string;
  isTradable: boolean;
}

export interface DailyBar {
  session: SessionDate;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

export interface SnapshotRow {
  symbol: string;
  last: DecimalText;
  lastAt: Instant;
  bid: DecimalText | null;
  ask: DecimalText | null;
  /** When bid and ask were quoted, which need not be near the last trade; null where that is not known. */
  quotedAt: Instant | null;
}

export interface NewsRow {
  id: string;
  symbols: string[];
  headline: string;
  summary: string;
  source: string;
  publishedAt: Instant;
}

export interface CalendarDay {
  session: SessionDate;
  opensAt: Instant;
  closesAt: Instant;
}

export interface EarningsRow {
  symbol: string;
  date: SessionDate;
  time: EarningsTime;
}

export interface CorporateActionRow {
  symbol: string;
  exDate: SessionDate;
  /** Of what cannot be read, symbol and date are known. */
  kind: "split" | "dividend" | "split without ratio" | "dividend without amount";
  /** split: new per old; dividend: USD per share; 1 where it could not be read. */
  value: number;
}

export interface VixRow {
  session: SessionDate;
  close: number;
}

/** Another source of prices, which the market's own are compared with. */
export interface PriceSource {
  vendor: PriceProvider;
  /** What it gives. */
  figures: readonly PriceFigure[];
  /**
   * The newest known price of each symbol, those first that are named first, as far as plan and rate allow: what was not asked for or cannot
   * be read is absent, what is held from before says when it was made. Throws where the vendor does not answer at all.
   */
  prices(symbols: readonly string[]): Promise<Map<string, VendorPrice>>;
}

/** Called before each request of a long reading; waits until the source's limit has room for it. */
export type Pace = () => Promise<void>;

export interface MarketData {
  clock(): Promise<MarketClock>;
  calendar(from: SessionDate, to: SessionDate): Promise<CalendarDay[]>;
  /** What is listed; the sector is "Unknown" where no vendor names it, or the vendor does not answer. */
  assets(): Promise<AssetRow[]>;
  /** True where a vendor is configured that names sectors. */
  hasSectorVendor: boolean;
  /** Raw daily bars of closed sessions, `from` to `to` inclusive; symbols without bars are absent. */
  dailyBars(symbols: string[], from: SessionDate, to: SessionDate, pace?: Pace): Promise<Map<string, DailyBar[]>>;
  snapshots(symbols: string[]): Promise<Map<string, SnapshotRow>>;
  /** Splits and dividends whose ex-date lies in the range, both ends included. */
  corporateActions(from: SessionDate, to: SessionDate, pace?: Pace): Promise<CorporateActionRow[]>;
  news(since: Instant): Promise<NewsRow[]>;
  /** The calendar of reports; null where none is configured. */
  earningsCalendar: EarningsCalendar | null;
  /** Dates of reports in the range, as far as the calendar covers it; throws when the source is unavailable. */
  earnings(from: SessionDate, to: SessionDate): Promise<EarningsRow[]>;
  /** Closes up to and including `through`, ascending; throws when the source is unavailable. */
  vix(from: SessionDate, through: SessionDate): Promise<VixRow[]>;
  /** Beside the market's own; empty where nothing is compared. */
  priceSources: readonly PriceSource[];
}
