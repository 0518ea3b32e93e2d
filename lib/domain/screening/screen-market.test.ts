import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exampleFeatures, examplePolicy as policy } from "@/lib/proof/example-market.ts";
import { NO_SECTOR } from "../sectors.ts";
import { addDays } from "../time.ts";
import { rsiBand, type ScreenedSymbol } from "./score.ts";
import { type ScreenResult, screenMarket, type SelectionMemory } from "./screen-market.ts";

const rules = policy.selector_top50;

/** A universe from a seed: the same seed gives the same symbols. */
function universe(count: number, seed: number, sectors = 11): ScreenedSymbol[] {
  let state = seed >>> 0;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
  return Array.from({ length: count }, (_, i) => {
    const close = 10 + 300 * random();
    return {
      symbol: `S${String(i).padStart(3, "0")}`,
      name: `Symbol ${i}`,
      sector: `Sector ${Math.floor(random() * random() * sectors)}`,
      isTradable: true,
      isHalted: false,
      quarantine: null,
      spreadBps: null,
      lastPrice: close,
      features: exampleFeatures({
        close,
        sma50: close * (0.8 + 0.4 * random()),
        sma200: close * (0.7 + 0.6 * random()),
        high252: close * (1 + random()),
        rsi14: 100 * random(),
        sigma60: 0.1 + random(),
        sigma252: 0.1 + random(),
        sigma126: 0.1 + random(),
        momentum12: random() * 2 - 0.7,
        momentum6: random() - 0.4,
        adv20: 20e6 * (1 + 100 * random()),
      }),
    };
  });
}

function screen(
  rows: readonly ScreenedSymbol[],
  previous: SelectionMemory | null = null,
  sessionDate = "2020-02-03",
  change: Partial<Parameters<typeof screenMarket>[0]> = {},
): ScreenResult {
  return screenMarket({
    market: "PRACTICE",
    sessionDate,
    universe: rows,
    news: [],
    previous,
    fastTrack: [],
    policy,
    ...change,
  });
}

const seatsOf = (result: ScreenResult) => result.seats.map(({ symbol }) => symbol).sort();

