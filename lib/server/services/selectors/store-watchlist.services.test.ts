import { expect, it } from "vitest";
import { exampleFeatures } from "@/lib/proof/example-market.ts";
import { POLICY_2_9_0 } from "@/lib/domain/policy.ts";
import type { BarSeries, CorporateEvent } from "@/lib/domain/screening/features.ts";
import { db } from "../../db.ts";
import { sessionOf } from "../../rows.ts";
import { reactionsOf } from "../cycles/market-bars.ts";
import { storeWatchlist, watchlistOf, type WatchlistInput } from "./store-watchlist.ts";

const DATES = Array.from({ length: 20 }, (_, i) => new Date(Date.UTC(2020, 0, 1 + i)).toISOString().slice(0, 10));

/** Closes of 100 that jump by a tenth at the eleventh bar. */
function series(symbol: string, factor = 1): BarSeries {
  const close = Float64Array.from(DATES, (_, i) => (i < 10 ? 100 : 110) * (i < 15 ? factor : 1));
  return { symbol, dates: DATES, open: close, high: close, low: close, close, volume: new Float64Array(20).fill(1e6) };
}

const reports = (symbol: string, ...bars: number[]) =>
  bars.map((i) => ({ symbol, date: DATES[i] ?? "", time: "BMO" as const }));

function input(symbols: string[], change: Partial<WatchlistInput> = {}): WatchlistInput {
  return {
    market: "PRACTICE",
    session: "2020-01-21",
    universe: symbols.map((symbol) => ({
      symbol,
      name: `${symbol} Inc.`,
      sector: "Energy",
      isTradable: true,
      isHalted: false,
      quarantine: null,
      features: exampleFeatures(),
      spreadBps: null,
      lastPrice: 110,
    })),
    reactions: new Map(symbols.map((symbol) => [symbol, reactionsOf(series(symbol), [], reports(symbol, 10))])),
    coming: symbols.flatMap((symbol) => [
      { symbol, date: "2020-02-03", time: "BMO" as const },
      { symbol, date: "2020-01-28", time: "AMC" as const },
    ]),
    policy: POLICY_2_9_0,
    ...change,
  };
}

it("the nearest coming report counts, and the move of past ones is measured on bars", () => {
  const [row] = watchlistOf(input(["AAA"]));
  expect(row).toMatchObject({ symbol: "AAA", earningsDate: "2020-01-28", earningsTime: "AMC" });
  expect(row?.expectedMove).toBeCloseTo(0.1, 9);
});

it("a split between a report and now is no reaction to it", () => {
  const split: CorporateEvent = { symbol: "AAA", date: DATES[15] ?? "", kind: "split", value: 4 };
  const reactions = new Map([["AAA", reactionsOf(series("AAA", 4), [split], reports("AAA", 10, 15))]]);
  const [row] = watchlistOf(input(["AAA"], { reactions }));
  // One reaction of a tenth, one of nothing; unadjusted, the second would be three quarters.
  expect(row?.expectedMove).toBeCloseTo(0.05, 9);
});

it("a session's list is stored once; what another worker finds later changes nothing", async () => {
  await storeWatchlist({ db: db() }, input(["AAA", "BBB"]));
  await storeWatchlist({ db: db() }, input(["AAA", "BBB", "CCC"]));
  await storeWatchlist({ db: db() }, input(["AAA"], { session: "2020-01-22" }));
  const rows = await db().earningsWatch.findMany({ orderBy: [{ sessionDate: "asc" }, { rank: "asc" }] });
  expect(rows.map(({ symbol, rank }) => [symbol, rank])).toEqual([
    ["AAA", 1],
    ["BBB", 2],
    ["AAA", 1],
  ]);
  expect(rows[0]).toMatchObject({ companyName: "AAA Inc.", earningsTime: "AMC", riskLevel: "HIGH" });
  expect(String(rows[0]?.lastPrice)).toBe("110");
});

it("how prices answered past reports is stored once a report, with its date, and grows with later sessions", async () => {
  await db().earningsWatch.deleteMany();
  await db().earningsReaction.deleteMany();
  await storeWatchlist({ db: db() }, input(["AAA"]));
  const later = {
    session: "2020-01-23",
    reactions: new Map([["AAA", reactionsOf(series("AAA"), [], reports("AAA", 10, 12))]]),
  };
  await storeWatchlist({ db: db() }, input(["AAA"], later));
  const rows = await db().earningsReaction.findMany({ orderBy: { reportDate: "asc" } });
  expect(rows.map(({ symbol, reportDate, reportTime }) => [symbol, sessionOf(reportDate), reportTime])).toEqual([
    ["AAA", DATES[10], "BMO"],
    ["AAA", DATES[12], "BMO"],
  ]);
  expect(rows[0]?.reaction).toBeCloseTo(0.1, 9);
  expect(rows[1]?.reaction).toBe(0);
});
