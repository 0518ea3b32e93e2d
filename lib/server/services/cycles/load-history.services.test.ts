/** The first load of the US market with an exchange that stands in for Alpaca: stopped by a power cut, and within the data plan. */
import { spawn } from "node:child_process";
import { afterAll, beforeAll, expect, it } from "vitest";
import { POLICY_2_9_0 } from "@/lib/domain/policy.ts";
import { unexplainedJump } from "@/lib/domain/screening/check-series.ts";
import { computeFeatures } from "@/lib/domain/screening/compute-features.ts";
import type { BarSeries, CorporateEvent } from "@/lib/domain/screening/features.ts";
import { screenMarket } from "@/lib/domain/screening/screen-market.ts";
import { addDays, MINUTE_MS, newYork, type SessionDate } from "@/lib/domain/time.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import { programArgs } from "@/lib/proof/bundled.ts";
import { startTestExchange } from "@/lib/proof/market/test-exchange.ts";
import type { Context } from "../../context.ts";
import { db } from "../../db.ts";
import { forgetEnv } from "../../env.ts";
import type { EarningsRow } from "../../providers/market-data.ts";
import { systemContext } from "../../system-context.ts";
import { watchlistOf } from "../selectors/store-watchlist.ts";
import { SYMBOLS_AT_FIRST } from "./history-pace.ts";
import { loadHistory } from "./load-history.ts";
import { type MarketBars, reactionsOf, readMarketBars, tradableAssets } from "./market-bars.ts";
import { readEarnings } from "./read-earnings.ts";

/** Requests a minute: four fifths of them are one each 15 ms. */
const PLAN = 5_000;

let exchange: Exchange;
let through: SessionDate;
let session: SessionDate;
/** The market's time is the wall clock's here, as that of the US market is. */
let context: Context;
const asked: string[][] = [];
const askedAt: number[] = [];

beforeAll(async () => {
  const controlToken = "test-control-token";
  exchange = await startTestExchange({ port: 0, controlToken, databaseUrl: null, paused: true, seed: 3 });
  await exchange.control.clock({ advanceMinutes: 10 });
  Object.assign(process.env, {
    EXCHANGE_URL: exchange.url,
    EXCHANGE_CONTROL_TOKEN: controlToken,
    ALPACA_PAPER_URL: exchange.url,
    ALPACA_DATA_URL: exchange.url,
    ALPACA_DATA_KEY_ID: "TPDATA",
    ALPACA_DATA_SECRET: controlToken,
    ALPACA_DATA_REQUESTS_PER_MINUTE: String(PLAN),
  });
  forgetEnv();
  const own = systemContext("test");
  const data = own.marketData("US");
  const { now } = await data.clock();
  context = {
    ...own,
    now: () => new Date(now),
    marketData: (market) => ({
      ...own.marketData(market),
      dailyBars: (symbols, from, to, pace) => {
        asked.push(symbols);
        const noted = async () => {
          await pace?.();
          askedAt.push(performance.now());
        };
        return data.dailyBars(symbols, from, to, noted);
      },
    }),
  };
  session = newYork(now).date;
  through = (await data.calendar(addDays(session, -10), addDays(session, -1))).at(-1)?.session ?? "";
});
afterAll(() => exchange.close());

