import { describe, expect, it } from "vitest";
import type { SeverityName } from "./enums.ts";
import {
  daysTone,
  daysUntil,
  daysLabel,
  distanceLabel,
  earningsTimeText,
  marginText,
  passRate,
  passRateTone,
  QA_FILTERS,
  QA_ORDERS,
  reasonsText,
  REGIME_LABELS,
  RISK_LEVELS,
  SEAT_ORDERS,
  vixLabel,
  volumeTone,
  WATCH_ORDERS,
} from "./selector-labels.ts";

describe("the market regime", () => {
  it("is green, red or yellow, and points up, down or nowhere", () => {
    expect(Object.entries(REGIME_LABELS).map(([name, { direction, tone }]) => [name, direction, tone])).toEqual([
      ["risk_on", "Up", "gain"],
      ["risk_off", "Down", "loss"],
      ["neutral", "Flat", "warn"],
    ]);
  });

  it.each([
    [40, "High Volatility (Risk-Off)", "loss"],
    [25.01, "High Volatility (Risk-Off)", "loss"],
    [25, "Moderate", "warn"],
    [20, "Moderate", "warn"],
    [15, "Moderate", "warn"],
    [14.99, "Low Volatility (Risk-On)", "gain"],
    [9, "Low Volatility (Risk-On)", "gain"],
    [null, "Not known", null],
  ])("a VIX of %s is called %s", (vix, label, tone) => expect(vixLabel(vix)).toEqual({ label, tone }));

  it.each([
    [101.25, 100, { text: "1.25% above", tone: "gain" }],
    [99.6, 100, { text: "0.40% below", tone: "loss" }],
    [100, 100, { text: "0.00%", tone: null }],
    [100.004, 100, { text: "0.00%", tone: null }],
    [null, 100, null],
    [100, null, null],
    [100, 0, null],
  ])("SPY at %s against an average of %s", (close, average, expected) =>
    expect(distanceLabel(close, average)).toEqual(expected),
  );
});

describe("seats", () => {
  it.each([
    [[], ""],
    [["one"], "one"],
    [["one", "two"], "one, two"],
    [["one", "two", "three"], "one, two…"],
    [["one", "two", "three", "four"], "one, two…"],
  ])("of the reasons %o two are shown", (reasons, text) => expect(reasonsText(reasons)).toBe(text));

  const seats = [
    { symbol: "DDD", sector: "Energy", compositeScore: 60, freshOrSticky: "sticky" as const },
    { symbol: "CCC", sector: "Utilities", compositeScore: 80, freshOrSticky: "fresh" as const },
    { symbol: "BBB", sector: "Energy", compositeScore: 90, freshOrSticky: "fresh" as const },
    { symbol: "AAA", sector: "Energy", compositeScore: 60, freshOrSticky: "sticky" as const },
  ];
  it.each([
    ["composite", ["BBB", "CCC", "AAA", "DDD"]],
    ["sector", ["BBB", "AAA", "DDD", "CCC"]],
    ["type", ["BBB", "CCC", "AAA", "DDD"]],
  ] as const)("order by %s", (order, symbols) =>
    expect(seats.toSorted(SEAT_ORDERS[order]).map(({ symbol }) => symbol)).toEqual(symbols),
  );
});

