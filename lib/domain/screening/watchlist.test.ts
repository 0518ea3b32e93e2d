import { describe, expect, it } from "vitest";
import { exampleFeatures, examplePolicy as policy } from "@/lib/proof/example-market.ts";
import type { EarningsTime } from "../enums.ts";
import { earningsReactions, earningsWatchlist, type WatchCandidate } from "./watchlist.ts";

function candidate(symbol: string, change: Partial<WatchCandidate> = {}): WatchCandidate {
  return {
    symbol,
    name: `${symbol} Inc.`,
    sector: "Energy",
    isTradable: true,
    isHalted: false,
    quarantine: null,
    features: exampleFeatures(),
    spreadBps: null,
    lastPrice: 100,
    next: { date: "2020-02-05", time: "AMC" },
    reactions: new Array<number>(8).fill(0.05),
    consensusTarget: null,
    ...change,
  };
}

const list = (...candidates: WatchCandidate[]) => earningsWatchlist(candidates, "2020-02-03", policy);

describe("earnings watchlist", () => {
  it("takes reports within 14 days, largest expected move first, at most 20", () => {
    const many = Array.from({ length: 30 }, (_, i) =>
      candidate(`S${10 + i}`, { reactions: new Array<number>(8).fill((i + 1) / 1000) }),
    );
    const far = candidate("FAR", {
      next: { date: "2020-02-18", time: "BMO" },
      reactions: new Array<number>(8).fill(0.5),
    });
    const past = candidate("OLD", { next: { date: "2020-02-02", time: "BMO" } });
    const halted = candidate("HLT", { isHalted: true });
    const rows = list(...many, far, past, halted, candidate("NON", { next: null }));
    expect(rows).toHaveLength(20);
    expect(rows.map(({ rank }) => rank)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
    expect(rows[0]!.symbol).toBe("S39");
    expect(rows[19]!.symbol).toBe("S20");
  });

  it("uses the size of the last 8 reactions, and shrinks fewer to the sector's", () => {
    const full = candidate("AAA", { reactions: [0.9, ...new Array<number>(8).fill(-0.05)] });
    expect(list(full)[0]!.expectedMove).toBeCloseTo(0.05, 12);
    const rows = list(candidate("AAA"), candidate("NEW", { reactions: [] }));
    expect(rows.find(({ symbol }) => symbol === "NEW")!.expectedMove).toBeCloseTo(0.05, 12);
    const few = list(candidate("FEW", { reactions: [0.1, 0.1] }), candidate("AAA"));
    const sector = (2 * 0.1 + 8 * 0.05) / 10;
    expect(few.find(({ symbol }) => symbol === "FEW")!.expectedMove).toBeCloseTo((2 * 0.1 + 6 * sector) / 8, 12);
  });

  it("says whose moves stand for those that a symbol lacks: its sector's, or the market's", () => {
    const features = exampleFeatures({ volumeRatio: 1 });
    const reasonOf = (change: Partial<WatchCandidate>) =>
      list(candidate("AAA"), candidate("NEW", { features, ...change })).find(({ symbol }) => symbol === "NEW")!
        .watchlistReason;
    const some = [0.1, 0.1];
    expect(reasonOf({ reactions: [] })).toBe("Moves 5.0 % on reports, as its sector does");
    expect(reasonOf({ reactions: some })).toMatch(/, the mean of 2 reports, shrunk to its sector$/);
    // No company of its sector has reported, or its sector is not known.
    expect(reasonOf({ reactions: [], sector: "Utilities" })).toBe("Moves 5.0 % on reports, as the market does");
    expect(reasonOf({ reactions: some, sector: "Unknown" })).toMatch(/, the mean of 2 reports, shrunk to the market$/);
    expect(reasonOf({ sector: "Unknown" })).toMatch(/, the mean of 8 reports$/);
  });

  it("leaves out what nobody can say a move about", () => {
    expect(list(candidate("AAA", { reactions: [] }))).toEqual([]);
  });

  it.each([
    [0.039, 0.3, "LOW"],
    [0.04, 0.3, "MEDIUM"],
    [0.08, 0.3, "HIGH"],
    [0.039, 0.61, "MEDIUM"],
    [0.05, 0.61, "HIGH"],
    [0.09, 0.61, "HIGH"],
    [0.039, null, "MEDIUM"],
  ])("move %f, σ %f → %s", (move, sigma60, risk) => {
    const [row] = list(
      candidate("AAA", { reactions: new Array<number>(8).fill(move), features: exampleFeatures({ sigma60 }) }),
    );
    expect(row!.riskLevel).toBe(risk);
  });

  it("upside comes from the consensus where there is one, else from the sign of momentum, and says which", () => {
    expect(list(candidate("AAA", { consensusTarget: 120 }))[0]).toMatchObject({ upsideSource: "consensus" });
    expect(list(candidate("AAA", { consensusTarget: 120 }))[0]!.upside).toBeCloseTo(0.2, 12);
    const fallen = candidate("AAA", { features: exampleFeatures({ momentum12: -0.2 }) });
    expect(list(fallen)[0]).toMatchObject({ upsideSource: "momentum" });
    expect(list(fallen)[0]!.upside).toBeCloseTo(-0.05, 12);
  });
});

describe("reactions", () => {
  const closes = Float64Array.from([100, 110, 99, 99]);
  const bars = {
    symbol: "AAA",
    dates: ["2020-01-01", "2020-01-02", "2020-01-03", "2020-01-06"],
    open: closes,
    high: closes,
    low: closes,
    close: closes,
    volume: closes,
  };
  const at = (date: string, time: EarningsTime) =>
    earningsReactions(bars, [{ date, time }]).map(({ reaction }) => Number(reaction.toFixed(6)));

  it("are of the day itself before the open, of the next day after the close, else the larger", () => {
    expect(at("2020-01-02", "BMO")).toEqual([0.1]);
    expect(at("2020-01-02", "AMC")).toEqual([-0.1]);
    expect(at("2020-01-03", "UNKNOWN")).toEqual([-0.1]);
  });

  it("are not told before they have happened, nor for days without a bar", () => {
    expect(at("2020-01-06", "AMC")).toEqual([]);
    expect(at("2020-01-06", "UNKNOWN")).toEqual([]);
    expect(at("2020-01-04", "BMO")).toEqual([]);
  });
});
