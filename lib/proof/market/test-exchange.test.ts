import { expect, it } from "vitest";
import { generateMarket } from "@/lib/exchange/market/generated.ts";
import type { Market } from "@/lib/exchange/market/source.ts";
import { readTape } from "@/lib/exchange/market/tape.ts";
import { CAST } from "./cast.ts";
import { fixtureTape } from "./fixture-tape.ts";
import { keptMarket, keptTape, smallMarket, smallTape } from "./test-exchange.ts";

const WHICH = { seed: 2, start: "2024-01-08" } as const;

/** Everything that is drawn. */
const contentOf = (market: Market) => ({
  ...market,
  series: market.symbols.map((symbol) => market.series(symbol)),
  index: market.sessions.map((date) => market.sessionIndex(date)),
  extendTo: null,
  sessionIndex: null,
});

it("a kept market is the one that the product generates, and continues as it does", () => {
  const kept = keptMarket(WHICH);
  const generated = generateMarket(WHICH);
  generated.extendTo(kept.sessions.at(-1)!);
  expect(contentOf(kept)).toEqual(contentOf(generated));
  const before = kept.sessions.length;
  for (const market of [kept, generated]) market.extendTo("2024-08-30");
  expect(kept.sessions.length).toBeGreaterThan(before + 100);
  expect(contentOf(kept)).toEqual(contentOf(generated));
});

it("what one test draws of a kept market, no other test sees", () => {
  const [one, other] = [keptMarket(WHICH), keptMarket(WHICH)];
  const before = other.sessions.length;
  one.extendTo("2024-08-30");
  expect(one.sessions.length).toBeGreaterThan(before);
  expect(other.sessions).toHaveLength(before);
  expect(keptMarket(WHICH).sessions).toHaveLength(before);
});

it("the fixture's tape is read once for a process, and is the one that the product reads", () => {
  const kept = keptTape(WHICH);
  expect(keptTape(WHICH)).toBe(kept);
  expect(contentOf(kept)).toEqual(contentOf(readTape(fixtureTape(), WHICH.seed)));
  expect(keptTape({ ...WHICH, seed: 3 }).seed).toBe(3);
});

it("a small market has the cast and more companies than there are seats, is otherwise the same, and grows with the whole one", () => {
  const [whole, small] = [keptMarket(WHICH), smallMarket(WHICH)];
  expect(small.symbols.length).toBeGreaterThan(100);
  expect(small.symbols.length).toBeLessThan(200);
  for (const symbol of small.symbols) expect(small.series(symbol)?.close[9]).toBe(whole.series(symbol)?.close[9]);
  const missing = whole.symbols.find((symbol) => !small.symbols.includes(symbol)) ?? "";
  expect([small.series(missing), small.assets.get(missing)]).toEqual([undefined, undefined]);
  const before = small.dividends.length;
  small.extendTo("2024-12-31");
  expect(small.sessions.at(-1)).toBe("2024-12-31");
  expect(small.dividends.length).toBeGreaterThan(before);
  const held = new Set(small.symbols);
  for (const { symbol } of [...small.splits, ...small.dividends, ...small.earnings]) expect(held).toContain(symbol);
  expect(smallTape(WHICH).symbols).toEqual(expect.arrayContaining(["SPY", ...CAST.map(({ symbol }) => symbol)]));
});
