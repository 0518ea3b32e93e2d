import type { Environment, RiskName, SideName, StrategyName } from "../enums.ts";
import type { DecimalText } from "../money.ts";
import type { Policy } from "../policy.ts";
import type { RegimeMemory } from "../screening/regime.ts";
import type { Instant, SessionDate } from "../time.ts";
import type { HoldFacts, PositionFacts, ResultFacts, TripFacts } from "./facts.ts";

/**
 * What is recorded of the accounts of one environment: all that the answer on top of the dashboard may speak of. Amounts are
 * USD. What is not known is null, and nothing is said of it.
 */
export interface TodayFacts {
  /** Null without an account. */
  environment: Environment | null;
  accounts: number;
  market: MarketHours;
  /** Session of the latest record; null before the first. */
  session: SessionDate | null;
  /** Whether anything was ever decided in these accounts; without an account, in those that were deleted. */
  hasDecided: boolean;
  /** A worker sent a heartbeat lately. */
  isWorkerBeating: boolean;
  /** How many accounts' brokers miss their readings. */
  silentAccounts: number;
  /** How many accounts were never read at their broker: what they hold is not known. */
  unreadAccounts: number;
  preferences: { strategy: StrategyName; riskLevel: RiskName; maxPositions: number; checkInterval: number };
  policy: Policy;
  holds: HoldFacts[];
  /** What the owner can do about the halt that was met first; null where nothing is halted. */
  haltAdvice: string | null;
  /** The broker takes the keys, or the access, of an account no more. */
  needsKeys: boolean;
  unknownOrders: number;
  parkedOrders: number;
  result: ResultFacts | null;
  /** SPY's total return since the same close as the result, percent. */
  spyPercent: number | null;
  /** P&L of the last seven days, by the rule of the dashboard's Week figure. */
  weekPnl: DecimalText | null;
  /** Orders that filled in the session, one entry per order, in order of time. */
  trades: DayTrade[];
  /** Orders of the session that the broker rejected. */
  rejected: string[];
  trips: TripFacts[];
  /** The latest decision of the session; null where there is none yet. */
  look: { id: string; at: Instant; line: string } | null;
  /** The machine's memory of its latest session; null before the first. */
  regime: RegimeMemory | null;
  /** No source said for the session when companies report: no entry passes. */
  isCalendarMissing: boolean;
  /** The first session in which purchases may resume after several stops; null where that does not hold them. */
  restsUntil: SessionDate | null;
  positions: TodayPosition[];
  left: LeftFacts;
  /** Orders that work at the broker, stops and targets aside. */
  waiting: { symbol: string; side: SideName }[];
}

/** What deleted accounts left at their brokers; asked only where no other account is. */
export interface LeftFacts {
  /** Those whose keys are kept for their shares, and what is read there. */
  accounts: number;
  positions: Pick<PositionFacts, "symbol" | "isCovered">[];
  /** Those that held shares when they were last read: their keys are erased. */
  unreadAccounts: number;
}

export const NOTHING_LEFT: LeftFacts = { accounts: 0, positions: [], unreadAccounts: 0 };

export interface MarketHours {
  /** Market time. */
  now: Instant;
  isOpen: boolean;
  opensAt: Instant;
  closesAt: Instant;
}

export interface DayTrade {
  tradeId: string;
  symbol: string;
  side: SideName;
  quantity: DecimalText;
  /** USD a share, on average. */
  price: DecimalText;
  /** Of its last fill. */
  at: Instant;
  /** Why it was sent, in words; null where that is not recorded. */
  reason: string | null;
  /** Sent by Tradewind; else a person traded at the broker. */
  isOurs: boolean;
}

export interface TodayPosition extends PositionFacts {
  /** Price of the stop that rests at the broker. */
  stopPrice: DecimalText | null;
  /** Percent from the price to it, below zero; null where one of the two is unknown. */
  stopDistancePercent: number | null;
}
