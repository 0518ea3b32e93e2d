import type { Environment, RegimeLabel, SideName, TripOutcome } from "../enums.ts";
import type { DecimalText } from "../money.ts";
import type { Instant, SessionDate } from "../time.ts";

/**
 * What is recorded of one session, in the accounts of one environment: all that a brief may speak of. Amounts are USD.
 * What is not known is null, and nothing is said of it.
 */
export interface BriefFacts {
  environment: Environment;
  session: SessionDate;
  /** The session has ended. */
  isClosed: boolean;
  /** How many accounts there are. */
  accounts: number;
  holds: HoldFacts[];
  /** Orders of which the broker has not said what became of them, and orders that wait for a person. */
  unknownOrders: number;
  parkedOrders: number;
  result: ResultFacts | null;
  /** Orders that filled in the session, one entry per order. */
  fills: FillFacts[];
  /** Basis points against the decision price, positive is worse for the account. */
  slippageBps: number | null;
  /** The trade is null where no order came of it. */
  rejected: (Omit<TradeFacts, "tradeId"> & { tradeId: string | null })[];
  /** Entries and exits that are working at the broker now. */
  working: TradeFacts[];
  trips: TripFacts[];
  decisions: DecisionFacts[];
  /** How many cycles the decisions were made in. */
  cycles: number;
  regime: { label: RegimeLabel; vix: number | null } | null;
  positions: PositionFacts[];
  /** Over five sessions, this one included; null where it was not counted. */
  dayTrades: { count: number; firstSession: SessionDate; lastSession: SessionDate } | null;
}

/** Why nothing, or less, is bought. `account` is its name where there are several. */
export type HoldFacts =
  | { kind: "HALTED"; account: string | null; reason: string | null }
  | { kind: "RESTRICTED"; account: string | null; meaning: string; reason: string | null }
  | { kind: "ACCOUNT_PAUSED"; account: string | null }
  | { kind: "ALL_RESTRICTED"; meaning: string; reason: string | null }
  | { kind: "PAUSED"; reason: string | null }
  | { kind: "QUEUE_PAUSED" }
  | { kind: "SWITCHED_OFF" };

export interface ResultFacts {
  /** How many accounts the sums are over; the others were not read since the session began. */
  accounts: number;
  equity: DecimalText;
  /** Change of equity less external flows since the close before. */
  pnl: DecimalText;
  /** The same in percent of the equity at that close; null where money came or went, or nothing was there. */
  pnlPercent: number | null;
  /** External money in less out since the close before. */
  flows: DecimalText;
  /** There is no close before: the accounts are younger. */
  isSinceStart: boolean;
}

export interface TradeFacts {
  tradeId: string;
  symbol: string;
  side: SideName;
}

export interface FillFacts extends TradeFacts {
  /** Quantity times price of the session's fills. */
  value: DecimalText;
}

export interface TripFacts {
  symbol: string;
  /** After fees of its fills, before those that the broker charges apart. */
  pnl: DecimalText;
  outcome: TripOutcome;
  /** In words. */
  exitReason: string | null;
  /** The trade that closed it. */
  tradeId: string | null;
}

/** Decisions of the session whose line reads the same but for its time of day. */
export interface DecisionFacts {
  count: number;
  /** The latest of them. */
  id: string;
  at: Instant;
  /** "10:05: 503 screened, 50 seated, 7 signals, 0 orders: 4 sector, 3 earnings" */
  line: string;
}

export interface PositionFacts {
  symbol: string;
  /** Null without a price. */
  value: DecimalText | null;
  pnl: DecimalText | null;
  pnlPercent: number | null;
  /** A stop rests at the broker for every whole share of it. */
  isCovered: boolean;
  /** What it would give back from its price if its stop filled at the stop's price; null where one is unknown. */
  toStop: DecimalText | null;
}
