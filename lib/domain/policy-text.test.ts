import { describe, expect, it } from "vitest";
import { POLICY_FIELDS, POLICY_SECTIONS } from "./policy.ts";
import {
  POLICY_SECTION_TEXT,
  policyBoundsText,
  policyFieldTitle,
  policyValueText,
  whatIfHeadline,
  whatIfSentences,
} from "./policy-text.ts";

const SIDE = { entries: 0, exits: 0, turnover: 0.2, costs: 10, qaFailures: {}, qaDecisions: 0 };
const none = { count: 0 };
const SAME = {
  environment: "PRACTICE",
  decisions: 8,
  decisionsChanged: 0,
  entriesAdded: none,
  entriesRemoved: none,
  sizesChanged: none,
  exitsAdded: none,
  exitsRemoved: none,
  recorded: SIDE,
  draft: SIDE,
  accounts: [],
};

describe("the policy in words", () => {
  it("every section and every field has a title of its own in its section, without underscores", () => {
    expect(Object.keys(POLICY_SECTION_TEXT)).toEqual(POLICY_SECTIONS);
    const titles = POLICY_FIELDS.map(({ section, key }) => `${section} ${policyFieldTitle(key)}`);
    expect(new Set(titles).size).toBe(POLICY_FIELDS.length);
    for (const { key } of POLICY_FIELDS) expect(policyFieldTitle(key)).toMatch(/^[A-Z][^_]*$/);
    expect(policyFieldTitle("exits.momentum_stop_atr")).toBe("Momentum stop ATR");
  });

  it.each([
    [100, "USD", "$100.00"],
    [1, "switch", "On"],
    [0, "switch", "Off"],
    [0.45, "fraction", "0.45"],
    [1.2815515655446004, "standard deviations", "1.281552 standard deviations"],
    [20_000, "bars", "20,000 bars"],
    [40, "rank", "40"],
    [-0.04, "fraction", "-0.04"],
  ])("%s %s reads %s", (value, unit, text) => {
    expect(policyValueText(value, unit)).toBe(text);
  });

  it("bounds name both ends; a switch has two states", () => {
    expect(policyBoundsText({ min: 1, max: 20, unit: "closes" })).toBe("1 to 20");
    expect(policyBoundsText({ min: 0, max: 1e9, unit: "USD" })).toBe("$0.00 to $1,000,000,000.00");
    expect(policyBoundsText({ min: 0, max: 1, unit: "switch" })).toBe("On or off");
  });
});

describe("a what-if in words", () => {
  it("says what was compared, and that nothing was where nothing is recorded", () => {
    const report = {
      cycles: 2,
      from: "2020-02-03T15:00:00.000Z",
      to: "2020-02-04T15:00:00.000Z",
      environments: [SAME],
    };
    expect(whatIfHeadline(report)).toBe("8 decisions in 2 cycles from 3 Feb 2020 to 4 Feb 2020 were made again.");
    const one = { ...report, cycles: 1, to: report.from, environments: [{ ...SAME, decisions: 1 }] };
    expect(whatIfHeadline(one)).toBe("1 decision in 1 cycle of 3 Feb 2020 was made again.");
    expect(whatIfHeadline({ cycles: 0, from: null, to: null, environments: [] })).toContain("Nothing was compared");
  });

  it("tells the days of each market apart: their clocks may be years apart", () => {
    const [practice, us] = [SAME, { ...SAME, environment: "PAPER", decisions: 5 }];
    const [from, to, now] = ["2020-02-03T15:00:00.000Z", "2020-02-04T15:00:00.000Z", "2026-11-27T15:00:00.000Z"];
    const markets = [
      { market: "US", cycles: 1, from: now, to: now },
      { market: "PRACTICE", cycles: 2, from, to },
    ] as const;
    expect(whatIfHeadline({ cycles: 3, markets, environments: [us, practice] })).toBe(
      "5 decisions in 1 cycle of the US market of 27 Nov 2026 and 8 decisions in 2 cycles of the practice market from 3 Feb 2020 to 4 Feb 2020 were made again.",
    );
    expect(whatIfHeadline({ cycles: 2, markets: [markets[1]], environments: [practice] })).toBe(
      "8 decisions in 2 cycles from 3 Feb 2020 to 4 Feb 2020 were made again.",
    );
    // A report from before they were told apart: its days are of both clocks.
    expect(whatIfHeadline({ cycles: 3, from, to: now, environments: [us, practice] })).toBe(
      "13 decisions in 3 cycles were made again.",
    );
  });

  it("zero differences are one sentence", () => {
    expect(whatIfSentences(SAME)).toEqual(["No decision would have been different."]);
  });

  it("tells counts, turnover, costs and QA beside what was recorded", () => {
    const changed = {
      ...SAME,
      decisionsChanged: 2,
      entriesAdded: { count: 1 },
      entriesRemoved: { count: 3 },
      exitsRemoved: { count: 1 },
      draft: {
        ...SIDE,
        turnover: 0.05,
        costs: 7.5,
        qaFailures: { allocation: 2, conviction_gates: 2 },
        qaDecisions: 2,
      },
      accounts: [
        { drawdownRecorded: -0.04, drawdownDraft: -0.01 },
        { drawdownRecorded: -0.02, drawdownDraft: -0.03 },
      ],
    };
    expect(whatIfSentences(changed)).toEqual([
      "2 of 8 decisions would have been different (25.0%).",
      "Purchases: 1 added, 3 left out.",
      "Sales: 1 left out.",
      "Turnover: 5.0% instead of 20.0% of equity.",
      "Estimated costs: $2.50 less.",
      "Deepest drawdown of the accounts with the largest effect: -3.0% instead of -4.0%.",
      "QA: 2 decisions with a rule that does not pass, 0 as recorded.",
    ]);
    const dearer = { ...SAME, decisionsChanged: 1, draft: { ...SIDE, turnover: null, costs: 11 } };
    expect(whatIfSentences(dearer)).toEqual([
      "1 of 8 decisions would have been different (12.5%).",
      "No purchase or sale is among what differs: only reasons, margins or price levels are.",
      "Purchases stay the same.",
      "Sales stay the same.",
      "Estimated costs: $1.00 more.",
      "QA: 0 decisions with a rule that does not pass, as recorded.",
    ]);
  });

  it("a report from before decisions were counted tells rule failures, and calls them that", () => {
    const { qaDecisions: _, ...old } = SIDE;
    const draft = { ...old, qaFailures: { allocation: 2, conviction_gates: 1 } };
    const last = (part: Parameters<typeof whatIfSentences>[0]) => whatIfSentences(part).at(-1);
    expect(last({ ...SAME, decisionsChanged: 1, recorded: old, draft })).toBe("QA: 3 rule failures, 0 as recorded.");
    expect(last({ ...SAME, decisionsChanged: 1, recorded: draft, draft })).toBe("QA: 3 rule failures, as recorded.");
  });
});