describe("scores", () => {
  it("the RSI band is 0 to 30, 1 from 50 to 65, 0 from 85", () => {
    expect([30, 40, 50, 65, 75, 85, Number.NaN].map((rsi) => rsiBand(rsi, policy))).toEqual([0, 0.5, 1, 1, 0.5, 0, 0]);
  });

  it("excludes by the first hard filter, with the reason", () => {
    const rows = universe(60, 1);
    const broken = (i: number, change: Partial<ScreenedSymbol>) => {
      rows[i] = { ...rows[i]!, ...change };
    };
    broken(0, { isTradable: false });
    broken(1, { isHalted: true });
    broken(2, { quarantine: "closes differ" });
    broken(3, { features: null });
    broken(4, { lastPrice: 4.99 });
    broken(5, { features: exampleFeatures({ barCount: 252 }) });
    broken(6, { features: exampleFeatures({ adv20: 19_999_999 }) });
    broken(7, { spreadBps: 20.1 });
    const result = screen(rows);
    expect(result.exclusions).toEqual({
      not_tradable: 1,
      halted: 1,
      quarantined: 1,
      no_features: 1,
      price_below_minimum: 1,
      too_few_bars: 1,
      volume_below_minimum: 1,
      spread_above_maximum: 1,
    });
    expect(result.eligibleCount).toBe(52);
  });

  it("without a news source the factor is missing for all: coverage 0.7, still eligible, and no score rises", () => {
    const rows = universe(80, 2);
    const withNews = new Map(screen(rows).scores.map((score) => [score.symbol, score.composite]));
    const without = screen(rows, null, "2020-02-03", { news: null });
    expect(without.eligibleCount).toBe(80);
    for (const score of without.scores) {
      expect(score.coverage).toBeCloseTo(0.7, 12);
      expect(score.sentiment).toBeNull();
      expect(score.composite).toBeLessThanOrEqual(withNews.get(score.symbol)!);
    }
  });

  it("composite is the weighted sum, and the reasons are its largest parts", () => {
    const { seats } = screen(universe(80, 3));
    expect(seats.length).toBeGreaterThan(0);
    for (const seat of seats) {
      expect(seat.composite).toBeCloseTo(0.45 * seat.technical + 0.25 * seat.liquidity + 0.3 * seat.sentiment!, 9);
      const points = seat.reasons.flatMap(
        (reason) => /\([+−](\d+\.\d) points\)/.exec(reason)?.slice(1).map(Number) ?? [],
      );
      const parts = [0.45 * (seat.technical - 50), 0.25 * (seat.liquidity - 50), 0.3 * (seat.sentiment! - 50)];
      const largest = parts.map((part) => Math.abs(part)).sort((a, b) => b - a);
      expect(points.length).toBeGreaterThan(0);
      for (const [place, value] of points.entries()) expect(Math.abs(value - largest[place]!)).toBeLessThan(0.051);
    }
  });

  it("removing a symbol's feature never raises its score", () => {
    const optional = [
      "sma50",
      "sma200",
      "rsi14",
      "high252",
      "sigma60",
      "sigma252",
      "sigma126",
      "momentum12",
      "momentum6",
      "adv20",
    ] as const;
    fc.assert(
      fc.property(
        fc.integer(),
        fc.integer({ min: 0, max: 59 }),
        fc.constantFrom(...optional, "spread" as const),
        (seed, at, what) => {
          const rows = universe(60, seed).map((row, i) => ({
            ...row,
            spreadBps: what === "spread" ? 1 + (i % 19) : null,
          }));
          const row = rows[at]!;
          const before = screen(rows).scores.find(({ symbol }) => symbol === row.symbol);
          rows[at] =
            what === "spread" ? { ...row, spreadBps: null } : { ...row, features: { ...row.features!, [what]: null } };
          const after = screen(rows).scores.find(({ symbol }) => symbol === row.symbol);
          expect(after?.composite ?? 0).toBeLessThanOrEqual((before?.composite ?? 0) + 1e-9);
        },
      ),
    );
  });
});

