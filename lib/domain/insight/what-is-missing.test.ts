import { describe, expect, it } from "vitest";
import {
  exampleAccount,
  exampleMarket,
  examplePolicy,
  examplePosition,
  exampleSeat,
  exampleSymbol,
} from "@/lib/proof/example-market.ts";
import { decide } from "../engine/decide.ts";
import type { AccountState, GateResult, MarketView, RegimeView } from "../engine/plan.ts";
import { calmerMarketText } from "./calmer-market.ts";
import { closeness } from "./closeness.ts";
import { closestToBuying, missingOf } from "./what-is-missing.ts";

const SYMBOLS = ["AAA", "BBB", "CCC"];
const regime = exampleMarket([], []).regime;

/** What is missing at each stock of the example market, as `decide` records it. */
function decided(account: Partial<AccountState>, change: Partial<MarketView> = {}, first = {}, seat = {}) {
  const market = exampleMarket(
    SYMBOLS.map((symbol) => exampleSymbol(symbol, symbol === "AAA" ? first : {})),
    SYMBOLS.map((symbol, place) => exampleSeat(symbol, { rank: place + 1, ...(symbol === "AAA" ? seat : {}) })),
    change,
  );
  const state = exampleAccount(account);
  const { candidates } = decide(state, market, examplePolicy);
  const on = { market, policy: examplePolicy, preferences: state.preferences };
  return {
    closest: closestToBuying(candidates),
    missing: Object.fromEntries(candidates.map((each) => [each.symbol, missingOf(each, on).map(({ text }) => text)])),
  };
}

const NERVOUS: RegimeView = { ...regime, label: "risk_off", vix: 37.3, spyClose: 320, spyMa20: 325, spyMa50: 324 };
const rest = (session: string) => ({ stopOuts: [{ symbol: "AAA", session }] });

describe("what keeps a stock from being bought", () => {
  it.each([
    [
      "a level of the market",
      decided({}, { regime: NERVOUS }),
      // A VIX of shock alone would keep it falling, whatever SPY does.
      "waits for a calmer market, at the earliest when SPY closes above $323.38 (1.1% away) and the VIX closes below 35 (now 37.3)",
    ],
    ["a day after a stop", decided(rest("2020-01-30")), "sold at a stop: not bought again before Fri 7 Feb 2020"],
    [
      "a day after a sale by hand",
      decided({ soldByHand: ["AAA"] }),
      "sold by you: not bought again before Tue 4 Feb 2020",
    ],
    [
      "a day after the broker refused its purchase",
      decided({ refusedByBroker: ["AAA"] }),
      "your broker refused its purchase: not bought again before Tue 4 Feb 2020",
    ],
    [
      "a day after several stops",
      decided({ stopOuts: ["X", "Y", "Z"].map((symbol) => ({ symbol, session: "2020-01-30" })) }),
      "several positions were stopped out: no new purchases before Fri 7 Feb 2020",
    ],
    [
      "the day of a report",
      decided({}, {}, { earnings: { isKnown: true, next: "2020-02-05", last: null } }),
      "reports on Wed 5 Feb 2020: bought from Fri 7 Feb 2020 on at the earliest",
    ],
    [
      "a report just made",
      decided({}, {}, { earnings: { isKnown: true, next: "2020-05-05", last: "2020-01-31" } }),
      "reported on Fri 31 Jan 2020: bought from Tue 4 Feb 2020 on at the earliest",
    ],
    [
      "a place",
      decided({
        preferences: { ...exampleAccount().preferences, maxPositions: 1 },
        positions: [examplePosition("HELD", {})],
      }),
      "the only place is taken",
    ],
    ["money", decided({ buyingPower: "0" }), expect.stringMatching(/^not enough cash: \$[\d,.]+ more is needed$/)],
    [
      "the end of a pause",
      decided({ automationOff: "paused by you" }),
      "waits for the automation to run again (paused by you)",
    ],
  ])("%s", (_, { missing }, text) => expect(missing["AAA"]?.[0]).toEqual(text));

  it("the day that is named is the first on which the rule lets it pass", () => {
    const on = (date: string) =>
      decided(rest("2020-01-30"), { session: { ...exampleMarket([], []).session, date } }).missing["AAA"]?.some(
        (text) => text.startsWith("sold at a stop"),
      );
    expect([on("2020-02-06"), on("2020-02-07")]).toEqual([true, false]);
  });

  it("a score is shown with the line that it takes, and never rounds up to it", () => {
    const { missing } = decided({}, {}, {}, { composite: 40, momentumPercentile: 95 });
    expect(missing["AAA"]?.[0]).toMatch(/^score \d\d(\.\d)? of the \d\d(\.\d)? it takes/);
  });
});

describe("the stocks nearest to being bought", () => {
  it("have the fewest rules in the way, then the best rank; what is held is none of them", () => {
    const { closest } = decided(
      { positions: [examplePosition("BBB", {})] },
      { regime: NERVOUS },
      { earnings: { isKnown: true, next: "2020-02-05", last: null } },
    );
    expect(closest).toEqual(["CCC", "AAA"]);
  });

  it("are none where all that was wanted is bought", () => expect(decided({}).closest).toEqual([]));
});

describe("a calmer market", () => {
  const of = (change: Partial<RegimeView>, target: "neutral" | "risk_on" = "neutral") =>
    calmerMarketText({ ...NERVOUS, ...change }, target, examplePolicy);

  it.each([
    [
      "readings that are calm already have to hold",
      of({ vix: 14, spyClose: 330 }),
      "the calmer readings of the last closes have held",
    ],
    ["without a VIX", of({ vix: null }), "the VIX is known again"],
    ["without SPY", of({ spyClose: null }), "SPY and its averages are known again"],
    [
      "one level of SPY holds the lower one",
      of({ vix: 20, spyClose: 310 }, "risk_on"),
      "SPY closes above $326.63 (5.4% away)",
    ],
    ["the VIX where it is nearer", of({ vix: 25.06, spyClose: 322.4 }), "the VIX closes below 25 (now 25.1)"],
  ])("%s", (_, text, expected) => expect(text).toBe(expected));
});

describe("how near a rule was to refusing", () => {
  const passed = (code: GateResult["code"], margin: number | null, detail = ""): GateResult => ({
    code,
    passed: true,
    isWarning: false,
    margin,
    detail,
  });
  it.each([
    [passed("buying_power", 100, "$900.00, room for $1,000.00"), 0.1],
    [passed("max_positions", 0, "9 of 10 positions"), 0],
    [passed("order_rate", 400), 1],
    [passed("kill_state", 0), null],
    [passed("earnings_blackout", null), null],
    [{ ...passed("max_positions", -1), passed: false }, null],
  ])("%o", (gate, expected) => expect(closeness(gate)).toBe(expected));
});
