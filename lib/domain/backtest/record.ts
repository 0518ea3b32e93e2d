import type { DecimalText } from "../money.ts";
import type { SessionDate } from "../time.ts";
import type { LargestFill } from "./capacity.ts";
import type { HistoryFacts } from "./history.ts";
import type { BacktestResult, BacktestTrade, OpenPosition } from "./result.ts";
import type { SpreadRun } from "./spreads.ts";
import { GATE_CODES, type GateCode } from "../gates/gates.ts";
import { indexEquity, universeEquity } from "../statistics/statistics.ts";
import { type BacktestTables, tablesOf } from "../statistics/tables.ts";

/** What is kept of a run: its days as columns, its round trips and tables. Orders and fills are not. Plain JSON, units as in the result. */
export interface BacktestRecord {
  symbolCount: number;
  engineVersion: string;
  days: {
    sessions: SessionDate[];
    equity: DecimalText[];
    exposure: number[];
    /** The index held with the same cash, dividends reinvested, USD; null before it traded. */
    index: (number | null)[];
    /** All stocks of the market in equal parts, likewise; missing in records from before it was kept. */
    universe?: (number | null)[];
  };
  trips: BacktestTrade[];
  openPositions: OpenPosition[];
  tables: BacktestTables;
  /** Candidates by the first gate that refused them, in the order of the gates; those of every session together. */
  refusals: { gate: GateCode; count: number }[];
  halted: BacktestResult["halted"];
  /** The same run at wider spreads, itself first; missing in records from before it was kept. */
  spreads?: SpreadRun[];
  /** The fill that was largest for its stock; null where no volume is known, missing in records from before it was kept. */
  largest?: LargestFill | null;
  /** Of a real market's history: what is known of it and what is not. */
  facts?: HistoryFacts;
}

/** What is kept of a result. The same result gives the same record. */
export function recordOf(result: BacktestResult): BacktestRecord {
  const { days, config, symbolCount, trades, openPositions, halted } = result;
  const refused = (gate: GateCode) => days.reduce((total, { refusals }) => total + (refusals[gate] ?? 0), 0);
  return {
    symbolCount,
    engineVersion: config.engineVersion,
    days: {
      sessions: days.map(({ session }) => session),
      equity: days.map(({ equity }) => equity),
      exposure: days.map(({ exposure }) => exposure),
      index: indexEquity(result),
      universe: universeEquity(result),
    },
    trips: trades,
    openPositions,
    tables: tablesOf(result),
    refusals: GATE_CODES.map((gate) => ({ gate, count: refused(gate) })).filter(({ count }) => count > 0),
    halted,
  };
}
