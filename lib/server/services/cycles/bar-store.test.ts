import { expect, it } from "vitest";
import type { MarketName } from "@/lib/domain/enums.ts";
import { sessionsBetween } from "@/lib/domain/market-calendar.ts";
import { POLICY_2_9_0 } from "@/lib/domain/policy.ts";
import { computeFeatures } from "@/lib/domain/screening/compute-features.ts";
import { addDays, type SessionDate } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import { watchlistOf } from "../selectors/store-watchlist.ts";
import { barsThrough } from "./bar-store.ts";
import { readEarnings } from "./read-earnings.ts";

const SESSIONS = sessionsBetween("2014-01-02", "2018-03-30");
const SYMBOLS = ["AAA", "BBB"];
/** Ten quarterly reports, each with a reaction of its own: 1 % to the first, 10 % to the last. */
const REPORTS = Array.from({ length: 10 }, (_, i) => addDays("2015-10-19", 91 * i)).map(
  (day) => SESSIONS.find((session) => session >= day) ?? "",
);
const NEXT = "2018-01-24";

/** Calm prices that jump at each report; two symbols that differ in level. */
function barsOf(symbol: string) {
  let price = symbol === "AAA" ? 100 : 40;
  return SESSIONS.map((session, i) => {
    const report = REPORTS.indexOf(session);
    price *=
      1 + (i % 2 === 0 ? 1e-4 : -1e-4) + (report === -1 ? 0 : ((report + 1) / 100) * (report % 2 === 0 ? 1 : -1));
    return { session, open: price, high: price, low: price, close: price, volume: 1e7 };
  });
}

const context = {
  log: { warn: () => undefined },
  marketData: () => ({
    assets: () =>
      Promise.resolve(SYMBOLS.map((symbol) => ({ symbol, name: symbol, sector: "Energy", isTradable: true }))),
    corporateActions: () => Promise.resolve([]),
    dailyBars: (symbols: string[], from: SessionDate, to: SessionDate) =>
      Promise.resolve(
        new Map(
          symbols.map((symbol) => [symbol, barsOf(symbol).filter(({ session }) => session >= from && session <= to)]),
        ),
      ),
    earningsCalendar: { vendor: "Finnhub", coversPast: true },
    earnings: (from: SessionDate, to: SessionDate) =>
      Promise.resolve(
        SYMBOLS.flatMap((symbol) => [...REPORTS, NEXT].map((date) => ({ symbol, date, time: "BMO" as const }))).filter(
          ({ date }) => date >= from && date <= to,
        ),
      ),
  }),
} as unknown as Context;

/** The list of a session, as a process holds it that opened the sessions named before. */
async function listAt(market: MarketName, session: SessionDate, ...before: SessionDate[]) {
  for (const day of [...before, session]) {
    await barsThrough(context, market, SESSIONS[SESSIONS.indexOf(day) - 1] ?? "");
    await readEarnings(context, market, day);
  }
  const through = SESSIONS[SESSIONS.indexOf(session) - 1] ?? "";
  const { series, events } = await barsThrough(context, market, through);
  const { near, past } = await readEarnings(context, market, session);
  const universe = SYMBOLS.map((symbol) => {
    const bars = series.get(symbol);
    const features = bars ? (computeFeatures([bars], () => [])[0] ?? null) : null;
    return {
      symbol,
      name: symbol,
      sector: "Energy",
      isTradable: true,
      isHalted: false,
      quarantine: null,
      features,
      spreadBps: null,
      lastPrice: features?.close ?? null,
    };
  });
  const coming = (near ?? []).filter(({ date }) => date >= session);
  return watchlistOf({ market, session, universe, series, events, coming, past, policy: POLICY_2_9_0 });
}

it("the expected move is the mean of the last eight reports", async () => {
  const [row] = await listAt("US", "2018-01-16");
  // Reports before the session: 1 … 9 of 10; the last eight moved by 2 … 9 %.
  expect(row?.expectedMove).toBeCloseTo((2 + 3 + 4 + 5 + 6 + 7 + 8 + 9) / 800, 3);
  expect(row?.watchlistReason).toContain("the mean of 8 reports");
  expect(row?.watchlistReason).not.toContain("shrunk");
});

it("a store that grew session by session equals one that was read at its last session, and so does the list", async () => {
  const grown = await listAt("US", "2018-01-16", "2017-06-01", "2017-12-20", "2018-01-12");
  const fresh = await listAt("PRACTICE", "2018-01-16");
  expect(grown).toEqual(fresh);
  const through = SESSIONS[SESSIONS.indexOf("2018-01-16") - 1] ?? "";
  expect((await barsThrough(context, "US", through)).series).toEqual(
    (await barsThrough(context, "PRACTICE", through)).series,
  );
});
