import { canonicalJson } from "@/lib/domain/engine/canonical.ts";
import { decide } from "@/lib/domain/engine/decide.ts";
import { openSession } from "@/lib/domain/engine/session-view.ts";
import type { AccountState, HeldPosition, MarketView, Plan, SymbolView } from "@/lib/domain/engine/plan.ts";
import { VerdictSheet } from "@/lib/domain/engine/verdict-sheet.ts";
import { RISKS, STRATEGY_NAMES } from "@/lib/domain/enums.ts";
import { POLICY_2_9_0 } from "@/lib/domain/policy.ts";
import { computeFeatures } from "@/lib/domain/screening/compute-features.ts";
import { screenMarket } from "@/lib/domain/screening/screen-market.ts";
import { addDays, newYorkInstant } from "@/lib/domain/time.ts";
import { generatedBars } from "./generated-bars.ts";
import { measure, randomFrom, type Timing } from "./timing.ts";

const TODAY = "2020-02-03";
const SESSIONS = Array.from({ length: 60 }, (_, i) => addDays("2020-01-06", i)).filter(
  (date) => ![0, 6].includes(new Date(`${date}T00:00:00.000Z`).getUTCDay()),
);
const SECTORS = ["Energy", "Materials", "Industrials", "Utilities", "Health Care", "Financials", "Real Estate"];

function benchMarket(): MarketView {
  const bars = generatedBars(500, 400, 7);
  const ofBars = computeFeatures(bars, () => []);
  const rows = bars.map((series, i) => {
    const features = ofBars[i] ?? null;
    return {
      symbol: series.symbol,
      name: series.symbol,
      sector: SECTORS[i % SECTORS.length]!,
      isTradable: true,
      isHalted: false,
      quarantine: null,
      features,
      spreadBps: null,
      lastPrice: features?.close ?? null,
    };
  });
  const { seats, eligibleCount } = screenMarket({
    market: "PRACTICE",
    sessionDate: TODAY,
    universe: rows,
    news: [],
    previous: null,
    fastTrack: [],
    policy: POLICY_2_9_0,
  });
  const seated = new Map(seats.map((seat) => [seat.symbol, seat]));
  const symbols: Record<string, SymbolView> = {};
  for (const row of rows) {
    const seat = seated.get(row.symbol);
    if (seat === undefined || row.features === null) continue;
    const last = row.features.close.toFixed(2);
    symbols[row.symbol] = {
      symbol: row.symbol,
      name: row.name,
      sector: row.sector,
      isTradable: true,
      isHalted: false,
      quarantine: null,
      features: row.features,
      momentumPercentile: seat.momentumPercentile,
      splitToday: null,
      quote: { last, bid: last, ask: last, at: newYorkInstant(TODAY, 10, 4) },
      earnings: { isKnown: true, next: null, last: null },
    };
  }
  return {
    market: "PRACTICE",
    at: newYorkInstant(TODAY, 10, 5),
    session: {
      date: TODAY,
      opensAt: newYorkInstant(TODAY, 9, 30),
      closesAt: newYorkInstant(TODAY, 16, 0),
      isOpen: true,
    },
    barsThrough: "2020-01-31",
    sessions: SESSIONS,
    regime: { label: "risk_on", vix: 13, spyClose: 330, spyMa20: 325, spyMa50: 320, spyMa200: 300, votes: 3 },
    seats,
    symbols,
    counts: { screened: rows.length, eligible: eligibleCount },
  };
}

function position(symbol: string, price: number, shares: number): HeldPosition {
  return {
    symbol,
    qty: String(shares),
    avgEntryPrice: price.toFixed(2),
    strategy: "MOMENTUM",
    openedSession: "2020-01-27",
    stopPrice: (price * 0.9).toFixed(2),
    targetPrice: (price * 1.2).toFixed(2),
    review: {
      highestClose: price.toFixed(2),
      entryAtr: price * 0.02,
      weakReviews: 0,
      belowTrend: 0,
      reviewedSession: "2020-01-30",
    },
    protectedQty: String(shares),
  };
}

