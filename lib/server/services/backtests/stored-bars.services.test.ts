/** A past of the US market from the bars that screening keeps, beside the one read from an exchange in Alpaca's place. */
import { deserialize, serialize } from "node:v8";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sessionHours, sessionsBetween } from "@/lib/domain/market-calendar.ts";
import { addDays } from "@/lib/domain/time.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import { offsetTo, restoreClock, setClockOffset } from "@/lib/proof/rehearsal/moved-clock.ts";
import { openStandIn } from "@/lib/proof/rehearsal/stand-in.ts";
import type { Context } from "../../context.ts";
import { db } from "../../db.ts";
import type { MarketData, Pace } from "../../providers/market-data.ts";
import { systemContext } from "../../system-context.ts";
import { askAgain, BAR_DAYS, loadBars } from "../cycles/load-bars.ts";
import { type HistoryBars, readHistory } from "./read-history.ts";
import { storedBars } from "./stored-bars.ts";

const SESSION = "2026-11-25";
const THROUGH = "2026-11-24";
/** So that its 600 days of warm-up begin before what is kept. */
const FROM = "2025-06-02";
const START = addDays(FROM, -600);
const COVERED_FROM = addDays(THROUGH, 1 - BAR_DAYS);
const SYMBOLS = 60;

let exchange: Exchange;
let context: Context;
let data: MarketData;
const asked: { symbols: string[]; from: string; to: string }[] = [];

beforeAll(async () => {
  setClockOffset(offsetTo(Date.parse(sessionHours(SESSION)!.opensAt)));
  exchange = await openStandIn();
  const own = systemContext("test");
  const us = own.marketData("US");
  const listed = await us.assets();
  const some = [...listed.filter(({ symbol }) => symbol === "SPY"), ...listed.slice(0, SYMBOLS - 1)];
  const index = (await us.dailyBars(["SPY"], START, THROUGH)).get("SPY") ?? [];
  const dailyBars = withOlder(us.dailyBars, addDays(index[0]!.session, -1));
  data = { ...us, assets: () => Promise.resolve(some), dailyBars };
  context = { ...own, marketData: () => data };
});
afterAll(async () => {
  await exchange.close();
  restoreClock();
});

/** The exchange knows two years; the months before them, of which nothing is kept, are made here. */
function withOlder(bars: HistoryBars, through: string): HistoryBars {
  const bar = { open: 50.25, high: 51, low: 49.5, close: 50.5, volume: 1_000_000 };
  const older = sessionsBetween("2023-06-01", through).map((session) => ({ session, ...bar }));
  return async (symbols, from, to, pace) => {
    const found = await bars(symbols, from, to, pace);
    const some = older.filter(({ session }) => session >= from && session <= to);
    for (const symbol of symbols) {
      const own = found.get(symbol) ?? [];
      if (some.length + own.length > 0) found.set(symbol, [...some, ...own]);
    }
    return found;
  };
}

const companies = {
  reports: [{ symbol: "SPY", date: "2026-01-20", time: "UNKNOWN" as const }],
  sectors: new Map<string, string>(),
};
const pastFrom = async (bars: HistoryBars, to = THROUGH) => {
  asked.length = 0;
  return readHistory(data, { market: "US", from: FROM, to, companies, pauseMs: 0, leastTurnover: 10_000_000, bars });
};
const source: HistoryBars = (symbols, from, to, pace) => {
  asked.push({ symbols: [...symbols], from, to });
  return data.dailyBars(symbols, from, to, pace);
};
const kept = storedBars("US", source);
/** Of each symbol, the stretches that the source was asked for. */
const askedOf = () => {
  const of = new Map<string, string[]>();
  for (const { symbols, from, to } of asked)
    for (const symbol of symbols) of.set(symbol, [...(of.get(symbol) ?? []), `${from} ${to}`]);
  return of;
};

it("a past from kept bars is byte for byte the one from their source, which is asked for what is not kept and nothing else", async () => {
  const names = (await data.assets()).map(({ symbol }) => symbol);
  const [unread, , other, late, broken] = names.slice(1) as [string, string, string, string, string];
  const symbols = names.filter((symbol) => symbol !== unread);
  await loadBars(context, { market: "US", symbols, through: THROUGH });
  // One was not read, one row holds another company's past, one is damaged, one waits for its last bar.
  await db().$executeRaw`
    update "BarPack" set "columns" = (select "columns" from "BarPack" where "symbol" = 'SPY') where "symbol" = ${other}`;
  await db()
    .$executeRaw`update "BarPack" set "columns" = substring("columns" from 1 for 100) where "symbol" = ${broken}`;
  await db().$executeRaw`update "BarPack" set "lastSession" = "lastSession" - 1 where "symbol" = ${late}`;
  await askAgain(context, "US", THROUGH);

  const fromSource = await pastFrom(source);
  const whole = asked.length;
  const fromKept = await pastFrom(kept);
  expect(serialize(fromKept).equals(serialize(fromSource))).toBe(true);
  expect(fromSource.history.symbols.length).toBeGreaterThan(SYMBOLS / 2);
  expect(fromSource.history.sessions[0]! < COVERED_FROM, "the past begins before what is kept").toBe(true);

  const stretches = askedOf();
  const older = `${START} ${addDays(COVERED_FROM, -1)}`;
  for (const symbol of names)
    expect(stretches.get(symbol), symbol).toEqual(
      [unread, other, broken].includes(symbol)
        ? [`${START} ${THROUGH}`]
        : symbol === late
          ? [`${START} ${addDays(COVERED_FROM, -2)}`, `${THROUGH} ${THROUGH}`]
          : [older],
    );
  // Sixty symbols are read in two parts: each asks once for what is older, and the first for the three exceptions, too.
  expect(whole).toBe(2);
  expect(asked).toHaveLength(2 + 3);
});

it("what is kept as a whole asks its source for nothing, and waits for nothing", async () => {
  const names = (await data.assets()).map(({ symbol }) => symbol);
  await db().barPack.deleteMany();
  await loadBars(context, { market: "US", symbols: names.slice(0, 5), through: THROUGH });
  let waits = 0;
  const pace: Pace = () => {
    waits += 1;
    return Promise.resolve();
  };
  asked.length = 0;
  const within = await kept(names.slice(0, 3), COVERED_FROM, THROUGH, pace);
  expect([asked, waits]).toEqual([[], 0]);
  expect(deserialize(serialize(within))).toEqual(await data.dailyBars(names.slice(0, 3), COVERED_FROM, THROUGH));
  // One of three has no pack: it alone is asked for, and waited for.
  await kept(names.slice(3, 6), COVERED_FROM, THROUGH, pace);
  expect(asked).toEqual([{ symbols: [names[5]], from: COVERED_FROM, to: THROUGH }]);
  expect(waits).toBe(1);
});
