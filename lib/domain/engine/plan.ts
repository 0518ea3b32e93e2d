/**
 * What `decide` reads and what it answers. Everything is plain JSON: money and quantities are decimal
 * text, ratios and indicators are numbers, undefined values are null. The record of a decision is these
 * three values and nothing else, so that it can be replayed byte for byte.
 */
import type {
  AccountEnvironment,
  AccountStatusName,
  KillStateName,
  MarketName,
  RegimeLabel,
  SeatKindName,
  SideName,
  StrategyName,
} from "../enums.ts";
import type { SourceValue } from "../consensus/consensus.ts";
import type { TripRecord } from "../kelly.ts";
import type { DecimalText } from "../money.ts";
import type { PreferencesView } from "../preferences.ts";
import type { Instant, SessionDate } from "../time.ts";
import type { ReportWindow } from "../screening/estimate-report.ts";
import type { FeatureRow } from "../screening/features.ts";
import type { GateCode } from "../gates/gates.ts";
import type { EntryReason, ExitReason } from "./reasons.ts";

export const ENGINE_VERSION = "1.7.0";

export interface RegimeView {
  label: RegimeLabel;
  /** Close of the session before; null when the source had none. */
  vix: number | null;
  spyClose: number | null;
  spyMa20: number | null;
  spyMa50: number | null;
  spyMa200: number | null;
  /** Sum of the three votes, −3 … 3. */
  votes: number;
}

export interface SeatView {
  symbol: string;
  rank: number;
  kind: SeatKindName;
  /** 0 … 100 */
  composite: number;
  liquidity: number;
  /** Null when the news source was away: the factor is missing for every symbol. */
  sentiment: number | null;
  technical: number;
  /** Momentum percentile among the eligible universe, 0 … 100. */
  momentumPercentile: number | null;
}

export interface QuoteView {
  last: DecimalText;
  bid: DecimalText | null;
  ask: DecimalText | null;
  /** When the last trade happened. */
  at: Instant;
  /** True where bid and ask are made of the last price, as in a backtest: they cannot contradict each other. */
  isMade?: true;
}

/** What the sources said of one symbol when they were compared. */
export interface SourcesView {
  /** Market time of the comparison. */
  at: Instant;
  /** The last close by other sources, in raw shares; the own one stands in the features. */
  closes: SourceValue[];
  /** Prices of one moment, the own one among them. */
  quotes: SourceValue[];
}

export interface SymbolView {
  symbol: string;
  name: string;
  sector: string;
  isTradable: boolean;
  isHalted: boolean;
  /** Set when data checks put the symbol aside, or sources that disagreed were not seen to agree since, with the reason. */
  quarantine: string | null;
  /** From the last closed session's bars; null when too few bars. */
  features: FeatureRow | null;
  momentumPercentile: number | null;
  /** Splits and dividends since the last closed bar: yesterday's features speak in yesterday's prices. New shares per old. */
  splitToday: DecimalText | null;
  quote: QuoteView | null;
  /** Null where one source is configured; absent where sources are not compared, as in a backtest. */
  sources?: SourcesView | null;
  /**
   * Sessions: next and latest report; null when none is known. `isKnown` false when the source was unavailable. `estimate` where no calendar
   * is configured: when the next report is expected by those of the year before.
   */
  earnings: { isKnown: boolean; next: SessionDate | null; last: SessionDate | null; estimate?: ReportWindow };
}

/** What every account of a cycle sees. Content-addressed and stored once. */
export interface MarketView {
  market: MarketName;
  /** Market time of the decision. */
  at: Instant;
  session: {
    date: SessionDate;
    opensAt: Instant;
    closesAt: Instant;
    isOpen: boolean;
  };
  /** Date of the last closed bar that features were computed on. */
  barsThrough: SessionDate;
  /** Sessions around `session.date`, ascending, at least 12 back and 12 ahead where the calendar knows them. */
  sessions: SessionDate[];
  regime: RegimeView;
  seats: SeatView[];
  /** Seats, held symbols and symbols with open orders. Keys are symbols. */
  symbols: Record<string, SymbolView>;
  /** Symbols that were screened, and those of them that may take a seat. */
  counts: { screened: number; eligible: number };
}

/** The engine's memory of a position, given back by the plan and stored by the shell. */
export interface PositionReview {
  /** Highest raw close since entry. */
  highestClose: DecimalText | null;
  /** ATR at entry, in raw price. */
  entryAtr: number | null;
  /** Reviews running in which the momentum percentile was below the keep line. */
  weakReviews: number;
  /** Closes running below SMA200. */
  belowTrend: number;
  /** The last session these counts were updated for: a session counts once. */
  reviewedSession: SessionDate | null;
}

export interface HeldPosition {
  symbol: string;
  qty: DecimalText;
  avgEntryPrice: DecimalText;
  /** Null for a position that this product did not open. */
  strategy: StrategyName | null;
  openedSession: SessionDate;
  stopPrice: DecimalText | null;
  targetPrice: DecimalText | null;
  review: PositionReview;
  /** The latest day of a split that its shares and prices went through; absent where none was booked in the last days. */
  splitBookedOn?: SessionDate;
  /** Quantity covered by a live protective stop at the broker. */
  protectedQty: DecimalText;
}

