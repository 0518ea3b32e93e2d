import { POLICY_2_9_0 } from "@/lib/domain/policy.ts";
import { DEFAULT_PREFERENCES } from "@/lib/domain/preferences.ts";
import type { FeatureRow } from "@/lib/domain/screening/features.ts";
import { addDays, newYorkInstant, type SessionDate } from "@/lib/domain/time.ts";
import type {
  AccountState,
  HeldPosition,
  MarketView,
  OpenOrderView,
  SeatView,
  SymbolView,
} from "@/lib/domain/engine/plan.ts";

/** A small market in which everything is in order, for tests: each changes the one thing that it is about. */

export const examplePolicy = POLICY_2_9_0;

/** Weekdays around Monday, 3 February 2020. */
export const exampleSessions: SessionDate[] = Array.from({ length: 60 }, (_, i) => addDays("2020-01-06", i)).filter(
  (date) => {
    const day = new Date(`${date}T00:00:00.000Z`).getUTCDay();
    return day !== 0 && day !== 6;
  },
);

export const EXAMPLE_TODAY: SessionDate = "2020-02-03";
export const EXAMPLE_PRIOR: SessionDate = "2020-01-31";

/** An instant of the session, by the clock of New York. */
export const exampleTime = (hour: number, minute: number) => newYorkInstant(EXAMPLE_TODAY, hour, minute);

/** A quote of a minute ago without a spread. */
export const exampleQuote = (last: string) => ({ last, bid: last, ask: last, at: exampleTime(10, 4) });

/** An up-trend in which MOMENTUM and BREAKOUT have a signal. */
export function exampleFeatures(change: Partial<FeatureRow> = {}): FeatureRow {
  return {
    barCount: 400,
    close: 100,
    sma20: 97,
    sma50: 94,
    sma200: 85,
    sma5: 99,
    rsi2: 60,
    rsi14: 60,
    atr14: 2,
    atr20: 2,
    adx14: 28,
    adx14Prior: 26,
    high20Prior: 99,
    high55Prior: 99.5,
    low10Prior: 92,
    high252: 101,
    momentum12: 0.3,
    momentum6: 0.15,
    sigma60: 0.25,
    sigma252: 0.24,
    sigma126: 0.25,
    volumeRatio: 2,
    adv20: 200_000_000,
    dayReturn: 0.01,
    gap: 0.2,
    ...change,
  };
}

/** A pull-back in an up-trend: MEAN_REVERSION has a signal. */
export function examplePullback(change: Partial<FeatureRow> = {}): FeatureRow {
  return exampleFeatures({
    close: 100,
    sma5: 103,
    rsi2: 4,
    high20Prior: 108,
    high55Prior: 110,
    high252: 112,
    ...change,
  });
}

export function exampleSymbol(symbol: string, change: Partial<SymbolView> = {}): SymbolView {
  return {
    symbol,
    name: `${symbol} Inc.`,
    sector: "Information Technology",
    isTradable: true,
    isHalted: false,
    quarantine: null,
    features: exampleFeatures(),
    momentumPercentile: 95,
    splitToday: null,
    quote: { last: "100", bid: "99.98", ask: "100.02", at: exampleTime(10, 4) },
    earnings: { isKnown: true, next: null, last: null },
    ...change,
  };
}

export function exampleSeat(symbol: string, change: Partial<SeatView> = {}): SeatView {
  return {
    symbol,
    rank: 1,
    kind: "sticky",
    composite: 80,
    liquidity: 75,
    sentiment: 60,
    technical: 90,
    momentumPercentile: 95,
    ...change,
  };
}

export function exampleMarket(symbols: SymbolView[], seats: SeatView[], change: Partial<MarketView> = {}): MarketView {
  return {
    market: "PRACTICE",
    at: exampleTime(10, 5),
    session: {
      date: EXAMPLE_TODAY,
      opensAt: exampleTime(9, 30),
      closesAt: exampleTime(16, 0),
      isOpen: true,
    },
    barsThrough: EXAMPLE_PRIOR,
    sessions: exampleSessions,
    regime: { label: "risk_on", vix: 13, spyClose: 330, spyMa20: 325, spyMa50: 320, spyMa200: 300, votes: 3 },
    seats,
    symbols: Object.fromEntries(symbols.map((view) => [view.symbol, view])),
    counts: { screened: 503, eligible: 480 },
    ...change,
  };
}

export function exampleAccount(change: Partial<AccountState> = {}): AccountState {
  return {
    accountId: "00000000-0000-7000-8000-000000000001",
    environment: "PAPER",
    status: "ACTIVE",
    hasKeys: true,
    automationOff: null,
    killState: "NONE",
    haltReason: null,
    preferences: {
      ...DEFAULT_PREFERENCES,
      defaultOrderSize: "2000",
      maxPositions: 10,
      maxPositionValue: "5000",
      profitTarget: "10",
      stopLoss: "5",
    },
    equity: "100000",
    lastEquity: "100000",
    cash: "100000",
    buyingPower: "100000",
    highWaterMark: "100000",
    positions: [],
    openOrders: [],
    stopOuts: [],
    lossSales: [],
    ordersLastMinute: 0,
    ordersToday: 0,
    dayTrades: 0,
    trips: { strategy: "MOMENTUM", count: 0, unrated: 0, r: [] },
    bookVolatility: null,
    ...change,
  };
}

export function examplePosition(symbol: string, change: Partial<HeldPosition> = {}): HeldPosition {
  return {
    symbol,
    qty: "20",
    avgEntryPrice: "98",
    strategy: "MOMENTUM",
    openedSession: "2020-01-27",
    stopPrice: "93.1",
    targetPrice: "107.8",
    review: { highestClose: "100", entryAtr: 2, weakReviews: 0, belowTrend: 0, reviewedSession: "2020-01-30" },
    protectedQty: "20",
    ...change,
  };
}

export function exampleOrder(symbol: string, change: Partial<OpenOrderView> = {}): OpenOrderView {
  return {
    clientOrderId: `tw-plan-${symbol}-0-1`,
    symbol,
    side: "BUY",
    role: "ENTRY",
    strategy: "MOMENTUM",
    qty: "10",
    filledQty: "0",
    limitPrice: "100",
    submittedAt: exampleTime(10, 0),
    ...change,
  };
}
