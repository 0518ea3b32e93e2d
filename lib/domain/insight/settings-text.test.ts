import { describe, expect, it } from "vitest";
import { RISKS, STRATEGY_NAMES } from "../enums.ts";
import { convictionLine } from "../gates/conviction.ts";
import { type Policy, POLICY_2_9_0, POLICY_FIELDS } from "../policy.ts";
import { withPolicyFields } from "../policy-changes.ts";
import { conditionsOf } from "../strategies/signal.ts";
import { STRATEGIES } from "../strategies/strategies.ts";
import { orderSizeText } from "./order-size-text.ts";
import { accountLabel, levelText, toleranceText } from "./settings-text.ts";

const textOf = (strategy: (typeof STRATEGY_NAMES)[number], policy: Policy) => {
  const { does, trades, holds, struggles } = STRATEGIES[strategy].describe(policy);
  return [...does, trades, holds, struggles].join(" ");
};

function changed(fields: Record<string, number>): Policy {
  const next = withPolicyFields(POLICY_2_9_0, fields);
  if (!next.ok) throw new Error(JSON.stringify(next.issues));
  return next.policy;
}

/** A policy's number, what of it stands in the words, and another value with what stands there then. */
const NUMBERS: [(typeof STRATEGY_NAMES)[number], string, string, number, string][] = [
  ["MOMENTUM", "signals_confidence.momentum_enter_percentile", "ahead of that of 80% of the market", 90, "90% of"],
  ["MOMENTUM", "signals_confidence.momentum_high_distance", "at most 25% below their 52-week high", 0.1, "most 10% b"],
  [
    "MOMENTUM",
    "signals_confidence.momentum_keep_percentile",
    "falls behind that of 40% of the market",
    70,
    "of 30% of",
  ],
  ["MOMENTUM", "exits.momentum_trail_atr", "closes more than 3 usual daily ranges", 4, "than 4 usual"],
  ["MOMENTUM", "exits.trend_closes", "200-day average, 2 sessions in a row", 3, "average, 3 sessions in a row"],
  ["MOMENTUM", "exits.momentum_weak_reviews", "the market, 2 sessions in a row", 3, "the market, 3 sessions"],
  ["MEAN_REVERSION", "signals_confidence.reversion_rsi", "RSI over 2 days below 10", 5, "below 5."],
  ["MEAN_REVERSION", "signals_confidence.reversion_min_adv", "at least $50 million a day", 80e6, "$80 million"],
  ["MEAN_REVERSION", "signals_confidence.reversion_limit_atr", "Bids 0.25 of a usual", 0.5, "Bids 0.5 of"],
  ["MEAN_REVERSION", "signals_confidence.reversion_size", "half the size of an order", 0.4, "0.4 times the size of an"],
  [
    "MEAN_REVERSION",
    "signals_confidence.reversion_max_positions",
    "at most 5 positions at once",
    4,
    "most 4 positions",
  ],
  ["MEAN_REVERSION", "signals_confidence.reversion_max_sector", "and 2 in a sector", 3, "and 3 in a"],
  ["MEAN_REVERSION", "exits.reversion_exit_rsi", "RSI over 2 days closes above 70", 80, "closes above 80"],
  ["MEAN_REVERSION", "exits.reversion_time_sessions", "after 7 sessions at the latest", 9, "after 9 sessions"],
  ["BREAKOUT", "signals_confidence.breakout_volume_ratio", "at least 1.5 times its usual volume", 2, "least 2 times"],
  ["BREAKOUT", "signals_confidence.breakout_high_fraction", "at 95% of its 52-week high", 0.9, "at 90% of"],
  ["BREAKOUT", "exits.breakout_trail_from_r", "closed 4 usual daily ranges", 3, "closed 6 usual"],
  ["BREAKOUT", "exits.breakout_trail_atr", "follows 3 below its highest close", 4, "follows 4 below"],
  ["BREAKOUT", "exits.breakout_time_sessions", "Sold after 10 sessions", 12, "after 12 sessions"],
  ["BREAKOUT", "exits.breakout_time_r", "it has closed 2 usual daily ranges", 2, "it has closed 4 usual"],
];

describe("the words of a strategy say the policy's own numbers", () => {
  it("one position or session is told in the singular", () => {
    const { signals_confidence, exits } = POLICY_2_9_0;
    const policy = {
      ...POLICY_2_9_0,
      signals_confidence: { ...signals_confidence, reversion_max_positions: 1 },
      exits: { ...exits, reversion_time_sessions: 1, breakout_time_sessions: 1 },
    };
    expect(textOf("MEAN_REVERSION", policy)).toMatch(/at most 1 position at once.*after 1 session at the latest/s);
    expect(textOf("BREAKOUT", policy)).toContain("Sold after 1 session unless");
  });

  it.each(NUMBERS)("%s: %s", (strategy, path, said, value, saidThen) => {
    expect(textOf(strategy, POLICY_2_9_0)).toContain(said);
    expect(textOf(strategy, changed({ [path]: value }))).toContain(saidThen);
  });

  it("a number of another policy leaves none of the first one's behind: all of them are in the table", () => {
    for (const strategy of STRATEGY_NAMES) {
      const listed = new Set(NUMBERS.filter(([of]) => of === strategy).map(([, path]) => path));
      for (const { section, key, default: value, min, max } of POLICY_FIELDS) {
        const path = `${section}.${key}`;
        const other = [value + 1, value - 1, value * 1.5, value / 2].find((each) => each >= min && each <= max);
        if (other === undefined || listed.has(path)) continue;
        const policy = structuredClone(POLICY_2_9_0);
        (policy[section] as Record<string, number>)[key] = other;
        const isStop = path === "exits.breakout_stop_atr" && strategy === "BREAKOUT";
        expect(textOf(strategy, policy) === textOf(strategy, POLICY_2_9_0), path).toBe(!isStop);
      }
    }
  });
});