describe("seats", () => {
  it("first selection: 50, at most 12 a sector, at least 5 sectors, ranks 1 … 50, all fresh", () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const result = screen(universe(200, seed));
        expect(result.seats.map(({ rank }) => rank)).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
        expect(Math.max(...Object.values(result.sectorSeats))).toBeLessThanOrEqual(12);
        expect(Object.keys(result.sectorSeats).length).toBeGreaterThanOrEqual(5);
        expect(new Set(result.seats.map(({ kind }) => kind))).toEqual(new Set(["fresh"]));
      }),
      { numRuns: 30 },
    );
  });

  it("asked again for the same session, gives the same answer", () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer(), (seed, next) => {
        const before = screen(universe(150, seed));
        const rows = universe(150, next);
        const once = screen(rows, before.memory, "2020-02-04");
        const twice = screen(rows, once.memory, "2020-02-04");
        expect(twice.memory).toEqual(once.memory);
        expect(twice.seats.map(({ reasons: _, ...seat }) => seat)).toEqual(
          once.seats.map(({ reasons: _, ...seat }) => seat),
        );
      }),
      { numRuns: 30 },
    );
  });

  it("an unchanged market comes to rest and then swaps nothing", () => {
    const rows = universe(150, 7);
    let result = screen(universe(150, 8));
    for (let i = 1; i < 40; i++) result = screen(rows, result.memory, addDays("2020-02-03", i));
    const rest = screen(rows, result.memory, "2020-06-01");
    expect(rest.swaps).toEqual([]);
    expect(seatsOf(rest)).toEqual(seatsOf(result));
  });

  it("does not depend on the order of the universe or the news", () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 119 }), (seed, turn) => {
        const rows = universe(120, seed);
        const news = rows.slice(0, 50).flatMap(({ symbol }, i) => [
          { symbol, score: Math.sin(i), ageDays: i % 7 },
          { symbol, score: Math.cos(i), ageDays: 1.5 },
        ]);
        const previous = screen(universe(120, seed + 1)).memory;
        const turned = <T>(list: T[]) => [...list.slice(turn), ...list.slice(0, turn)].reverse();
        const plain = screen(rows, previous, "2020-02-10", { news });
        expect(screen(turned(rows), previous, "2020-02-10", { news: turned(news) })).toEqual(plain);
      }),
      { numRuns: 30 },
    );
  });

  it("over many sessions: never more swaps than the limit, quotas always hold, the memory survives JSON", () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { minLength: 3, maxLength: 8 }), (seeds) => {
        let memory: SelectionMemory | null = null;
        for (const [i, seed] of seeds.entries()) {
          const rows = universe(130, seed);
          if (i % 2 === 1) rows[i * 7] = { ...rows[i * 7]!, isHalted: true };
          const before = new Set((memory?.seats ?? []).map(({ symbol }) => symbol));
          const result: ScreenResult = screen(rows, memory, addDays("2020-02-03", i * 3));
          expect(result.swaps.length).toBeLessThanOrEqual(rules.max_swaps);
          expect(Math.max(...Object.values(result.sectorSeats))).toBeLessThanOrEqual(rules.max_sector_seats);
          if (memory !== null)
            expect(result.promoted.length).toBeLessThanOrEqual(
              rules.max_swaps + result.forcedOut.length + (50 - before.size),
            );
          memory = JSON.parse(JSON.stringify(result.memory)) as SelectionMemory;
        }
      }),
      { numRuns: 25 },
    );
  });

  it("an incumbent that fails a hard filter leaves at once, and its seat is filled", () => {
    const rows = universe(150, 11);
    const first = screen(rows);
    const gone = first.seats[0]!.symbol;
    const next = screen(
      rows.map((row) => (row.symbol === gone ? { ...row, isHalted: true } : row)),
      first.memory,
      "2020-02-04",
    );
    expect(next.forcedOut).toEqual([gone]);
    expect(next.seats).toHaveLength(50);
    expect(next.promoted).toHaveLength(1);
  });

  it("tenure grows by session; a seat is sticky from its fifth", () => {
    const rows = universe(150, 12);
    let result = screen(rows);
    for (let i = 1; i < 5; i++) {
      expect(result.seats.every(({ kind }) => kind === "fresh")).toBe(true);
      result = screen(rows, result.memory, addDays("2020-02-03", i));
    }
    expect(
      result.seats.every(
        ({ kind, tenureSessions, seatedSince }) =>
          kind === "sticky" && tenureSessions === 5 && seatedSince === "2020-02-03",
      ),
    ).toBe(true);
  });

  it("monotone: better news never costs a symbol its seat", () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const rows = universe(120, seed);
        const previous = screen(universe(120, seed + 5)).memory;
        const plain = screen(rows, previous, "2020-02-10");
        for (const { symbol } of plain.seats.slice(40)) {
          const cheered = screen(rows, previous, "2020-02-10", {
            news: Array.from({ length: 5 }, () => ({ symbol, score: 1, ageDays: 0 })),
          });
          expect(seatsOf(cheered)).toContain(symbol);
        }
      }),
      { numRuns: 10 },
    );
  });
});

it("stocks without a sector are no sector: a fifth one is seated beside them", () => {
  const names = ["A", "B", "C", "D"];
  const rows = universe(80, 5).map((row, i) => {
    const strong = exampleFeatures({ ...row.features!, momentum12: 4, momentum6: 2, adv20: 9e9 });
    if (i < 2) return { ...row, sector: NO_SECTOR, features: strong };
    if (i < 78) return { ...row, sector: names[i % 4]! };
    const [close, far] = [row.lastPrice!, 3 * row.lastPrice!];
    const falling = {
      momentum12: -0.9,
      momentum6: -0.8,
      sma50: far,
      sma200: far,
      high252: far,
      rsi14: 99,
      adv20: 21e6,
    };
    return { ...row, sector: "E", features: exampleFeatures({ close, ...falling }) };
  });
  const { seats, sectorSeats } = screen(rows);
  expect(seats).toHaveLength(50);
  expect(Object.keys(sectorSeats).sort()).toEqual(["A", "B", "C", "D", "E", NO_SECTOR]);
});