/** Accounts of every strategy, size and number of holdings. */
function benchAccounts(count: number, market: MarketView): AccountState[] {
  const random = randomFrom(11);
  return Array.from({ length: count }, (_, i) => {
    const equity = (10_000 + 200_000 * random()).toFixed(2);
    const held = market.seats.filter(() => random() < 0.06).map(({ symbol }) => symbol);
    return {
      accountId: `account-${i}`,
      environment: "PAPER",
      status: "ACTIVE",
      hasKeys: true,
      automationOff: null,
      killState: "NONE",
      haltReason: null,
      preferences: {
        strategy: STRATEGY_NAMES[i % 3]!,
        riskTolerance: RISKS[i % 3]!,
        riskLevel: (["MEDIUM", "HIGH", "LOW"] as const)[(i >> 1) % 3]!,
        paperTradingOnly: true,
        defaultOrderSize: "1000",
        maxPositions: 3 + (i % 8),
        maxPositionValue: "2000",
        profitTarget: "5",
        stopLoss: "3",
        checkInterval: 5,
      },
      equity,
      lastEquity: equity,
      cash: equity,
      buyingPower: equity,
      highWaterMark: equity,
      positions: held.map((symbol) => position(symbol, market.symbols[symbol]!.features!.close, 1 + (i % 9))),
      openOrders: [],
      stopOuts: [],
      lossSales: [],
      ordersLastMinute: 0,
      ordersToday: 0,
      dayTrades: 0,
      trips: { strategy: "MOMENTUM", count: 0, unrated: 0, r: [] },
      bookVolatility: null,
    };
  });
}

export interface DecideBench extends Timing {
  accounts: number;
  signals: number;
  orders: number;
}

/** One cycle's decisions for many accounts on one market. */
export function benchDecide(count: number, rounds: number): DecideBench {
  const market = benchMarket();
  const accounts = benchAccounts(count, market);
  let [signals, orders] = [0, 0];
  const timing = measure(rounds, () => {
    [signals, orders] = [0, 0];
    // A session of its own each round: what is worked out once for all accounts is part of the work.
    const session = openSession(market, POLICY_2_9_0);
    for (const state of accounts) {
      const plan = decide(state, market, POLICY_2_9_0, session);
      signals += plan.counts.signals;
      orders += plan.orders.length;
    }
  });
  return { ...timing, accounts: count, signals, orders };
}

/** What is written of one cycle's plans: each as a whole, or by reference to the sheets of its session. */
export function benchPlanTexts(count: number, rounds: number) {
  const market = benchMarket();
  const session = openSession(market, POLICY_2_9_0);
  const decided = benchAccounts(count, market).map(({ preferences, ...state }) => ({
    key: `${preferences.strategy} ${preferences.riskLevel}`,
    plan: decide({ ...state, preferences }, market, POLICY_2_9_0, session),
  }));
  const bytes = { whole: 0, byReference: 0, sheets: 0 };
  const whole = measure(rounds, () => {
    bytes.whole = 0;
    for (const { plan } of decided) bytes.whole += canonicalJson(plan).length;
  });
  const byReference = measure(rounds, () => {
    // Sheets are made anew each round: they are part of the work.
    const sheets = new Map<string, VerdictSheet>();
    const sheetOf = (key: string, plan: Plan) => sheets.get(key) ?? new VerdictSheet(plan);
    bytes.byReference = 0;
    for (const { key, plan } of decided) {
      const sheet = sheetOf(key, plan);
      sheets.set(key, sheet);
      const texts = sheet.write(plan);
      bytes.byReference += texts.plan.length + texts.verdicts.length;
    }
    bytes.sheets = [...sheets.values()].reduce((sum, { text }) => sum + text.length, 0);
  });
  return { whole, byReference, bytes, plans: count };
}
