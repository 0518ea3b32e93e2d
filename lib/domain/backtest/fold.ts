import type { Money } from "../money.ts";
import type { Policy } from "../policy.ts";
import type { FeatureRow } from "../screening/features.ts";
import type { RankScratch } from "../screening/rank-columns.ts";
import type { Remembered } from "../screening/swap-seats.ts";
import type { Instant, SessionDate } from "../time.ts";
import type { Ledger } from "./account.ts";
import { featuresAt, type FeatureTable, quarantineAfter, type ScoreBlock } from "./features.ts";
import { barAt } from "./history.ts";
import type { HistoryIndex } from "./market.ts";
import type { BacktestResult } from "./result.ts";
import type { DayBar } from "./fill-model.ts";
import type { RegimeView } from "../engine/plan.ts";
import type { PreferencesView } from "../preferences.ts";

export interface BacktestInput {
  index: HistoryIndex;
  /** Made by `prepareFeatures` for at least the sessions before `from` … `to`; made here when not given. */
  features?: FeatureTable;
  policy: Policy;
  preferences: PreferencesView;
  /** USD at the start. */
  cash: string;
  /** First and last traded session, sessions of the market. */
  from: SessionDate;
  to: SessionDate;
  seed: number;
  /** Fills pay this many times the policy's spread, 1 when not given; decisions go by the policy itself. */
  spreadMultiple?: number;
  /** True: reports are not known, and the gate that waits for them is off. */
  isWithoutEarnings?: boolean;
  /** True: the biweekly rotation is planned, approved at once and executed beside the cycles. */
  hasRotation?: boolean;
  /** Called after each session with the number done and the number in all. */
  onSession?: (done: number, total: number) => void;
}

/** The one account of a backtest; its last eight characters are in the ids of its orders. */
export const ACCOUNT_ID = "00000000-0000-7000-8000-00000backtest";

/** What the screening of a tape is made of, by place of the feature table; kept from session to session. */
export interface ScreenRoom {
  listed: { symbol: string; sector: string }[];
  /** 0 for a fund. */
  isStock: Uint8Array;
  /** Places whose bars cannot be trusted throughout. */
  doubted: number[];
  block: ScoreBlock;
  eligible: Uint8Array;
  scratch: RankScratch;
}

/** What a backtest carries from session to session. Mutable; it never leaves the fold. */
export interface Fold {
  input: BacktestInput;
  /** The policy at the spread that fills pay. */
  fillPolicy: Policy;
  features: FeatureTable;
  /** Kept from session to session: rankings change little. */
  room: ScreenRoom;
  regimes: RegimeView[];
  ledger: Ledger;
  selection: Remembered | null;
  /** Last known features by symbol: costs are estimated on them where a session had none. */
  lastFeatures: Map<string, FeatureRow>;
  /** Last raw price by symbol. */
  marks: Map<string, Money>;
  /** At the last close. */
  equity: Money;
  /** Highest close so far, the starting cash included. */
  peak: Money;
  returns: number[];
  highWaterMark: Money;
  halted: BacktestResult["halted"];
  /** Session of the last rotation. */
  lastRotation: SessionDate | null;
}

/** The current session. */
export interface Today {
  session: number;
  date: SessionDate;
  /** Sessions around it, as a live cycle sees them. */
  sessions: SessionDate[];
  opensAt: Instant;
  closesAt: Instant;
  decidedAt: Instant;
  regime: RegimeView;
}

/** Features of the last closed bars: all that a decision may know. */
export function featuresBefore(fold: Fold, symbol: string, session: number): FeatureRow | null {
  return featuresAt(fold.features, symbol, session - 1);
}

/** The data check of the last closed bars. */
export function quarantineBefore({ features }: Fold, symbol: string, session: number): string | null {
  const place = features.placeOf.get(symbol);
  return place === undefined ? null : quarantineAfter(features, place, session - 1);
}

export function barToday(fold: Fold, symbol: string, { session }: Today): DayBar | null {
  return barAt(fold.input.index.bySymbol.get(symbol), session);
}
