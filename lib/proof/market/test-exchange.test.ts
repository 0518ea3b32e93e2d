import { expect, it } from "vitest";
import { generateMarket } from "@/lib/exchange/market/generated.ts";
import type { Market } from "@/lib/exchange/market/source.ts";
import { keptMarket } from "./test-exchange.ts";

const WHICH = { seed: 2, start: "2024-01-08" } as const;

/** Everything that is drawn. */
const contentOf = (market: Market) => ({
  ...market,
  series: market.symbols.map((symbol) => market.series(symbol)),
  index: market.sessions.map((date) => market.sessionIndex(date)),
  extendTo: null,
  sessionIndex: null,
});

it("a kept market is the one that the product generates, and goes on as it does", () => {
  const kept = keptMarket(WHICH);
  const generated = generateMarket(WHICH);
  expect(contentOf(kept)).toEqual(contentOf(generated));
  const before = kept.sessions.length;
  for (const market of [kept, generated]) market.extendTo("2024-06-28");
  expect(kept.sessions.length).toBeGreaterThan(before + 100);
  expect(contentOf(kept)).toEqual(contentOf(generated));
});

it("what one test draws of a kept market, no other test sees", () => {
  const [one, other] = [keptMarket(WHICH), keptMarket(WHICH)];
  const before = other.sessions.length;
  one.extendTo("2024-02-01");
  expect(other.sessions).toHaveLength(before);
  expect(keptMarket(WHICH).sessions).toHaveLength(before);
});