export interface OpenOrderView {
  clientOrderId: string;
  symbol: string;
  side: SideName;
  /** ENTRY, EXIT, STOP, TARGET or EXTERNAL */
  role: string;
  /** Of the decision behind it; null for orders that are not ours. */
  strategy: StrategyName | null;
  qty: DecimalText;
  filledQty: DecimalText;
  limitPrice: DecimalText | null;
  /** A stop, by whichever owner: it protects its shares, where another order to sell only reserves them. */
  isStop?: boolean;
  /** A purchase of a rotation. Named where it is one. */
  isRotation?: true;
  /** An intent of which no order is known: the broker's buying power may still hold its money. Named where it is one. */
  isUnconfirmed?: true;
  submittedAt: Instant;
}

export interface AccountState {
  accountId: string;
  environment: AccountEnvironment;
  status: AccountStatusName;
  hasKeys: boolean;
  /** Null when automation runs; else why it does not ("paused by you", "switched off for everyone"). */
  automationOff: string | null;
  /** The strictest of the system's, the person's and the account's. */
  killState: KillStateName;
  /** Symbols of the account's market whose kill switch is set, sorted; absent where there is none. */
  stoppedSymbols?: string[];
  haltReason: string | null;
  preferences: PreferencesView;
  equity: DecimalText;
  /** Equity at the prior close, with the money that came or went since. */
  lastEquity: DecimalText;
  cash: DecimalText;
  /** As the broker states it: less what its open orders may cost. */
  buyingPower: DecimalText;
  highWaterMark: DecimalText;
  positions: HeldPosition[];
  /** Every order or intent in flight, unknown and parked ones included: their risk counts as used. */
  openOrders: OpenOrderView[];
  /** Round trips of this account that a stop closed at a loss, in the last 20 sessions (`isStopOut`). */
  stopOuts: { symbol: string; session: SessionDate }[];
  /** Symbols that the owner sold by hand in this session, sorted; absent where there is none. */
  soldByHand?: string[];
  /** Symbols whose purchase the broker refused in this session, sorted; absent where there is none. */
  refusedByBroker?: string[];
  /** Latest sale at a loss of each symbol in any of the person's accounts of this market, in the last 60 days. */
  lossSales: { symbol: string; session: SessionDate }[];
  ordersLastMinute: number;
  ordersToday: number;
  /** Buy and sell of one symbol in one session, over 5 sessions; of this account alone. */
  dayTrades: number;
  /** Closed round trips of the account's strategy, for the Kelly bound. */
  trips: TripRecord;
  /** Annualised volatility of the momentum book, last 60 sessions; null when too short. */
  bookVolatility: number | null;
}

export interface GateResult {
  code: GateCode;
  passed: boolean;
  /** Warnings never stop an order. */
  isWarning: boolean;
  /** Distance to the line in the gate's own unit: ≥ 0 passes, < 0 fails; null when evidence is missing. */
  margin: number | null;
  /** In words with numbers: "11 of 10 positions". */
  detail: string;
}

export type OrderPurpose = "ENTRY" | "EXIT" | "TRIM" | "PROTECT" | "FLATTEN";

export interface PlannedOrder {
  /** 0-based place in the plan: exits first. */
  leg: number;
  purpose: OrderPurpose;
  symbol: string;
  side: SideName;
  /** Whole shares for brackets; an exit sells what is held, fractions included. */
  qty: DecimalText;
  orderClass: "SIMPLE" | "BRACKET" | "OCO";
  type: "MARKET" | "LIMIT" | "STOP";
  timeInForce: "day" | "gtc";
  limitPrice: DecimalText | null;
  stopPrice: DecimalText | null;
  takeProfitPrice: DecimalText | null;
  stopLossPrice: DecimalText | null;
  /** The price the decision was made on. */
  decisionPrice: DecimalText;
  /** ENTRY: "entry_momentum" …; EXIT and others: an exit reason. */
  reason: ExitReason | EntryReason;
  strategy: StrategyName | null;
  confidence: number | null;
  /** The gates as they stood; all passed. */
  gates: GateResult[];
  /** ATR at the decision, carried into the position's memory. */
  atr: number | null;
}

export interface CandidateVerdict {
  symbol: string;
  hasSignal: boolean;
  /** Why there was no signal, in words; null when there was one. */
  noSignal: string | null;
  confidence: number | null;
  /** All gates, in order. */
  gates: GateResult[];
  failing: GateCode[];
  /** "needs +3.2 composite"; null when the candidate passed. */
  nearestFlip: string | null;
  /** Which bound decided the size and the result; null without a signal. */
  size: { qty: DecimalText; notional: DecimalText; boundBy: string } | null;
  /** The leg of the plan that buys it; null when none. */
  leg: number | null;
}

export interface Plan {
  engineVersion: string;
  policyVersion: string;
  at: Instant;
  orders: PlannedOrder[];
  /** Ids of our own entry orders that have waited too long, or that a stop of new entries ends, and are to be cancelled. */
  cancels: string[];
  /** New memory of every held position; the shell stores it. */
  reviews: { symbol: string; review: PositionReview }[];
  candidates: CandidateVerdict[];
  counts: { screened: number; seated: number; signals: number; orders: number };
  /** Set when the hard drawdown line is passed: the shell stores it, and only a person lifts it again. */
  latch: { killState: "REDUCE_ONLY"; reason: string } | null;
  /** "10:05: 503 screened, 50 seated, 7 signals, 0 orders: 4 sector, 3 earnings" */
  line: string;
}
