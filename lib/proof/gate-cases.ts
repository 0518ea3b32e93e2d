/** Changes of the example candidate for each gate of an entry. Only tests import it. */
import type { MarketView, OpenOrderView } from "@/lib/domain/engine/plan.ts";
import type { GateCode } from "@/lib/domain/gates/gates.ts";
import {
  EXAMPLE_TODAY,
  exampleFeatures,
  exampleMarket,
  exampleOrder,
  examplePosition,
  examplePullback,
  exampleSymbol,
  exampleTime,
} from "./example-market.ts";
import type { ExampleChange } from "./example-plan.ts";

interface GateCases {
  passes: ExampleChange[];
  fails: ExampleChange[];
  /** The gate's evidence is taken away: it refuses, too. */
  missing: ExampleChange[];
}

const session = (isOpen: boolean) => ({ ...exampleMarket([], []).session, isOpen });
const freshAt = (hour: number, minute: number): ExampleChange => ({
  market: { at: exampleTime(hour, minute) },
  symbol: { quote: { last: "100", bid: "99.98", ask: "100.02", at: exampleTime(hour, minute) } },
});
const regimeOf = (label: MarketView["regime"]["label"]) => ({ ...exampleMarket([], []).regime, label });
const earnings = (next: string | null, last: string | null = null, isKnown = true): ExampleChange => ({
  symbol: { earnings: { isKnown, next, last } },
});
const estimated = (from: string, to: string): ExampleChange => ({
  symbol: { earnings: { isKnown: true, next: null, last: null, estimate: { from, to } } },
});
const held = (n: number, value = "98", sector = "Energy"): ExampleChange => ({
  account: {
    positions: Array.from({ length: n }, (_, i) =>
      examplePosition(`P${i}`, { qty: "1", protectedQty: "1", avgEntryPrice: value }),
    ),
  },
  others: Array.from({ length: n }, (_, i) =>
    exampleSymbol(`P${i}`, { sector, quote: { last: value, bid: null, ask: null, at: exampleTime(10, 4) } }),
  ),
});
const pullback: ExampleChange = {
  preferences: { strategy: "MEAN_REVERSION" },
  symbol: { features: examplePullback() },
};
const reversion = (sectors: string[], openOrders: OpenOrderView[] = []): ExampleChange => ({
  ...pullback,
  account: {
    openOrders,
    positions: sectors.map((_, i) =>
      examplePosition(`P${i}`, {
        strategy: "MEAN_REVERSION",
        qty: "1",
        protectedQty: "1",
        openedSession: EXAMPLE_TODAY,
      }),
    ),
  },
  others: sectors.map((sector, i) => exampleSymbol(`P${i}`, { sector })),
});