async function runChild(diesAt: number): Promise<NodeJS.Signals | null> {
  const program = await programArgs("lib/proof/crash/history-child.ts");
  const child = spawn(process.execPath, [...program, String(diesAt)], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  return new Promise((resolve) => child.on("exit", (_, signal) => resolve(signal)));
}
const packed = async () => {
  const rows = await db().barPack.findMany({
    where: { market: "US" },
    select: { symbol: true },
    orderBy: { symbol: "asc" },
  });
  return rows.map(({ symbol }) => symbol);
};

it("a worker that is killed in the middle of the first load is followed by one that continues: what is stored is not asked for again", async () => {
  expect(await runChild(4)).toBe("SIGKILL");
  const before = await packed();
  // Three answers were stored; the fourth was not.
  expect(before).toHaveLength(3 * SYMBOLS_AT_FIRST);
  await expect(readMarketBars(context, { market: "US", through, past: [] })).rejects.toThrow(
    /^History of 51 of \d+ stocks is loaded; about 1 minute to go\. The market is not screened yet\.$/,
  );
  expect(asked).toEqual([]);
  await loadHistory(context, { turnMs: Infinity });
  const symbols = (await tradableAssets(context, "US")).map(({ symbol }) => symbol).sort();
  expect(await packed()).toEqual(symbols);
  expect(asked.flat().sort()).toEqual(symbols.filter((symbol) => !before.includes(symbol)));
  // One page each, never more in any stretch of time than the plan's share for it.
  expect(askedAt).toHaveLength(asked.length);
  const leastMs = MINUTE_MS / (PLAN * 0.8);
  const slack = 2;
  askedAt.forEach((at, i) => {
    const first = askedAt[0] ?? 0;
    expect(at - first).toBeGreaterThanOrEqual(i * leastMs - slack);
  });
  const done = await db().barHistory.findUniqueOrThrow({ where: { market: "US" } });
  expect(done).toMatchObject({ symbols: symbols.length, waiting: 0 });
  asked.length = 0;
  await loadHistory(context, { turnMs: Infinity });
  expect(asked).toEqual([]);
}, 300_000); // a process is started, and 500 histories are read

/** As it would be with every bar of the market in memory at once, from the source's own answers. */
async function fromMemory(past: readonly EarningsRow[]) {
  const data = context.marketData("US");
  const assets = await tradableAssets(context, "US");
  const oldest = addDays(through, -830);
  const [rows, actions] = await Promise.all([
    data.dailyBars(
      assets.map(({ symbol }) => symbol),
      oldest,
      through,
    ),
    data.corporateActions(oldest, addDays(through, 7)),
  ]);
  const events = new Map<string, CorporateEvent[]>();
  for (const { symbol, exDate, kind, value } of actions) {
    if (kind !== "split" && kind !== "dividend") throw new Error(`the market has a ${kind}`);
    events.set(symbol, [...(events.get(symbol) ?? []), { symbol, date: exDate, kind, value }]);
  }
  const series = [...rows].map(([symbol, bars]): BarSeries => {
    const column = (name: "open" | "high" | "low" | "close" | "volume") => Float64Array.from(bars, (bar) => bar[name]);
    const dates = bars.map((bar) => bar.session);
    return {
      symbol,
      dates,
      open: column("open"),
      high: column("high"),
      low: column("low"),
      close: column("close"),
      volume: column("volume"),
    };
  });
  const eventsOf = (symbol: string) => events.get(symbol) ?? [];
  const current = series.filter(({ dates }) => dates.at(-1) === through);
  const features = computeFeatures(current, eventsOf);
  const reported = new Set(past.map(({ symbol }) => symbol));
  const jumps = series.map((bars) => [bars.symbol, unexplainedJump(bars, eventsOf(bars.symbol))] as const);
  return {
    assets: new Map(assets.map((asset) => [asset.symbol, asset])),
    hasSectorVendorFailed: false,
    features: new Map(current.map(({ symbol }, i) => [symbol, features[i] ?? null])),
    quarantine: new Map(jumps.flatMap(([symbol, jump]) => (jump === null ? [] : [[symbol, jump] as const]))),
    reactions: new Map(
      series
        .filter(({ symbol }) => reported.has(symbol))
        .map((bars) => [
          bars.symbol,
          reactionsOf(
            bars,
            eventsOf(bars.symbol),
            past.filter(({ symbol }) => symbol === bars.symbol),
          ),
        ]),
    ),
    events,
    index: series.find(({ symbol }) => symbol === "SPY"),
    through,
  } satisfies MarketBars;
}

function chosenFrom(
  { assets, features, quarantine, reactions }: MarketBars,
  coming: Parameters<typeof watchlistOf>[0]["coming"],
) {
  const universe = [...assets.values()].map(({ symbol, name, isTradable }, i) => {
    const row = features.get(symbol) ?? null;
    // No vendor of sectors is configured here: some, so that their limits are met.
    const sector = `Sector ${i % 11}`;
    return {
      symbol,
      name,
      sector,
      isTradable,
      isHalted: false,
      quarantine: quarantine.get(symbol) ?? null,
      features: row,
      spreadBps: null,
      lastPrice: row?.close ?? null,
    };
  });
  const policy = POLICY_2_9_0;
  return {
    screened: screenMarket({
      market: "US",
      sessionDate: session,
      universe,
      news: [],
      previous: null,
      fastTrack: [],
      policy,
    }),
    watchlist: watchlistOf({ market: "US", session, universe, reactions, coming, policy }),
  };
}

it("what a session is made of by packs is, to the last bit, what it would be with all bars in memory: seats, scores, watchlist, quarantine", async () => {
  const { past, near } = await readEarnings(context, "PRACTICE", session, POLICY_2_9_0);
  const coming = (near ?? []).filter(({ date }) => date >= session);
  const packs = await readMarketBars(context, { market: "US", through, past });
  const memory = await fromMemory(past);
  expect(packs.features).toEqual(memory.features);
  expect(packs.quarantine).toEqual(memory.quarantine);
  expect(packs.reactions).toEqual(memory.reactions);
  expect(packs.index).toEqual(memory.index);
  const [byPacks, byMemory] = [chosenFrom(packs, coming), chosenFrom(memory, coming)];
  expect(byPacks).toEqual(byMemory);
  expect(byPacks.screened.seats.length).toBeGreaterThan(40);
  expect(byPacks.watchlist.length).toBeGreaterThan(0);
  expect(packs.reactions.size).toBeGreaterThan(300);
}, 180_000); // 500 symbols are read and screened twice
