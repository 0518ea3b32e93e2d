import type { RegimeLabel, SideName, StrategyName, TripOutcome } from "../enums.ts";
import type { DecimalText } from "../money.ts";
import type { SessionDate } from "../time.ts";
import type { OrderPurpose } from "../engine/plan.ts";
import type { PreferencesView } from "../preferences.ts";
import type { GateCode } from "../gates/gates.ts";
import type { EntryReason as StrategyEntry, ExitReason } from "../engine/reasons.ts";

/** What a backtest answers: plain JSON, money as decimal text in USD, ratios as fractions. */

export type EntryReason = StrategyEntry | "rotation";

/** One session. Identity: equity − the day before's = realised + change of unrealised + dividends − fees + flows. */
export interface BacktestDay {
  session: SessionDate;
  equity: DecimalText;
  cash: DecimalText;
  /** Value of positions at the close. */
  gross: DecimalText;
  /** gross/equity */
  exposure: number;
  /** Fraction ≤ 0 below the highest close so far, the starting cash included. */
  drawdown: number;
  regime: RegimeLabel;
  positions: number;
  /** Proceeds less cost of the session's sales, fees apart. */
  realised: DecimalText;
  /** Of what is held at the close, fees apart. */
  unrealised: DecimalText;
  dividends: DecimalText;
  fees: DecimalText;
  flows: DecimalText;
  /** Sum of bought and sold value. */
  traded: DecimalText;
  /** Close of the index; null where it did not trade. */
  indexClose: number | null;
  /** Total returns since the close before, as `benchmarkReturns` has them; fractions, null where there is none. */
  indexReturn: number | null;
  universeReturn: number | null;
  /** Number of candidates by the first gate that refused them. */
  refusals: Partial<Record<GateCode, number>>;
  /** The cycle in one line. */
  line: string;
}

export type BacktestOrderStatus = "WORKING" | "FILLED" | "EXPIRED" | "CANCELLED" | "REJECTED";

export interface BacktestOrder {
  id: string;
  session: SessionDate;
  symbol: string;
  purpose: OrderPurpose;
  side: SideName;
  qty: DecimalText;
  type: "MARKET" | "LIMIT" | "STOP";
  timeInForce: "day" | "gtc";
  limitPrice: DecimalText | null;
  stopLossPrice: DecimalText | null;
  takeProfitPrice: DecimalText | null;
  decisionPrice: DecimalText;
  reason: ExitReason | EntryReason;
  strategy: StrategyName | null;
  confidence: number | null;
  status: BacktestOrderStatus;
  /** Session in which the status became final; null while working. */
  closedSession: SessionDate | null;
}

export interface BacktestFill {
  id: string;
  orderId: string;
  session: SessionDate;
  symbol: string;
  side: SideName;
  qty: DecimalText;
  price: DecimalText;
  /** Half the spread, market impact, commission and regulatory fees: all taken as fees. */
  spreadCost: DecimalText;
  impactCost: DecimalText;
  fees: DecimalText;
  reason: ExitReason | EntryReason;
}

/** A round trip, flat to flat. */
export interface BacktestTrade {
  symbol: string;
  name: string;
  sector: string | null;
  strategy: StrategyName | null;
  opened: SessionDate;
  closed: SessionDate;
  sessionsHeld: number;
  qty: DecimalText;
  entryPrice: DecimalText;
  exitPrice: DecimalText;
  fees: DecimalText;
  /** After fees. */
  pnl: DecimalText;
  /** pnl over the entry value */
  pnlFraction: number;
  outcome: TripOutcome;
  entryReason: EntryReason;
  exitReason: ExitReason;
  entryRegime: RegimeLabel;
}

export interface OpenPosition {
  symbol: string;
  strategy: StrategyName | null;
  opened: SessionDate;
  qty: DecimalText;
  avgPrice: DecimalText;
  lastPrice: DecimalText;
  unrealised: DecimalText;
}

export interface BacktestConfig {
  cash: DecimalText;
  preferences: PreferencesView;
  policyVersion: string;
  engineVersion: string;
  from: SessionDate;
  to: SessionDate;
  /** Of the noise between the open and the minute of a decision. */
  seed: number;
  /** Off: entries were not held back before and after reports. */
  earningsGate: "on" | "off";
  /** Present when the biweekly rotation was traded beside the cycles. */
  rotation?: "on";
}

export interface BacktestResult {
  market: string;
  config: BacktestConfig;
  symbolCount: number;
  days: BacktestDay[];
  orders: BacktestOrder[];
  fills: BacktestFill[];
  trades: BacktestTrade[];
  openPositions: OpenPosition[];
  /** When and why the engine stopped entries until a person resumes them, which never happens in a backtest; null when it never did. */
  halted: { session: SessionDate; reason: string } | null;
}
