import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { addDays } from "@/lib/domain/time.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import { smallMarket, startTestExchange } from "@/lib/proof/market/test-exchange.ts";
import type { Context } from "../../context.ts";
import { readStoredBars, writePacks } from "../../core/bar-packs.ts";
import { db } from "../../db.ts";
import { forgetEnv } from "../../env.ts";
import type { DailyBar, MarketData } from "../../providers/market-data.ts";
import { systemContext } from "../../system-context.ts";
import { marketMoment } from "../../core/calendar.ts";
import { openSessionBook } from "./session-book.ts";

let exchange: Exchange;
let context: Context;
beforeAll(async () => {
  exchange = await startTestExchange({
    port: 0,
    controlToken: "test-control-token",
    databaseUrl: null,
    paused: true,
    start: "2024-06-03",
    generate: smallMarket,
  });
  await exchange.control.clock({ advanceMinutes: 10 });
  process.env.EXCHANGE_URL = exchange.url;
  forgetEnv();
});
afterAll(() => exchange.close());
beforeEach(() => {
  context = systemContext("test");
});

/** The practice market with some of its answers changed. */
const withData = (change: (data: MarketData) => Partial<MarketData>): Context => ({
  ...context,
  marketData: (market) => {
    const data = context.marketData(market);
    return { ...data, ...change(data) };
  },
});

const sessionNow = async () => {
  const moment = await marketMoment(context, "PRACTICE");
  if (!moment.today) throw new Error("the market is closed");
  return { today: moment.today, calendar: moment.calendar };
};

const lastDayMissing =
  (share: number) =>
  (data: MarketData): Partial<MarketData> => ({
    dailyBars: async (symbols, from, through) => {
      const rows = await data.dailyBars(symbols, from, through);
      const all = [...rows];
      return new Map<string, DailyBar[]>(
        all.map(([symbol, bars], nth) => [
          symbol,
          nth < all.length * share ? bars.filter(({ session }) => session < through) : bars,
        ]),
      );
    },
  });

it("a session whose bars are missing for a tenth of the symbols is not screened, and is once they came (D3)", async () => {
  const { today, calendar } = await sessionNow();
  await expect(openSessionBook(withData(lastDayMissing(0.1)), "PRACTICE", today, calendar)).rejects.toThrow(
    /Only \d+ of \d+ symbols have a bar/,
  );
  expect(await db().selection.count()).toBe(0);
  const book = await openSessionBook(withData(lastDayMissing(0.02)), "PRACTICE", today, calendar);
  expect(book?.seats.length).toBeGreaterThan(0);
}, 180_000); // 500 symbols are screened twice

it("an unreported split takes its symbol out of the screening, with the reason on its row (D5)", async () => {
  const { today, calendar } = await sessionNow();
  const through = calendar[calendar.findIndex(({ session }) => session === today.session) - 1]?.session ?? "";
  const [stored] = [...(await readStoredBars("PRACTICE", { from: "2000-01-01", to: through }))].filter(
    ([symbol]) => symbol !== "SPY",
  );
  if (!stored) throw new Error("no bars");
  const [victim, series] = stored;
  // Of the last week only the last days are of the new price: what the source says again of it agrees.
  for (const field of ["open", "high", "low", "close"] as const)
    for (let i = 0; i < series.dates.length - 7; i += 1) series[field][i] = (series[field][i] ?? 0) * 4;
  await writePacks(db(), "PRACTICE", through, [series]);
  const tomorrow = calendar[calendar.findIndex(({ session }) => session === today.session) + 1];
  if (!tomorrow) throw new Error("no session");
  await exchange.control.clock({ jumpTo: tomorrow.opensAt });
  const book = await openSessionBook(context, "PRACTICE", tomorrow, calendar);
  expect(book?.symbolRow(victim).quarantine).toMatch(/jumped by -\d+ % .* without a known split/);
  expect(book?.seats.map(({ symbol }) => symbol)).not.toContain(victim);
  const { metadata } = await db().selection.findUniqueOrThrow({ where: { id: book?.selectionId ?? "" } });
  expect(metadata).toMatchObject({ quarantine: { [victim]: book?.symbolRow(victim).quarantine }, hasEarnings: true });
});

