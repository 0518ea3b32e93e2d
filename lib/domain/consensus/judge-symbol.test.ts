import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exampleFeatures, exampleMarket, exampleSymbol } from "@/lib/proof/example-market.ts";
import type { SourcesView } from "../engine/plan.ts";
import { POLICY_2_9_0 } from "../policy.ts";
import { reportedClose, inRawShares, type VendorPrice } from "./judge-symbol.ts";
import { refusalBySources, standingText } from "./source-text.ts";
import type { SourceValue } from "./consensus.ts";

const market = exampleMarket([exampleSymbol("AAA")], []);
const policyWith = (more: Partial<typeof POLICY_2_9_0.providers_consensus>) => ({
  ...POLICY_2_9_0,
  providers_consensus: { ...POLICY_2_9_0.providers_consensus, ...more },
});
const OWN = "Practice market";
const at = (seconds: number) => new Date(Date.parse(market.at) + seconds * 1_000).toISOString();
const quote = (source: string, value: string, seconds = 0): SourceValue => ({ source, value, at: at(seconds) });
const close = (source: string, value: string, day = market.barsThrough): SourceValue => ({ source, value, at: day });
const sources = (more: Partial<SourcesView> = {}): SourcesView => ({ at: market.at, closes: [], quotes: [], ...more });
const refusal = (said: SourcesView | null | undefined, more: Parameters<typeof policyWith>[0] = {}, later = 0) => {
  const view = exampleSymbol("AAA", { features: exampleFeatures({ close: 101.2 }) });
  const row = said === undefined ? view : { ...view, sources: said };
  return refusalBySources(row, { ...market, market: "PRACTICE", at: at(later) }, policyWith(more))?.text ?? null;
};

describe("why the sources of a symbol do not allow an entry", () => {
  it("closes and prices that are too far apart, each with its own limit and both values", () => {
    expect(refusal(sources({ closes: [close("Finnhub", "103.25")] }))).toBe(
      "Practice market closed at $101.20, Finnhub at $103.25: 2.03 % apart, limit 0.50 %",
    );
    expect(refusal(sources({ quotes: [quote(OWN, "10"), quote("Finnhub", "10.2")] }))).toBe(
      "Practice market quotes $10.00, Finnhub $10.20: 2.00 % apart, limit 1.00 %",
    );
    // What is only just too far apart is told as too far.
    expect(refusal(sources({ quotes: [quote(OWN, "100"), quote("Finnhub", "101.003")] }))).toBe(
      "Practice market quotes $100.00, Finnhub $101.003: 1.003 % apart, limit 1.00 %",
    );
    const three = [quote(OWN, "10"), quote("Finnhub", "10.2"), quote("Financial Modeling Prep", "10.5")];
    expect(refusal(sources({ quotes: three }))).toBe(
      "Practice market quotes $10.00, Financial Modeling Prep $10.50, Finnhub $10.20: up to 5.00 % apart, limit 1.00 %",
    );
    expect(
      refusal(sources({ closes: [close("Finnhub", "101.3")], quotes: [quote(OWN, "10"), quote("Finnhub", "10.1")] })),
    ).toBeNull();
  });

  it("fewer sources than have to agree, in words", () => {
    const quorum = { min_agreeing_providers: 2 };
    expect(refusal(null, quorum)).toBe("2 sources have to agree on the last close, and only Practice market was heard");
    const agreeing = [close("Finnhub", "101.2")];
    expect(refusal(sources({ closes: agreeing }), quorum)).toBe(
      "2 sources have to agree on the price, and none was heard",
    );
    const quotes = [quote(OWN, "10"), quote("Finnhub", "10")];
    expect(refusal(sources({ closes: agreeing, quotes }), quorum)).toBeNull();
    expect(refusal(sources({ closes: agreeing, quotes }), { min_agreeing_providers: 3 })).toBe(
      "3 sources have to agree on the last close, and only Practice market and Finnhub were heard",
    );
  });

  it("one source is enough where the policy says so, and where nothing was compared nothing is refused", () => {
    expect(refusal(null)).toBeNull();
    expect(refusal(sources())).toBeNull();
    expect(refusal(undefined, { min_agreeing_providers: 5 })).toBeNull();
  });

  it("what is older than the policy allows, or of another session, does not count", () => {
    const stale = sources({ quotes: [quote(OWN, "10"), quote("Finnhub", "11", -121)] });
    expect(refusal(stale)).toBeNull();
    expect(refusal(stale, { max_compared_age_seconds: 121 })).toMatch(/10\.00 % apart/);
    expect(refusal(sources({ quotes: [quote(OWN, "10"), quote("Finnhub", "11", 121)] }))).toBeNull();
    expect(refusal(sources({ closes: [close("Finnhub", "120", "2020-01-30")] }))).toBeNull();
  });

  it("a later look at the same record comes to the same", () => {
    const apart = sources({ quotes: [quote(OWN, "10"), quote("Finnhub", "11")] });
    for (const later of [0, 300, 3_600]) expect(refusal(apart, {}, later)).toMatch(/10\.00 % apart/);
  });

  it("a disagreement that was not seen to end says since when", () => {
    const values = [close("Alpaca", "101.2"), close("Finnhub", "103.25")];
    expect(
      standingText({ figure: "CLOSE", values, deviationBps: 202.57, limitBps: 50 }, "2020-02-03T14:30:00.000Z"),
    ).toBe(
      "Alpaca closed at $101.20, Finnhub at $103.25: 2.03 % apart, limit 0.50 %; found Mon 3 Feb 2020 09:30 ET, and not seen to agree since",
    );
  });
});

