/** Gates of the engine and rules of the protocol that are wrong in one place each; the tests named beside them must fail. */
import type { SourceMutant } from "./source-mutants.ts";

const GATES = "lib/domain/gates/gates.test.ts";
const PROTOCOL = "lib/domain/protocol/protocol.test.ts";

type Change = [find: string, replace: string];

const gate = (name: string, file: string, [find, replace]: Change, test: string): SourceMutant => ({
  name,
  file: file === "limits.ts" ? `lib/domain/risk/${file}` : `lib/domain/gates/${file}`,
  find,
  replace,
  project: "unit",
  testFile: GATES,
  test,
});
const rule = (name: string, file: string, [find, replace]: Change, test: string): SourceMutant => ({
  name,
  file: `lib/domain/protocol/${file}`,
  find,
  replace,
  project: "unit",
  testFile: PROTOCOL,
  test,
});

export const RISK_MUTANTS: readonly SourceMutant[] = [
  gate("cooldown-a-session-short", "cooldown.ts", ["since - wait - 1", "since - wait"], "cooldown"),
  gate("cooldown-from-the-oldest", "cooldown.ts", ["(a > b ? a : b)", "(a < b ? a : b)"], "cooldown"),
  gate(
    "stop-guard-window-too-wide",
    "stop-guard.ts",
    ["oldest - age < window", "oldest - age <= window"],
    "stop_guard",
  ),
  gate("stop-guard-a-session-short", "stop-guard.ts", ["since - pause - 1,", "since - pause,"], "stop_guard"),
  gate(
    "day-trades-one-too-many",
    "day-trades.ts",
    ["day_trade_warn - 1 - state.dayTrades", "day_trade_warn - state.dayTrades"],
    "day trades and a possible wash sale warn",
  ),
  gate(
    "orders-one-too-many",
    "order-rate.ts",
    ["max_orders_per_day - day) - 1", "max_orders_per_day - day)"],
    "order_rate",
  ),
  gate("orders-of-the-day-not-counted", "order-rate.ts", ["Math.min(max_orders", "Math.max(max_orders"], "order_rate"),
  gate(
    "positions-one-too-many",
    "max-positions.ts",
    ["maxPositions - book.symbols.size - 1", "maxPositions - book.symbols.size"],
    "max_positions",
  ),
  gate("reversions-one-too-many", "max-positions.ts", ["most - open - 1", "most - open"], "max_positions"),
  gate("daily-loss-twice-the-line", "daily-loss.ts", ["change + limit", "change + 2 * limit"], "daily_loss"),
  gate("drawdown-hard-line-alone", "drawdown.ts", ["drawdown_soft - depth", "drawdown_hard - depth"], "drawdown"),
  gate(
    "wash-sale-a-day-short",
    "wash-sale.ts",
    ["sale.session >= from", "sale.session > from"],
    "day trades and a possible wash sale warn",
  ),
  gate(
    "earnings-a-session-early",
    "earnings-blackout.ts",
    ["until - before - 1", "until - before"],
    "earnings_blackout",
  ),
  gate("earnings-a-session-late", "earnings-blackout.ts", ["since - after - 1", "since - after"], "earnings_blackout"),
  gate("sector-one-too-many", "sector.ts", ["open >= most", "open > most"], "sector"),
  gate("unknown-sectors-not-counted", "limits.ts", [".plus(book.unknownSector)", ""], "sector"),
  gate(
    "buys-in-flight-not-counted",
    "limits.ts",
    ["amounts.buyingPower.minus(unreserved)", "amounts.buyingPower"],
    "buying_power",
  ),
  gate(
    "weak-families-enough",
    "conviction.ts",
    ["families >= needed ? margin : Math.min", "families >= 0 ? margin : Math.min"],
    "conviction",
  ),
  gate(
    "bars-a-session-older",
    "data-stale.ts",
    ["if (lag > max_bar_lag_sessions)", "if (lag > max_bar_lag_sessions + 1)"],
    "data_stale",
  ),
  gate("buy-in-flight-not-seen", "duplicate.ts", ["bought.has(symbol)", "held.has(symbol)"], "duplicate"),
  gate(
    "collar-twice-as-wide",
    "price-collar.ts",
    ["price_collar - distance", "2 * price_collar - distance"],
    "price_collar",
  ),
  rule(
    "sale-keeps-its-rest-longer",
    "protecting.ts",
    ["waitedMs >= FILLING_MS", "waitedMs > FILLING_MS"],
    "waits for an open sale for a while",
  ),
  rule(
    "shares-kept-for-a-lost-sale",
    "protecting.ts",
    ["waitedMs < SUBMIT_DEADLINE_MS || mayBeThere", "waitedMs < SUBMIT_DEADLINE_MS"],
    "waits for the answer of a sale",
  ),
  rule(
    "fewer-reserved-is-proof",
    "protecting.ts",
    ["Math.abs(reserved - inOurBooks) >= 1", "reserved - inOurBooks >= 1"],
    "shares that the broker reserves beside our books",
  ),
  rule(
    "lists-without-overlap",
    "watermark.ts",
    ["watermarkMs - WATERMARK_OVERLAP_MS", "watermarkMs"],
    "lists are read again",
  ),
  rule(
    "older-news-applied",
    "report.ts",
    ["isOlder && !isTerminal(reported)", "isOlder && isTerminal(reported)"],
    "an older report changes no order",
  ),
  rule(
    "renewed-by-another-sender",
    "mark.ts",
    ['status === "SUBMITTING" && submitEpoch === epoch', 'status === "SUBMITTING"'],
    "a mark is renewed by its own sender only",
  ),
  {
    ...rule(
      "writer-epoch-ignored",
      "",
      ["account.writerEpoch !== epoch", "account.writerEpoch < epoch"],
      "protection of bare shares passes",
    ),
    file: "lib/server/services/orders/refusal-to-send.ts",
    testFile: "lib/server/services/orders/refusal-to-send.test.ts",
  },
  {
    ...rule(
      "protection-may-buy",
      "",
      ['isProtective && side === "SELL" &&', "isProtective &&"],
      "protection of bare shares passes",
    ),
    file: "lib/server/services/orders/refusal-to-send.ts",
    testFile: "lib/server/services/orders/refusal-to-send.test.ts",
  },
  {
    ...rule(
      "everything-sold-although-taken-back",
      "",
      [
        'leg.purpose === "FLATTEN" && !isFlattening(switches)',
        'leg.purpose === "FLATTEN" && switches.account === null',
      ],
      "what is sold because everything is to be sold",
    ),
    file: "lib/server/services/orders/refusal-to-send.ts",
    testFile: "lib/server/services/orders/refusal-to-send.test.ts",
  },
  {
    ...rule(
      "split-sold-through-its-old-stop",
      "other-shares.ts",
      ["isUnread || isSplit", "isUnread && isSplit"],
      "sells nothing",
    ),
    testFile: "lib/domain/protocol/other-shares.test.ts",
  },
  {
    ...rule("more-protected-than-free", "", ["least(bare, available)", "bare"], "is asked to protect no more"),
    file: "lib/domain/protection.ts",
    testFile: "lib/domain/protection.test.ts",
  },
];
