import { beforeEach, describe, expect, it } from "vitest";
import { sessionsBetween } from "@/lib/domain/market-calendar.ts";
import { POLICY_2_9_0 } from "@/lib/domain/policy.ts";
import { addDays, type SessionDate } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import { readStoredBars, writePacks } from "../../core/bar-packs.ts";
import { db } from "../../db.ts";
import type { AssetRow, CorporateActionRow, DailyBar, EarningsRow } from "../../providers/market-data.ts";
import { systemContext } from "../../system-context.ts";
import { watchlistOf } from "../selectors/store-watchlist.ts";
import { loadBars } from "./load-bars.ts";
import { readMarketBars } from "./market-bars.ts";
import { readEarnings } from "./read-earnings.ts";

const SESSIONS = sessionsBetween("2014-01-02", "2018-03-30");
const T = "2018-01-12";
const sessionAfter = (session: SessionDate, steps = 1) => SESSIONS[SESSIONS.indexOf(session) + steps] ?? "";

/** A source that remembers what it was asked for. */
function source(names: readonly string[]) {
  const asked: { symbols: string[]; from: SessionDate; to: SessionDate }[] = [];
  const state = {
    asked,
    /** Symbols of all questions, one after the other. */
    symbolsAsked: () => asked.flatMap(({ symbols }) => symbols),
    names: [...names],
    failsAt: Infinity,
    change: (_symbol: string, bar: DailyBar): DailyBar | null => bar,
    actions: [] as CorporateActionRow[],
    actionsAsked: [] as SessionDate[],
    earnings: [] as EarningsRow[],
  };
  const data = {
    assets: () =>
      Promise.resolve(
        state.names.map((symbol): AssetRow => ({
          symbol,
          name: symbol,
          exchange: "X",
          sector: "Energy",
          isTradable: true,
        })),
      ),
    corporateActions: (from: SessionDate, to: SessionDate) => {
      state.actionsAsked.push(from);
      return Promise.resolve(state.actions.filter(({ exDate }) => exDate >= from && exDate <= to));
    },
    dailyBars: (symbols: string[], from: SessionDate, to: SessionDate) => {
      if (asked.length + 1 >= state.failsAt) return Promise.reject(new Error("unavailable"));
      asked.push({ symbols, from, to });
      const found = new Map<string, DailyBar[]>();
      for (const symbol of symbols) {
        const bars = SESSIONS.flatMap((session, day): DailyBar[] => {
          if (session < from || session > to) return [];
          const close = 20 + (symbol.charCodeAt(symbol.length - 1) % 10) + (day % 7) / 100;
          const bar = state.change(symbol, {
            session,
            open: close,
            high: close + 1,
            low: close - 1,
            close,
            volume: 1e6,
          });
          return bar === null ? [] : [bar];
        });
        if (bars.length > 0) found.set(symbol, bars);
      }
      return Promise.resolve(found);
    },
    earningsCalendar: { vendor: "Finnhub", coversPast: true },
    earnings: (from: SessionDate, to: SessionDate) =>
      Promise.resolve(state.earnings.filter(({ date }) => date >= from && date <= to)),
  };
  const logged: { name: string; fields: object }[] = [];
  const note = (name: string, fields: object) => void logged.push({ name, fields });
  const context = {
    ...systemContext("test"),
    log: { info: note, warn: note, error: note, debug: note },
    marketData: () => data,
  } as unknown as Context;
  return { state, context, logged };
}

const market = "PRACTICE";
const names = (count: number) =>
  Array.from({ length: count }, (_, i) => `S${String.fromCharCode(65 + Math.floor(i / 26), 65 + (i % 26))}`);
const through = (on: Context, session: SessionDate) => readMarketBars(on, { market, through: session, past: [] });
const stored = () => readStoredBars(market, { from: "2000-01-01", to: "2100-01-01" });