describe("what a vendor's quote tells of the last close", () => {
  const day = { session: "2020-02-03", barsThrough: "2020-01-31", closedAt: "2020-01-31T21:00:00.000Z" };
  const told = (more: Partial<VendorPrice>) =>
    reportedClose({ price: "12", previousClose: "11", at: null, day: "2020-02-03", ...more }, day);

  it.each<[string, Partial<VendorPrice>, string | null]>([
    ["today's quote: the close before", { at: "2020-02-03T14:35:00.000Z" }, "11"],
    ["today's, of a vendor that names the day alone", {}, "11"],
    ["today's without the close before", { previousClose: null }, null],
    ["the last session's, made at its close", { day: "2020-01-31", at: "2020-01-31T21:00:00.000Z" }, "12"],
    ["the last session's, made before its close", { day: "2020-01-31", at: "2020-01-31T20:59:59.000Z" }, null],
    ["the last session's, of a vendor that names the day alone", { day: "2020-01-31" }, "12"],
    ["an older session's", { day: "2020-01-30" }, null],
    ["a session's to come", { day: "2020-02-04" }, null],
  ])("%s", (_, price, close_) => expect(told(price)).toBe(close_));

  it("on the morning of a split it is meant in the shares in which it is nearer to the own close", () => {
    expect(inRawShares("100", "700", "7")).toBe("700");
    expect(inRawShares("700", "700", "7")).toBe("700");
    expect(inRawShares("101", "100", "0.1")).toBe("101");
    expect(inRawShares("1010", "101", "0.1")).toBe("101");
    expect(inRawShares("100", "700", null)).toBe("100");
  });
});

describe("in a decision", () => {
  const prices = fc.uniqueArray(
    fc.record({
      source: fc.constantFrom(OWN, "Finnhub", "Financial Modeling Prep"),
      cents: fc.integer({ min: 990, max: 1_020 }),
    }),
    { selector: ({ source }) => source },
  );

  it("a source that falls silent below the quorum opens no entry", () => {
    fc.assert(
      fc.property(prices, fc.nat(), fc.integer({ min: 2, max: 3 }), (said, nth, quorum) => {
        const quotes = said.map(({ source, cents }) => quote(source, (cents / 100).toFixed(2)));
        const closes = [close("Finnhub", "101.2"), close("Financial Modeling Prep", "101.2")];
        const more = { min_agreeing_providers: quorum };
        fc.pre(quotes.length > 0 && quotes.length < quorum);
        expect(refusal(sources({ closes, quotes }), more)).not.toBeNull();
        const fewer = quotes.filter((_, i) => i !== nth % quotes.length);
        expect(refusal(sources({ closes, quotes: fewer }), more)).not.toBeNull();
      }),
    );
  });
});