export const GATE_CASES: Record<GateCode, GateCases> = {
  automation_off: { passes: [{}], fails: [{ account: { automationOff: "paused by you" } }], missing: [] },
  kill_state: {
    passes: [{}, { account: { stoppedSymbols: ["BBB"] } }],
    fails: [
      { account: { killState: "NO_NEW_ENTRIES" } },
      { account: { killState: "REDUCE_ONLY" } },
      { account: { killState: "FLATTEN" } },
      { account: { haltReason: "recovery failed" } },
      { account: { stoppedSymbols: ["AAA"] } },
    ],
    missing: [],
  },
  account_status: {
    passes: [{}],
    fails: [{ account: { status: "PAUSED" } }, { account: { status: "INACTIVE" } }],
    missing: [],
  },
  keys_missing: { passes: [{}], fails: [{ account: { hasKeys: false } }], missing: [] },
  live_not_allowed: {
    passes: [{}, { account: { environment: "LIVE" }, preferences: { paperTradingOnly: false } }],
    fails: [{ account: { environment: "LIVE" } }],
    missing: [],
  },
  market_hours: {
    passes: [{}, freshAt(9, 35), freshAt(15, 50)],
    fails: [{ market: { session: session(false) } }, freshAt(9, 34), freshAt(15, 51)],
    missing: [{ market: { session: { ...session(true), closesAt: "" } } }],
  },
  data_stale: {
    passes: [{}],
    fails: [
      { symbol: { quote: { last: "100", bid: null, ask: null, at: exampleTime(9, 49) } } },
      { market: { barsThrough: "2020-01-30" } },
    ],
    missing: [{ symbol: { quote: null } }, { market: { sessions: [] } }],
  },
  provider_disagreement: {
    // The fall of a split that is known is no jump; of a made quote bid and ask are not compared.
    passes: [
      {},
      { symbol: { quote: { last: "100", bid: "101", ask: "100", at: exampleTime(10, 4), isMade: true } } },
      { symbol: { splitToday: "7", quote: { last: "14.3", bid: "14.29", ask: "14.31", at: exampleTime(10, 4) } } },
    ],
    fails: [
      { symbol: { quote: { last: "14.3", bid: "14.29", ask: "14.31", at: exampleTime(10, 4) } } },
      { symbol: { quote: { last: "700", bid: "699.9", ask: "700.1", at: exampleTime(10, 4) } } },
      { symbol: { quarantine: "closes differ by 3 %" } },
      {
        symbol: {
          sources: {
            at: exampleTime(10, 5),
            closes: [],
            quotes: [
              { source: "Practice market", value: "100", at: exampleTime(10, 4) },
              { source: "Finnhub", value: "102", at: exampleTime(10, 4) },
            ],
          },
        },
      },
      { symbol: { quote: { last: "100", bid: "101", ask: "100", at: exampleTime(10, 4) } } },
    ],
    missing: [],
  },
  not_tradable: {
    passes: [{}],
    fails: [{ symbol: { isTradable: false } }, { symbol: { isHalted: true } }],
    missing: [],
  },
  duplicate: {
    passes: [{}, { account: { openOrders: [exampleOrder("BBB")] }, others: [exampleSymbol("BBB")] }],
    fails: [
      { account: { positions: [examplePosition("AAA")] } },
      { account: { positions: [examplePosition("AAA", { strategy: null })] } },
      { account: { openOrders: [exampleOrder("AAA")] } },
      { account: { openOrders: [exampleOrder("AAA", { role: "EXTERNAL" })] } },
    ],
    missing: [],
  },
  earnings_blackout: {
    // 2020-02-03 is a Monday: two sessions before is Wednesday's report, one after is Friday's.
    passes: [
      {},
      earnings("2020-02-06"),
      earnings(null, "2020-01-30"),
      earnings("2020-02-07", "2020-01-30"),
      // Beyond the sessions that are known.
      earnings("2020-09-01"),
      estimated("2020-02-06", "2020-02-20"),
      estimated("2020-01-10", "2020-01-24"),
    ],
    fails: [
      estimated("2020-02-05", "2020-02-19"),
      estimated("2020-01-27", "2020-02-10"),
      estimated("2020-01-20", "2020-02-03"),
      earnings("2020-02-03"),
      earnings("2020-02-04"),
      earnings("2020-02-05"),
      earnings(null, "2020-01-31"),
      earnings(null, "2020-02-01"),
    ],
    missing: [earnings(null, null, false), { market: { sessions: ["2020-02-02"] } }],
  },
  regime: {
    passes: [
      {},
      { market: { regime: regimeOf("neutral") } },
      pullback,
      { ...pullback, market: { regime: regimeOf("risk_off") } },
      { preferences: { strategy: "BREAKOUT" } },
      { preferences: { strategy: "BREAKOUT" }, market: { regime: regimeOf("neutral") } },
      { preferences: { riskLevel: "LOW" } },
    ],
    fails: [
      { market: { regime: regimeOf("risk_off") } },
      { preferences: { riskLevel: "LOW" }, market: { regime: regimeOf("neutral") } },
      { ...pullback, market: { regime: { ...regimeOf("risk_on"), spyClose: 299 } } },
      {
        preferences: { strategy: "BREAKOUT" },
        market: { regime: regimeOf("neutral") },
        symbol: { features: exampleFeatures({ high55Prior: 100.5 }) },
      },
      { preferences: { strategy: "BREAKOUT" }, market: { regime: regimeOf("risk_off") } },
    ],
    missing: [{ ...pullback, market: { regime: { ...regimeOf("risk_on"), spyMa200: null } } }],
  },
  conviction: {
    passes: [
      {},
      { seat: { composite: 45 } },
      { preferences: { riskLevel: "HIGH" }, seat: { composite: 35 } },
      { seat: { sentiment: null } },
    ],
    fails: [
      { seat: { composite: 44.9 } },
      { preferences: { riskLevel: "LOW" }, seat: { composite: 64.9 } },
      { seat: { technical: 54, sentiment: 54 } },
      { seat: { sentiment: null, liquidity: 54 } },
    ],
    missing: [],
  },
  max_positions: {
    passes: [
      held(9),
      reversion(["A", "B", "C", "D"]),
      // A purchase of another strategy or of the owner is none of mean reversion, and one that is partly filled is one.
      reversion(["A", "B", "C", "D"], [exampleOrder("O1"), exampleOrder("O2", { strategy: null })]),
      reversion(["A", "B", "C", "D"], [exampleOrder("P0", { strategy: "MEAN_REVERSION", filledQty: "1" })]),
    ],
    fails: [
      held(10),
      { account: { openOrders: Array.from({ length: 10 }, (_, i) => exampleOrder(`O${i}`, { qty: "0.1" })) } },
      reversion(["A", "B", "C", "D", "E"]),
      reversion(["A", "B", "C", "D"], [exampleOrder("O1", { strategy: "MEAN_REVERSION" })]),
    ],
    missing: [],
  },
  position_value: {
    passes: [{}, { preferences: { maxPositionValue: "101" } }],
    fails: [{ preferences: { maxPositionValue: "100" } }, { account: { equity: "1200" } }],
    missing: [{ symbol: { quote: null } }],
  },
  sector: {
    passes: [{}, held(1, "30000", "Energy"), reversion(["Information Technology"])],
    fails: [
      held(1, "24950", "Information Technology"),
      reversion(["Information Technology", "Information Technology"]),
      held(1, "24950", ""),
    ],
    missing: [{ symbol: { quote: null } }],
  },
  gross: {
    passes: [held(1, "59000"), {}],
    fails: [held(1, "99950"), { ...held(1, "59950"), market: { regime: regimeOf("neutral") } }],
    missing: [{ symbol: { quote: null } }],
  },
  adv: {
    passes: [{}],
    fails: [{ symbol: { features: exampleFeatures({ adv20: 9_000 }) } }],
    missing: [{ symbol: { features: exampleFeatures({ adv20: null }) } }],
  },
  price_collar: {
    passes: [{}, { symbol: { quote: { last: "100", bid: "99", ask: "102.48", at: exampleTime(10, 4) } } }],
    fails: [{ symbol: { quote: { last: "100", bid: "99", ask: "103", at: exampleTime(10, 4) } } }],
    missing: [{ symbol: { quote: null } }],
  },
  order_rate: {
    passes: [{ account: { ordersLastMinute: 19 } }],
    fails: [{ account: { ordersLastMinute: 20 } }, { account: { ordersToday: 200 } }],
    missing: [],
  },
  daily_loss: {
    passes: [{ account: { lastEquity: "103000" } }],
    fails: [{ account: { equity: "96990", highWaterMark: "97000" } }, { account: { lastEquity: "110000" } }],
    missing: [{ account: { lastEquity: "0" } }],
  },
  drawdown: {
    passes: [{ account: { highWaterMark: "111000" } }],
    fails: [{ account: { highWaterMark: "112000" } }, { account: { highWaterMark: "120000" } }],
    missing: [{ account: { highWaterMark: "0" } }],
  },
  cooldown: {
    // Six sessions back is 24 January.
    passes: [
      {},
      { account: { stopOuts: [{ symbol: "AAA", session: "2020-01-24" }] } },
      { account: { stopOuts: [{ symbol: "BBB", session: "2020-02-03" }] } },
      { account: { soldByHand: ["BBB"], refusedByBroker: ["BBB"] } },
    ],
    fails: [
      { account: { soldByHand: ["AAA"] } },
      { account: { refusedByBroker: ["AAA"] } },
      { account: { soldByHand: ["AAA"], stopOuts: [{ symbol: "AAA", session: "2020-01-24" }] } },
      { account: { stopOuts: [{ symbol: "AAA", session: "2020-01-27" }] } },
      { account: { stopOuts: [{ symbol: "AAA", session: "2020-02-03" }] } },
      // The latest of them counts.
      { account: { stopOuts: ["2020-01-10", "2020-01-31"].map((session) => ({ symbol: "AAA", session })) } },
    ],
    missing: [{ account: { stopOuts: [{ symbol: "AAA", session: "2020-01-02" }] }, market: { sessions: [] } }],
  },
  stop_guard: {
    passes: [
      {},
      { account: { stopOuts: ["2020-01-30", "2020-01-31"].map((day) => ({ symbol: "B", session: day })) } },
      {
        account: { stopOuts: ["2020-01-21", "2020-01-22", "2020-01-24"].map((day) => ({ symbol: "B", session: day })) },
      },
      // Eleven sessions are more than the window of ten.
      {
        account: { stopOuts: ["2020-01-17", "2020-01-30", "2020-01-31"].map((day) => ({ symbol: "B", session: day })) },
      },
    ],
    fails: [
      {
        account: { stopOuts: ["2020-01-21", "2020-01-22", "2020-01-27"].map((day) => ({ symbol: "B", session: day })) },
      },
      {
        account: { stopOuts: ["2020-02-03", "2020-02-03", "2020-02-03"].map((day) => ({ symbol: "B", session: day })) },
      },
      {
        account: { stopOuts: ["2020-01-20", "2020-01-30", "2020-01-31"].map((day) => ({ symbol: "B", session: day })) },
      },
    ],
    missing: [{ account: { stopOuts: [{ symbol: "B", session: "2020-01-31" }] }, market: { sessions: [] } }],
  },
  buying_power: {
    passes: [
      {},
      { account: { buyingPower: "2550" } },
      // What the broker holds back for it is not in its buying power any more.
      { account: { buyingPower: "2550", openOrders: [exampleOrder("BBB")] }, others: [exampleSymbol("BBB")] },
    ],
    fails: [
      { account: { buyingPower: "2050" } },
      {
        account: { buyingPower: "3000", openOrders: [exampleOrder("BBB", { isUnconfirmed: true })] },
        others: [exampleSymbol("BBB")],
      },
    ],
    missing: [{ symbol: { quote: null } }],
  },
  day_trades: { passes: [{ account: { dayTrades: 2 } }], fails: [], missing: [] },
  wash_sale: { passes: [{}], fails: [], missing: [] },
  size: {
    passes: [{}],
    fails: [
      { preferences: { defaultOrderSize: "100" } },
      { symbol: { quote: { last: "100", bid: "95", ask: "100", at: exampleTime(10, 4) } } },
    ],
    missing: [
      { symbol: { features: exampleFeatures({ sigma60: null }) } },
      { symbol: { features: exampleFeatures({ atr14: null }) } },
    ],
  },
};