describe("swaps", () => {
  /** A calm universe, and the same one in which an outsider has become the best by far. */
  const rows = universe(150, 21);
  const first = screen(rows);
  const seated = new Set(first.seats.map(({ symbol }) => symbol));
  const outsider = first.scores.filter(({ symbol }) => !seated.has(symbol)).at(-1)!.symbol;
  const risen = rows.map((row) =>
    row.symbol === outsider
      ? {
          ...row,
          sector: "A sector of its own",
          features: exampleFeatures({
            close: row.lastPrice!,
            momentum12: 5,
            momentum6: 3,
            sigma60: 0.05,
            high252: row.lastPrice!,
            rsi14: 55,
            adv20: 5e9,
            sma50: 1.2,
            sma200: 1,
          }),
        }
      : row,
  );
  function aged(sessions: number): ScreenResult {
    let result = first;
    for (let i = 1; i < sessions; i++) result = screen(rows, result.memory, addDays("2020-02-03", i));
    return result;
  }
  const mineOf = (result: ScreenResult) => ({
    done: result.swaps.find(({ challenger }) => challenger === outsider),
    refused: result.refusedSwaps.find(({ challenger }) => challenger === outsider)?.why,
  });

  it("need the margin on two selections running", () => {
    const before = aged(6);
    const once = screen(risen, before.memory, "2020-02-20");
    expect(mineOf(once)).toEqual({ done: undefined, refused: "the margin has not held on two selections running" });
    const twice = screen(risen, once.memory, "2020-02-21");
    expect(mineOf(twice).done?.isFastTracked).toBe(false);
    expect(twice.seats[0]!.symbol).toBe(outsider);
    expect(twice.seats[0]!.reasons.some((reason) => reason.startsWith("Took the seat of"))).toBe(true);
  });

  it("need five sessions that the incumbent sat before this one", () => {
    const once = screen(risen, first.memory, "2020-02-04");
    const twice = screen(risen, once.memory, "2020-02-05");
    expect(mineOf(twice).refused).toMatch(/has sat 2 of 5 sessions/);
    const fourth = screen(risen, aged(3).memory, "2020-02-06");
    const fifth = screen(risen, fourth.memory, "2020-02-07");
    expect(mineOf(fifth).refused).toMatch(/has sat 4 of 5 sessions/);
    expect(mineOf(screen(risen, fifth.memory, "2020-02-10")).done).toBeDefined();
  });

  it("remember every eligible symbol ranked up to 60, in the target or not", () => {
    const { scores, memory } = aged(2);
    const outside = scores.slice(0, 60).filter(({ symbol }) => !memory.seats.some((seat) => seat.symbol === symbol));
    expect(outside.length).toBeGreaterThan(0);
    for (const { symbol, composite } of scores.slice(0, 60)) expect(memory.composites[symbol]).toBe(composite);
  });

  it("a memory of an earlier engine, without the symbols outside its target, is still read", () => {
    const { memory } = aged(6);
    const seats = new Set(memory.seats.map(({ symbol }) => symbol));
    const composites = Object.fromEntries(Object.entries(memory.composites).filter(([symbol]) => seats.has(symbol)));
    const next = screen(risen, { ...memory, composites }, "2020-02-20");
    expect(mineOf(next)).toEqual({ done: undefined, refused: "the margin has not held on two selections running" });
  });

  it("a verified event skips the wait, if young enough", () => {
    const before = aged(6);
    const fastTrack = (ageHours: number) => [{ symbol: outsider, eventId: "e1", source: "exchange", ageHours }];
    const done = screen(risen, before.memory, "2020-02-20", { fastTrack: fastTrack(24) });
    expect(mineOf(done).done?.isFastTracked).toBe(true);
    expect(done.fastTracked.map(({ eventId }) => eventId)).toEqual(["e1"]);
    expect(mineOf(screen(risen, before.memory, "2020-02-20", { fastTrack: fastTrack(24.1) })).done).toBeUndefined();
  });
});