beforeEach(async () => {
  await db().barPack.deleteMany();
  await db().marketEvent.deleteMany();
  await db().barHistory.deleteMany();
});

describe("the first load", () => {
  it("continues where it was stopped: no symbol is asked for twice, none is missing", async () => {
    const { state, context } = source(names(60));
    state.failsAt = 3;
    await expect(through(context, T)).rejects.toThrow("unavailable");
    expect(await db().barHistory.findUnique({ where: { market } })).toMatchObject({ symbols: 60, waiting: 60 - 34 });
    state.failsAt = Infinity;
    const bars = await through(context, T);
    expect(state.symbolsAsked().sort()).toEqual(names(60));
    expect([...bars.features.keys()].sort()).toEqual(names(60));
    expect(await db().barHistory.findUnique({ where: { market } })).toMatchObject({ waiting: 0 });
    // Splits and dividends, too: they were stored before it stopped.
    expect(state.actionsAsked).toHaveLength(1);
  });

  it("ends its turn in time and leaves the rest to the next one", async () => {
    const { state, context } = source(names(40));
    expect(await loadBars(context, { market, symbols: names(40), through: T, mostMs: 0 })).toBe(40);
    expect(state.asked).toEqual([]);
    expect(await loadBars(context, { market, symbols: names(40), through: T })).toBe(0);
  });

  it("of two workers at once, each symbol is asked for by one", async () => {
    const { state, context } = source(names(60));
    await Promise.all([through(context, T), through(context, T)]);
    expect(state.symbolsAsked().sort()).toEqual(names(60));
  });
});

describe("a later session", () => {
  it("asks for the new bars of all symbols at once, and drops what is too old", async () => {
    const { state, context } = source(names(60));
    await through(context, T);
    state.asked.length = 0;
    const next = sessionAfter(T);
    await through(context, next);
    expect(state.asked).toEqual([{ symbols: names(60), from: addDays(T, -7), to: next }]);
    const bars = (await stored()).get("SAA");
    expect(bars?.dates.at(-1)).toBe(next);
    expect(bars?.dates[0]).toBe(SESSIONS.find((session) => session >= addDays(next, -830)));
    expect(state.actionsAsked.at(-1)).toBe(addDays(T, -60));
  });

  it("a bar of the last sessions that the source corrected is corrected; one that it leaves out stays", async () => {
    const { state, context } = source(names(3));
    await through(context, T);
    const [wrong, left] = [sessionAfter(T, -1), sessionAfter(T, -2)];
    state.change = (symbol, bar) =>
      symbol !== "SAA"
        ? bar
        : bar.session === wrong
          ? { ...bar, close: 21.5, volume: 7 }
          : bar.session === left
            ? null
            : bar;
    const before = (await stored()).get("SAA")!;
    await through(context, sessionAfter(T));
    const after = (await stored()).get("SAA")!;
    const at = after.dates.indexOf(wrong);
    expect([after.close[at], after.volume[at]]).toEqual([21.5, 7]);
    expect(after.close[after.dates.indexOf(left)]).toBe(before.close[before.dates.indexOf(left)]);
  });

  it("a symbol of which the source tells another history is read anew, all of it", async () => {
    const { state, context, logged } = source(names(3));
    await through(context, T);
    state.asked.length = 0;
    state.change = (symbol, bar) => (symbol === "SAB" ? { ...bar, close: bar.close * 3, high: 200 } : bar);
    await through(context, sessionAfter(T));
    expect(state.asked.map(({ symbols }) => symbols)).toEqual([names(3), ["SAB"]]);
    const bars = (await stored()).get("SAB")!;
    expect(Math.min(...bars.close)).toBeGreaterThan(60);
    expect(logged).toContainEqual({ name: "bars.history-replaced", fields: { market, count: 1, symbols: ["SAB"] } });
  });

  it("a symbol whose first reading was empty is read in full once it has a bar", async () => {
    const { state, context } = source(names(2));
    state.change = (symbol, bar) => (symbol === "SAB" ? null : bar);
    await through(context, T);
    expect((await stored()).get("SAB")?.dates ?? []).toEqual([]);
    state.change = (_, bar) => bar;
    await through(context, sessionAfter(T));
    const all = await stored();
    expect(all.get("SAB")?.dates.length).toBe(all.get("SAA")?.dates.length);
  });

  it("a new listing is read in full, and what left the market is kept until its bars are too old", async () => {
    const { state, context } = source(names(3));
    await through(context, T);
    state.names = ["SAB", "SAC", "NEW"];
    state.asked.length = 0;
    const bars = await through(context, sessionAfter(T));
    expect(state.asked.map(({ symbols }) => symbols)).toEqual([["SAB", "SAC"], ["NEW"]]);
    expect([...bars.features.keys()].sort()).toEqual(["NEW", "SAB", "SAC"]);
    expect((await stored()).get("SAA")?.dates.at(-1)).toBe(T);
    await db()
      .$executeRaw`update "BarPack" set "firstSession" = '2010-01-04', "lastSession" = '2010-01-05' where "symbol" = 'SAA'`;
    await through(context, sessionAfter(T, 2));
    expect(await db().barPack.count({ where: { symbol: "SAA" } })).toBe(0);
  });

  it("a market that went back in time is another market: its bars are read anew", async () => {
    const { state, context } = source(names(3));
    await through(context, T);
    state.asked.length = 0;
    state.change = (_, bar) => ({ ...bar, close: bar.close + 0.5 });
    await through(context, "2017-06-01");
    expect((await stored()).get("SAA")?.dates.at(-1)).toBe("2017-06-01");
    expect(state.asked.map(({ to }) => to)).toEqual(["2017-06-01"]);
  });
});