it("without the earnings calendar the selection is made and says so, and there is no watchlist", async () => {
  const { calendar } = await marketMoment(context, "PRACTICE");
  const session = calendar.find(({ session: date }) => date > "2024-06-04");
  if (!session) throw new Error("no session");
  await exchange.control.clock({ jumpTo: session.opensAt });
  const noEarnings = withData(() => ({ earnings: () => Promise.reject(new Error("unavailable")) }));
  const book = await openSessionBook(noEarnings, "PRACTICE", session, calendar);
  const { metadata, sessionDate } = await db().selection.findUniqueOrThrow({ where: { id: book?.selectionId ?? "" } });
  expect(metadata).toMatchObject({ hasEarnings: false, hasCalendarFailed: true });
  expect(await db().earningsWatch.count({ where: { sessionDate } })).toBe(0);
});

it("without VIX the regime is never risk_on, and the selection is made (D4)", async () => {
  const calendar = (await marketMoment(context, "PRACTICE")).calendar;
  await db().regimeReading.deleteMany();
  const day = calendar.findIndex(({ session }) => session > "2024-06-05");
  const session = calendar[day];
  if (!session) throw new Error("no session");
  await exchange.control.clock({ jumpTo: session.opensAt });
  const noVix = withData(() => ({ vix: () => Promise.reject(new Error("unavailable")) }));
  const book = await openSessionBook(noVix, "PRACTICE", session, calendar);
  expect(book?.regime.label).not.toBe("risk_on");
  expect(book?.regime.vix).toBeNull();
  const readings = await db().regimeReading.findMany();
  expect(readings.map(({ label }) => label)).not.toContain("risk_on");
});

it("where no calendar is configured, the companies' filings of the year before say when a report is expected", async () => {
  const { calendar } = await marketMoment(context, "PRACTICE");
  const session = calendar.find(({ session: date }) => date > "2024-06-06");
  if (!session) throw new Error("no session");
  await exchange.control.clock({ jumpTo: session.opensAt });
  await db().company.deleteMany();
  const days = ["2023-06-14", "2023-09-13", "2023-12-13", "2024-03-13"];
  await db().company.create({
    data: {
      symbol: "SPY",
      cik: 1,
      announcedAt: days.map((day) => new Date(`${day}T20:30:00Z`)),
      readAt: new Date(),
    },
  });
  const noCalendar = withData(() => ({ earningsCalendar: null }));
  const book = await openSessionBook(noCalendar, "PRACTICE", session, calendar);
  expect(book?.symbolRow("SPY").earnings).toEqual({
    isKnown: true,
    next: null,
    last: "2024-03-13",
    estimate: { from: "2024-06-05", to: "2024-06-19" },
  });
  const other = book?.seats.find(({ symbol }) => symbol !== "SPY")?.symbol ?? "";
  expect(book?.symbolRow(other).earnings).toEqual({ isKnown: false, next: null, last: null });
});

it("with a calendar of coming reports only, a company's filing says when it last reported", async () => {
  const { calendar } = await marketMoment(context, "PRACTICE");
  const session = calendar.find(({ session: date }) => date > "2024-06-07");
  if (!session) throw new Error("no session");
  await exchange.control.clock({ jumpTo: session.opensAt });
  await db().company.deleteMany();
  const announcedAt = [new Date("2024-06-07T20:30:00Z")];
  await db().company.create({ data: { symbol: "SPY", cik: 1, announcedAt, readAt: new Date() } });
  const comingOnly = withData((data) => ({
    earningsCalendar: { vendor: "Alpha Vantage", coversPast: false },
    earnings: async (from, to) => (await data.earnings(from, to)).filter(({ date }) => date >= session.session),
  }));
  const book = await openSessionBook(comingOnly, "PRACTICE", session, calendar);
  expect(book?.symbolRow("SPY").earnings).toEqual({ isKnown: true, next: null, last: "2024-06-07" });
  const coming = await context.marketData("PRACTICE").earnings(session.session, addDays(session.session, 30));
  const [first] = coming.toSorted((a, b) => (a.date < b.date ? -1 : 1));
  expect(book?.symbolRow(first?.symbol ?? "").earnings).toEqual({ isKnown: true, next: first?.date, last: null });
});