it("windows of days in the words are those that the code computes", () => {
  // Names of features; a rule that reads another window reads another feature.
  const read = (strategy: (typeof STRATEGY_NAMES)[number]) => {
    const names = new Set<string>();
    const features = new Proxy({}, { get: (_, name) => (names.add(String(name)), 1) }) as never;
    const seat = { momentumPercentile: 1 } as never;
    conditionsOf(STRATEGIES[strategy].signal, { seat, features, policy: POLICY_2_9_0 });
    STRATEGIES[strategy].exit({ belowTrend: 0, weakReviews: 0 } as never, features, POLICY_2_9_0);
    return [...names];
  };
  expect(textOf("MOMENTUM", POLICY_2_9_0)).toMatch(/6 and 12 months.*52-week high.*200-day average/);
  expect(read("MOMENTUM")).toEqual(expect.arrayContaining(["sma200", "momentum12", "high252"]));
  expect(textOf("MEAN_REVERSION", POLICY_2_9_0)).toMatch(/200-day average.*RSI over 2 days.*5-day average/);
  expect(read("MEAN_REVERSION")).toEqual(expect.arrayContaining(["sma200", "rsi2", "sma5", "adv20"]));
  expect(textOf("BREAKOUT", POLICY_2_9_0)).toMatch(/20 sessions before.*52-week.*55-session high.*10 sessions before/);
  expect(read("BREAKOUT")).toEqual(expect.arrayContaining(["high20Prior", "high252", "volumeRatio", "low10Prior"]));
});

it("what a strategy is told to buy nothing in is what its regime refuses", () => {
  const regime = (label: "risk_on" | "neutral" | "risk_off", spyClose: number) =>
    ({ label, spyClose, spyMa200: 100 }) as never;
  const allows = (strategy: (typeof STRATEGY_NAMES)[number], of: never, features: object | null = null) =>
    STRATEGIES[strategy].regime({ regime: of, word: "", features: features as never }).isAllowed;
  expect(allows("MOMENTUM", regime("risk_off", 110))).toBe(false);
  expect(allows("MOMENTUM", regime("neutral", 90))).toBe(true);
  expect(allows("MEAN_REVERSION", regime("risk_on", 100))).toBe(false);
  expect(allows("MEAN_REVERSION", regime("risk_off", 101))).toBe(true);
  expect(allows("BREAKOUT", regime("risk_off", 110), { close: 2, high55Prior: 1 })).toBe(false);
  expect(allows("BREAKOUT", regime("neutral", 110), { close: 2, high55Prior: 1 })).toBe(true);
  expect(allows("BREAKOUT", regime("neutral", 110), { close: 1, high55Prior: 1 })).toBe(false);
});

it("Risk Tolerance and Risk Level say the numbers that they set", () => {
  expect(RISKS.map((risk) => toleranceText(risk, POLICY_2_9_0))).toEqual([
    "How much per trade: an order aims at 0.5 times your Default Order Size.",
    "How much per trade: an order aims at your Default Order Size.",
    "How much per trade: an order aims at 1.5 times your Default Order Size.",
  ]);
  expect(RISKS.map((risk) => levelText(risk, POLICY_2_9_0))).toEqual([
    "How choosy: a stock needs a score of at least 80 of 100, and is bought only while the market is calm and rising.",
    "How choosy: a stock needs a score of at least 70 of 100.",
    "How choosy: a stock needs a score of at least 65 of 100.",
  ]);
  const strict = changed({ "signals_confidence.min_confidence": 0.6, "portfolio_limits.tolerance_high": 2 });
  expect(levelText("LOW", strict)).toContain(
    `score of at least ${Math.round(100 * convictionLine({ preferences: { riskLevel: "LOW" } }, strict))} of 100`,
  );
  expect(toleranceText("HIGH", strict)).toContain("2 times your Default Order Size");
});

const practice = { equity: 100_000, label: accountLabel({ environment: "PRACTICE", isOneOfSeveral: false }) };

it.each([
  [2_000, 8_000, practice, "$2,000.00 is 25% of your Max Position Value and 2% of your practice account."],
  [1_000, 1_000, null, "$1,000.00 is 100% of your Max Position Value."],
  [9_000, 8_000, practice, "$9,000.00 is 9% of your practice account."],
  [9_000, 8_000, null, ""],
  [
    10,
    100_000,
    practice,
    "$10.00 is less than 0.1% of your Max Position Value and less than 0.1% of your practice account.",
  ],
  [1_250, Number.NaN, practice, "$1,250.00 is 1.3% of your practice account."],
  [Number.NaN, 8_000, practice, ""],
  [0, 8_000, practice, ""],
])("a Default Order Size of %d under %d beside the account", (size, most, account, words) => {
  expect(orderSizeText(size, most, account)).toBe(words);
});

it("an account is named by its kind of money, and as one of several where there are more", () => {
  expect(accountLabel({ environment: "LIVE", isOneOfSeveral: false })).toBe("your live account");
  expect(accountLabel({ environment: "PAPER", isOneOfSeveral: true })).toBe("one of your paper accounts");
});