it("rows that are truncated or foreign are named and loaded again, and never screened", async () => {
  const { state, context, logged } = source(names(20));
  const before = await through(context, T);
  state.asked.length = 0;
  await db().$executeRaw`update "BarPack" set "columns" = substring("columns" from 1 for 900) where "symbol" = 'SAA'`;
  await db()
    .$executeRaw`update "BarPack" set "columns" = (select "columns" from "BarPack" where "symbol" = 'SAD') where "symbol" = 'SAC'`;
  expect(await through(context, T)).toEqual(before);
  expect(state.asked.map(({ symbols }) => symbols)).toEqual([["SAA", "SAC"]]);
  expect(logged.find(({ name }) => name === "bars.pack-unreadable")?.fields).toMatchObject({ count: 2 });
});

describe("the watchlist by packs", () => {
  /** Ten quarterly reports, each with a reaction of its own: 1 % to the first, 10 % to the last. */
  const REPORTS = Array.from({ length: 10 }, (_, i) => addDays("2015-10-19", 91 * i)).map(
    (day) => SESSIONS.find((session) => session >= day) ?? "",
  );
  const SYMBOLS = ["AAA", "BBB"];
  /** Calm prices that jump at each report; two symbols that differ in level. */
  const priceAt = (symbol: string, day: number) =>
    SESSIONS.slice(0, day + 1).reduce(
      (price, session, i) => {
        const report = REPORTS.indexOf(session);
        return (
          price *
          (1 + (i % 2 === 0 ? 1e-4 : -1e-4) + (report === -1 ? 0 : ((report + 1) / 100) * (report % 2 === 0 ? 1 : -1)))
        );
      },
      symbol === "AAA" ? 100 : 40,
    );
  const prices = new Map(SYMBOLS.map((symbol) => [symbol, SESSIONS.map((_, day) => priceAt(symbol, day))]));

  function reporting() {
    const made = source(SYMBOLS);
    made.state.change = (symbol, bar) => {
      const price = prices.get(symbol)?.[SESSIONS.indexOf(bar.session)] ?? 0;
      return { session: bar.session, open: price, high: price, low: price, close: price, volume: 1e7 };
    };
    made.state.earnings = SYMBOLS.flatMap((symbol) =>
      [...REPORTS, "2018-01-24"].map((date) => ({ symbol, date, time: "BMO" as const })),
    );
    return made;
  }

  async function listAt(context: Context, session: SessionDate, ...before: SessionDate[]) {
    for (const day of before) await through(context, sessionAfter(day, -1));
    const { near, past } = await readEarnings(context, market, session, POLICY_2_9_0);
    const bars = await readMarketBars(context, { market, through: sessionAfter(session, -1), past });
    const universe = SYMBOLS.map((symbol) => {
      const features = bars.features.get(symbol) ?? null;
      const lastPrice = features?.close ?? null;
      return {
        symbol,
        name: symbol,
        sector: "Energy",
        isTradable: true,
        isHalted: false,
        quarantine: null,
        features,
        spreadBps: null,
        lastPrice,
      };
    });
    const coming = (near ?? []).filter(({ date }) => date >= session);
    return watchlistOf({ market, session, universe, reactions: bars.reactions, coming, policy: POLICY_2_9_0 });
  }

  it("the expected move is the mean of the last eight reports", async () => {
    const [row] = await listAt(reporting().context, "2018-01-16");
    // Reports before the session: 1 … 9 of 10; the last eight moved by 2 … 9 %.
    expect(row?.expectedMove).toBeCloseTo((2 + 3 + 4 + 5 + 6 + 7 + 8 + 9) / 800, 3);
    expect(row?.watchlistReason).toContain("the mean of 8 reports");
    expect(row?.watchlistReason).not.toContain("shrunk");
  });

  it("packs that grew session by session equal ones that were read at the last session, and so does the list", async () => {
    const { context } = reporting();
    const grown = await listAt(context, "2018-01-16", "2017-06-01", "2017-12-20", "2018-01-12");
    const grownBars = await stored();
    await db().barPack.deleteMany();
    expect(await listAt(context, "2018-01-16")).toEqual(grown);
    expect(await stored()).toEqual(grownBars);
  });
});