describe("the earnings watchlist", () => {
  it.each([
    ["2020-02-28", "2020-02-28", 0, "Today", "loss"],
    ["2020-02-28", "2020-02-29", 1, "Tomorrow", "loss"],
    ["2020-02-28", "2020-03-01", 2, "2 days", "warn"],
    ["2020-02-28", "2020-03-02", 3, "3 days", "warn"],
    ["2020-02-28", "2020-03-03", 4, "4 days", "gain"],
    // Across the change to summer time.
    ["2020-03-06", "2020-03-16", 10, "10 days", "gain"],
    ["2020-02-28", "2020-02-27", -1, "Yesterday", "loss"],
    ["2020-02-28", "2020-02-25", -3, "3 days ago", "loss"],
  ])("on %s a report on %s", (today, date, days, label, tone) => {
    expect(daysUntil(today, date)).toBe(days);
    expect(daysLabel(days)).toBe(label);
    expect(daysTone(days)).toBe(tone);
  });

  it.each([
    [2.01, "loss"],
    [2, "warn"],
    [1.51, "warn"],
    [1.5, "gain"],
    [0, "gain"],
  ])("a volume ratio of %s is %s", (ratio, tone) => expect(volumeTone(ratio)).toBe(tone));

  it.each([
    ["BMO", "AM"],
    ["AMC", "PM"],
    ["UNKNOWN", "PM"],
    ["", "PM"],
  ])("%s is shown as %s", (time, text) => expect(earningsTimeText(time)).toBe(text));

  it("calls risks low, medium and high, in green, yellow and red", () => {
    expect(Object.values(RISK_LEVELS).map(({ label, tone }) => [label, tone])).toEqual([
      ["Low", "gain"],
      ["Medium", "warn"],
      ["High", "loss"],
    ]);
  });

  const row = (
    symbol: string,
    earningsDate: string,
    earningsTime: string,
    riskLevel: keyof typeof RISK_LEVELS,
    upside: number | null,
  ) => ({
    symbol,
    earningsDate,
    earningsTime,
    riskLevel,
    upside,
  });
  const rows = [
    row("AAA", "2020-02-10", "AMC", "HIGH", 0.1),
    row("BBB", "2020-02-06", "AMC", "MEDIUM", null),
    row("CCC", "2020-02-06", "BMO", "HIGH", -0.05),
    row("DDD", "2020-02-12", "BMO", "LOW", 0.02),
  ];
  it.each([
    ["date", ["CCC", "BBB", "AAA", "DDD"]],
    ["risk", ["DDD", "BBB", "CCC", "AAA"]],
    ["upside", ["AAA", "DDD", "CCC", "BBB"]],
  ] as const)("orders by %s", (order, symbols) =>
    expect(rows.toSorted(WATCH_ORDERS[order]).map(({ symbol }) => symbol)).toEqual(symbols),
  );
});

describe("QA", () => {
  it.each([
    [6, 6, 100, "gain"],
    [9, 10, 90, "gain"],
    [899, 1000, 89.9, "warn"],
    [7, 10, 70, "warn"],
    [699, 1000, 69.9, "loss"],
    [0, 6, 0, "loss"],
  ])("%s of %s passed", (passed, total, percent, tone) => {
    expect(passRate(passed, total)).toBeCloseTo(percent, 9);
    expect(passRateTone(passRate(passed, total) ?? Number.NaN)).toBe(tone);
  });
  it("without a rule there is no pass rate", () => expect(passRate(0, 0)).toBeNull());

  const result = (ruleId: string, severity: SeverityName, passed: boolean, hour: number) => ({
    ruleId,
    severity,
    passed,
    timestamp: `2020-02-03T${hour}:00:00.000Z`,
  });
  const results = [
    result("d", "low", false, 12),
    result("c", "critical", true, 11),
    result("b", "critical", false, 13),
    result("a", "medium", true, 12),
    result("e", "high", false, 12),
  ];
  const rules = (rows: typeof results) => rows.map(({ ruleId }) => ruleId).join("");
  it.each([
    ["severity", "bcead"],
    ["timestamp", "badec"],
    ["rule", "abcde"],
  ] as const)("orders by %s", (order, expected) => expect(rules(results.toSorted(QA_ORDERS[order]))).toBe(expected));
  it.each([
    ["all", "dcbae"],
    ["passed", "ca"],
    ["failed", "dbe"],
    ["critical", "b"],
  ] as const)("shows %s", (filter, expected) => expect(rules(results.filter(QA_FILTERS[filter]))).toBe(expected));

  it.each([
    ["allocation", 0.02, "+2.0% of equity"],
    ["allocation", -0.0104, "−1.0% of equity"],
    ["swap_limits", 5, "+5 swaps"],
    ["swap_limits", 1, "+1 swap"],
    ["swap_limits", 0, "0 swaps"],
    ["promotion_quality", -0.04, "−0.04 points"],
    ["conviction_gates", 2e-16, "0.000 of confidence"],
    ["promotion_quality", -2.5, "−2.5 points"],
    ["conviction_gates", 0.012, "+0.012 of confidence"],
    ["fast_track_events", 2, "+2 events"],
    ["sector_quotas", -1, "−1 seat"],
    ["some_rule", 0.5, "+0.50"],
    ["allocation", null, "—"],
  ])("the margin of %s of %s reads %s", (ruleId, margin, text) => expect(marginText(ruleId, margin)).toBe(text));
});
