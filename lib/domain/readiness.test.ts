import { describe, expect, it } from "vitest";
import { POLICY_2_9_0 } from "./policy.ts";
import { limitationOf, readinessOf, type Need, type ReadinessState, type SourceFacts } from "./readiness.ts";

const ALL: SourceFacts = {
  hasMarketData: true,
  earningsCalendar: { vendor: "Finnhub", coversPast: true },
  history: { symbols: 9_800, waiting: 0, minutes: 1, through: "2026-11-20" },
  hasSectorVendor: true,
  hasSectorVendorFailed: false,
  hasCalendarFailed: false,
  companies: { withIndustry: 5000, withReports: 4000 },
  priceSources: [{ vendor: "Finnhub", figures: ["CLOSE", "QUOTE"], hasFailed: false }],
  putAside: 0,
  regime: { session: "2026-11-20", vix: 17.2 },
};
const LOADING = { symbols: 9_800, waiting: 6_600, minutes: 12, through: "2026-11-20" };
const UNREAD = { withIndustry: 0, withReports: 0 };

const readinessWith = (facts: Partial<SourceFacts>) => readinessOf({ ...ALL, ...facts }, POLICY_2_9_0);

const CASES: [
  name: string,
  facts: Partial<SourceFacts>,
  states: Partial<Record<Need, ReadinessState>>,
  RegExp | null,
][] = [
  ["everything is there", {}, {}, null],
  ["no market data", { hasMarketData: false }, { "Market data": "missing" }, /nothing is bought/],
  ["bars not loaded yet", { history: null }, { "Price history": "missing" }, /nothing is screened/],
  ["bars half loaded", { history: LOADING }, { "Price history": "missing" }, /nothing is screened/],
  ["all but a few histories loaded", { history: { ...LOADING, waiting: 490 } }, {}, null],
  ["no calendar, filings read", { earningsCalendar: null }, { "Earnings dates": "reduced" }, /estimated from filings/],
  [
    "no calendar, filings not read yet",
    { earningsCalendar: null, companies: UNREAD },
    { "Earnings dates": "missing" },
    /no position is opened/,
  ],
  [
    "neither calendar nor the SEC",
    { earningsCalendar: null, companies: null },
    { "Earnings dates": "missing" },
    /no position is opened/,
  ],
  [
    "a calendar that did not answer",
    { hasCalendarFailed: true },
    { "Earnings dates": "missing" },
    /no position is opened/,
  ],
  [
    "a calendar that was removed after it failed",
    { earningsCalendar: null, hasCalendarFailed: true },
    { "Earnings dates": "reduced" },
    /estimated/,
  ],
  ["no sector vendor, industries read", { hasSectorVendor: false }, {}, null],
  [
    "no sector vendor, nothing read yet",
    { hasSectorVendor: false, companies: UNREAD },
    { Sectors: "reduced" },
    /fewer stocks/,
  ],
  ["no sectors at all", { hasSectorVendor: false, companies: null }, { Sectors: "reduced" }, /sectors are not known/],
  ["a vendor of sectors that refuses, industries read", { hasSectorVendorFailed: true }, {}, null],
  [
    "a vendor of sectors that refuses, and no filings",
    { hasSectorVendorFailed: true, companies: null },
    { Sectors: "reduced" },
    /sectors are not known/,
  ],
  [
    "a second source that does not answer",
    { priceSources: [{ vendor: "Finnhub", figures: ["CLOSE", "QUOTE"], hasFailed: true }] },
    { "Agreeing sources": "reduced" },
    null,
  ],
  ["before the first reading of the VIX", { regime: null }, {}, null],
  [
    "the VIX could not be read",
    { regime: { session: "2026-11-20", vix: null } },
    { "Volatility index": "reduced" },
    /VIX could not be read/,
  ],
  ["one source of prices alone", { priceSources: [] }, {}, null],
  ["sources that disagree about a symbol", { putAside: 1 }, { "Agreeing sources": "reduced" }, null],
];