it("bars that someone wrote for another session than was asked for are grown, not trusted", async () => {
  const { state, context } = source(names(2));
  await through(context, T);
  const bars = (await stored()).get("SAA")!;
  await writePacks(db(), market, sessionAfter(T, -3), [
    {
      ...bars,
      dates: bars.dates.slice(0, -3),
      open: bars.open.slice(0, -3),
      high: bars.high.slice(0, -3),
      low: bars.low.slice(0, -3),
      close: bars.close.slice(0, -3),
      volume: bars.volume.slice(0, -3),
    },
  ]);
  state.asked.length = 0;
  await through(context, T);
  expect(state.symbolsAsked()).toEqual(["SAA"]);
  expect((await stored()).get("SAA")).toEqual(bars);
});

it("one unreadable split sets its symbol aside, an unreadable dividend nothing: the market is loaded, and the log says whose they are", async () => {
  const { state, context, logged } = source(names(3));
  const on = { exDate: sessionAfter(T, -4), value: 1 };
  state.actions = [
    { symbol: "SAA", kind: "split without ratio", ...on },
    { symbol: "SAB", kind: "dividend without amount", ...on },
  ];
  const { quarantine, features, events } = await through(context, T);
  expect([...features.keys()].sort()).toEqual(names(3));
  expect([...quarantine]).toEqual([["SAA", `the ratio of the split of ${on.exDate} could not be read`]]);
  expect(events).toEqual(new Map());
  expect(logged.filter(({ name }) => name === "events.unreadable")).toEqual([
    {
      name: "events.unreadable",
      fields: {
        market,
        count: 2,
        symbols: [`SAA: split without ratio of ${on.exDate}`, `SAB: dividend without amount of ${on.exDate}`],
      },
    },
  ]);
});
