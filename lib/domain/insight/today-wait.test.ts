import { describe, expect, it } from "vitest";
import { answer, FEAR, FULL, look, LOOKED, regime, TODAY_SESSION } from "@/lib/proof/example-today.ts";
import type { TodayFacts } from "./today-facts.ts";

describe("what ends the wait", () => {
  it("a day that has come is no longer a wait, and before the first look of the day nothing is said of one", () => {
    const stopped = { look: look(": 27 stop guard"), restsUntil: TODAY_SESSION };
    expect(answer(stopped).next).toBe(
      "It waits for the rest after several stops to end. It looks again every 5 minutes until the close at 16:00 ET.",
    );
    expect(answer({ look: look("", 9) })).toMatchObject({
      did: "Nothing bought or sold: the last look decided on 9 orders.",
      next: "It follows its orders at the broker, and looks again every 5 minutes until the close at 16:00 ET.",
    });
    expect(answer({ look: null })).toMatchObject({
      did: "Nothing bought or sold: the first look of the day is still to come.",
      next: "It looks every 5 minutes until the close at 16:00 ET.",
    });
  });

  it("a rest after several stops is told where all places are taken, too", () => {
    const stopped = { look: look(": 27 stop guard"), restsUntil: "2018-02-15", positions: FULL };
    expect(answer(stopped)).toMatchObject({
      situation: "PLACES_TAKEN",
      did: "Nothing bought or sold: 3 positions or more were stopped out within 10 sessions, so Tradewind rests.",
      next: "No new purchases before Thu 15 Feb. From then on it buys when a place is free; nearest to its stop is S0, which sells at $160.11, 2.0% below its price.",
    });
  });

  it("after a day of shock with calm readings only time is missing", () => {
    const shock = regime({ vix: 20, spyClose: 285, spyDayReturn: -0.041 });
    expect(answer({ regime: shock, look: look(": 27 regime") }).next).toBe(
      "It buys again on Tue 13 Feb at the earliest, in 5 sessions, if SPY and the VIX stay where they are.",
    );
  });

  it("at low Risk Level a mixed market holds back, and says so", () => {
    const preferences = { ...LOOKED.preferences, riskLevel: "LOW" as const };
    const mixed = regime({ vix: 20, spyClose: 269.5 });
    expect(answer({ preferences, regime: mixed, look: look(": 27 regime") })).toMatchObject({
      situation: "HOLDING_BACK",
      did: "Nothing bought or sold: the market is mixed, and your settings buy only when it is calm and rising; 27 stocks wait for a calmer market.",
      next: "It buys again when SPY closes above about $271.35 (0.7% above its last close) or the VIX closes below 15 (last 20.0), twice running; on Thu 8 Feb at the earliest, in 2 sessions.",
    });
  });

  it("a VIX and an SPY just short of their levels are told as short of them", () => {
    const preferences = { ...LOOKED.preferences, riskLevel: "LOW" as const };
    const near = regime({ vix: 15.04, spyClose: 271.3 });
    expect(answer({ preferences, regime: near, look: look(": 27 regime") }).next).toContain(
      "when SPY closes above about $271.35 (0.02% above its last close) or the VIX closes below 15 (last 15.04), twice running",
    );
  });

  it("reports of which no source knows the day are a missing source, not reports that come soon", () => {
    const missing = { look: look(": 27 earnings"), isCalendarMissing: true };
    expect(answer(missing)).toMatchObject({
      situation: "SOURCE_MISSING",
      did: "Nothing bought or sold: it is not known when companies report earnings, and nothing is bought without that.",
      next: "It buys again once a source says when companies report; that is asked at the opening of each session.",
      isWrong: true,
    });
    expect(answer({ ...missing, isCalendarMissing: false }).situation).toBe("NOTHING_TO_BUY");
    // A stock of which a later rule was asked: the calendar has answered since.
    expect(answer({ ...missing, look: look(": 20 earnings, 7 conviction") }).situation).toBe("NOTHING_TO_BUY");
  });

  it.each([
    [": 27 earnings", "days clear of their earnings reports"],
    [": 1 earnings", "days clear of the stock's earnings report"],
    [": 2 not tradable", "their trading to be resumed"],
    [": 3 cooldown", "their rest after a sale or a refused order to end"],
    [": 1 cooldown", "the stock's rest after a sale or a refused order to end"],
    [": 4 sector", "room in their sectors"],
  ])("what %s waits for is said of the stocks, not of Tradewind", (tail, waits) => {
    expect(answer({ look: look(tail) }).next).toContain(waits);
  });

  describe("breakouts are bought in a mixed market, at 55-session highs", () => {
    const breakout = { ...LOOKED.preferences, strategy: "BREAKOUT" as const };
    const mixed = regime({ vix: 18, spyClose: 268 });
    it("what keeps them is what the look refused first", () => {
      const places = answer({ preferences: breakout, regime: mixed, look: look(": 3 max positions, 2 conviction") });
      expect(places).toMatchObject({
        situation: "PLACES_TAKEN",
        did: "Nothing bought or sold: 3 stocks wait for a free place, 2 stocks score below what a purchase takes.",
      });
      const quiet = { id: "d1", at: LOOKED.look!.at, line: "12:20: 495 screened, 50 seated, 0 signals, 0 orders" };
      expect(answer({ preferences: breakout, regime: mixed, look: quiet })).toMatchObject({
        situation: "NOTHING_TO_BUY",
        did: "Nothing bought or sold: none of the 50 stocks in the Top-50 meets your strategy's conditions.",
      });
    });

    it("where the market refused most, the high that it takes is said", () => {
      expect(answer({ preferences: breakout, regime: mixed, look: look(": 27 regime") })).toMatchObject({
        situation: "HOLDING_BACK",
        did: "Nothing bought or sold: the market is mixed, and Breakout then buys only at a 55-session high; 27 stocks wait for a calmer market.",
        next: "It waits for a calmer market or a close above the highest price of 55 sessions. It looks again every 5 minutes until the close at 16:00 ET.",
      });
    });

    it("a falling market, and a mixed one at low Risk Level, keep them from all", () => {
      expect(answer({ preferences: breakout, regime: FEAR, look: look(": 27 regime") }).next).toContain(
        "closes below 25 (last 37.3), or SPY closes above about $267.33",
      );
      const low = { ...breakout, riskLevel: "LOW" as const };
      expect(answer({ preferences: low, regime: mixed, look: look(": 27 regime") }).did).toContain(
        "your settings buy only when it is calm and rising",
      );
    });
  });

  describe("a source that is missing is told by what the market counts as without it", () => {
    const low = { ...LOOKED.preferences, riskLevel: "LOW" as const };
    const reversion = { ...LOOKED.preferences, strategy: "MEAN_REVERSION" as const };
    it.each<[string, Partial<TodayFacts>, string, string]>([
      [
        "mixed",
        { preferences: low, regime: regime({ vix: null }) },
        "the VIX is missing, so the market never counts as calm and rising, and your settings buy only then.",
        "It buys again when its source gives the VIX again and the market is calm and rising: without it Tradewind counts the market as mixed at best.",
      ],
      [
        "falling by SPY alone",
        { regime: regime({ vix: null, spyClose: 255 }) },
        "the market is falling or nervous, and the VIX is missing, so Tradewind holds back.",
        "It buys again when its source gives the VIX again and the market is calmer: without it Tradewind never counts it as calmer.",
      ],
      [
        "falling without SPY",
        { regime: regime({ spyClose: null }) },
        "SPY's prices are missing, so Tradewind holds back as a precaution.",
        "It buys again when the source gives SPY's closes again: without them Tradewind counts the market as falling.",
      ],
      [
        "of a trend that is not known",
        { preferences: reversion, regime: regime({ spyMa200: null }) },
        "SPY's 200-day average is not known, and your strategy buys only above it.",
        "It buys again when SPY's 200-day average is known and SPY closes above it.",
      ],
    ])("%s", (_, change, did, next) => {
      expect(answer({ ...change, look: look(": 27 regime") })).toMatchObject({
        situation: "SOURCE_MISSING",
        did: `Nothing bought or sold: ${did}`,
        next,
      });
    });
  });

  it("mean reversion waits for SPY above its 200-day average", () => {
    const preferences = { ...LOOKED.preferences, strategy: "MEAN_REVERSION" as const };
    expect(answer({ preferences, regime: regime({ spyMa200: 290 }), look: look(": 27 regime") }).next).toBe(
      "It buys again when SPY closes above about $290.00 (3.6% above its last close), its 200-day average.",
    );
  });
});