describe("what the US market has of what the engine needs", () => {
  it.each(CASES)("%s", (_, facts, states, limitation) => {
    const readiness = readinessWith(facts);
    const others = {
      "Price history": "ready",
      "Earnings dates": "ready",
      Sectors: "ready",
      "Volatility index": "ready",
      "Agreeing sources": "ready",
    };
    const expected = { "Market data": "ready", ...(facts.hasMarketData === false ? {} : others) };
    expect(Object.fromEntries(readiness.map(({ need, state }) => [need, state]))).toEqual({ ...expected, ...states });
    if (limitation === null) expect(limitationOf(readiness)).toBeNull();
    else expect(limitationOf(readiness)).toMatch(limitation);
  });

  it("whatever is not ready says what it costs and what to do about it, and what is ready costs nothing", () => {
    for (const [, facts] of CASES)
      for (const { state, cost, remedy } of readinessWith(facts)) {
        expect(cost === null).toBe(state === "ready");
        expect(remedy === null).toBe(state === "ready");
      }
  });

  it("a quorum that the configured sources cannot reach is missing: nothing is bought, and traders are told", () => {
    const closesOnly = [{ vendor: "Alpha Vantage", figures: ["CLOSE"] as const, hasFailed: false }];
    const says = (quorum: number, priceSources: SourceFacts["priceSources"], more: object = {}) => {
      const rules = { ...POLICY_2_9_0.providers_consensus, min_agreeing_providers: quorum, ...more };
      const readiness = readinessOf({ ...ALL, priceSources }, { ...POLICY_2_9_0, providers_consensus: rules });
      const row = readiness.find(({ need }) => need === "Agreeing sources");
      return [row?.state, row?.says, limitationOf(readiness)];
    };
    const limitation = "Fewer price sources answer here than have to agree, so no position is opened.";
    expect(says(2, ALL.priceSources)[0]).toBe("ready");
    expect(says(2, [])).toEqual(["missing", "2 sources have to agree on the last close, and 1 is set up.", limitation]);
    expect(says(3, ALL.priceSources)[1]).toBe("3 sources have to agree on the last close, and 2 are set up.");
    expect(says(2, [{ ...ALL.priceSources[0]!, hasFailed: true }])).toEqual([
      "missing",
      "Finnhub did not answer at the last screening.",
      limitation,
    ]);
    expect(says(2, closesOnly)[1]).toBe("2 sources have to agree on the price, and 1 is set up.");
    expect(says(2, ALL.priceSources, { weight_finnhub: 0 })[0]).toBe("missing");
    expect(says(1, [], { weight_alpaca: 0 })[1]).toBe("1 source has to agree on the last close, and 0 are set up.");
  });

  it("while bars are loaded it says how many are there and how long it takes, then of how many and through when", () => {
    const says = (history: SourceFacts["history"]) => readinessWith({ history })[1]?.says;
    expect(says(LOADING)).toBe("History of 3,200 of 9,800 stocks is loaded; about 12 minutes to go.");
    expect(says({ ...LOADING, waiting: 20, minutes: 1 })).toBe(
      "History of 9,780 of 9,800 stocks is loaded; about 1 minute to go.",
    );
    expect(says(ALL.history)).toBe("Daily bars of 9,800 stocks through 2026-11-20.");
  });

  it("a calendar is named by its vendor, and one of coming reports says where past ones come from", () => {
    const says = (facts: Partial<SourceFacts>) => readinessWith(facts)[2]?.says;
    expect(says({})).toBe("Calendar by Finnhub.");
    expect(says({ earningsCalendar: { vendor: "Financial Modeling Prep", coversPast: true } })).toBe(
      "Calendar by Financial Modeling Prep.",
    );
    const earningsCalendar = { vendor: "Alpha Vantage", coversPast: false } as const;
    expect(says({ earningsCalendar })).toBe(
      "Calendar by Alpha Vantage; past reports from the filings of 4,000 companies.",
    );
    expect(says({ earningsCalendar, companies: null })).toContain("coming reports only; SEC_CONTACT");
    expect(says({ earningsCalendar, companies: UNREAD })).toContain("coming reports only; no company's filings");
  });

  it("without a calendar the remedy names each setting that brings one", () => {
    for (const companies of [ALL.companies, null])
      expect(readinessWith({ earningsCalendar: null, companies })[2]?.remedy).toMatch(
        /FINNHUB_TOKEN \(free key\), FMP_API_KEY or ALPHA_VANTAGE_KEY \(free key\)/,
      );
  });

  it("the cost names the policy's own numbers", () => {
    const policy = {
      ...POLICY_2_9_0,
      selector_top50: { ...POLICY_2_9_0.selector_top50, seats: 40, max_sector_seats: 7 },
      pretrade_filters: { ...POLICY_2_9_0.pretrade_filters, earnings_sessions_before: 3, earnings_sessions_after: 2 },
    };
    const facts = { ...ALL, hasSectorVendor: false, earningsCalendar: null };
    const costs = readinessOf({ ...facts, companies: { ...UNREAD, withReports: 1 } }, policy).map(({ cost }) => cost);
    expect(costs[2]).toContain("16 sessions around a report instead of 6");
    expect(costs[3]).toContain("At most 7 of 40 seats");
  });

  it("of several the trader reads the most severe: what keeps from buying before what makes it less", () => {
    const readiness = readinessWith({ hasSectorVendor: false, companies: null, earningsCalendar: null });
    expect(limitationOf(readiness)).toMatch(/no position is opened/);
  });
});
