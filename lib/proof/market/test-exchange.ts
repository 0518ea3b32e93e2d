import { readFileSync, writeFileSync } from "node:fs";
import { deserialize, serialize } from "node:v8";
import { foundHistory, type GeneratedHistory, type generateMarket, goOn } from "@/lib/exchange/market/generated.ts";
import type { Market } from "@/lib/exchange/market/source.ts";
import { readTape } from "@/lib/exchange/market/tape.ts";
import { type Exchange, type ExchangeOptions, startExchange } from "@/lib/exchange/start.ts";
import { addDays } from "@/lib/domain/time.ts";
import { CAST } from "./cast.ts";
import { fixtureTape } from "./fixture-tape.ts";
import { keep } from "./kept.ts";

/** An exchange asks for forty days beyond its clock, which a test moves by some. */
const DAYS_AHEAD = 50;

/** The same market as the product generates: its years of history, and the days after its start, are drawn once and read from then on. */
export const keptMarket: typeof generateMarket = ({ seed, start }) => {
  const file = keep(`generated-${seed}-${start}`, (draft) => {
    const history = foundHistory({ seed, start });
    goOn(history).extendTo(addDays(start, DAYS_AHEAD));
    writeFileSync(draft, serialize(history));
  });
  return goOn(deserialize(readFileSync(file)) as GeneratedHistory);
};

/** Nothing in a tape changes: the files of tests that share a process read it once. */
const shared = globalThis as unknown as { testTape?: { tape: string; market: Market } };

/** The market of the fixture's tape. */
export const keptTape: typeof generateMarket = ({ seed }) => {
  const tape = fixtureTape();
  if (shared.testTape?.tape !== tape || shared.testTape.market.seed !== seed)
    shared.testTape = { tape, market: readTape(tape, seed) };
  return shared.testTape.market;
};

/** Of the companies that no test names, one in so many. */
const ONE_IN = 4;
const NAMED = new Set(CAST.map(({ symbol }) => symbol));

/** The same market with the cast, the funds and a quarter of the other companies. What grows with the days keeps growing. */
function withFewer(market: Market): Market {
  if (process.env.WHOLE_MARKET === "1") return market;
  const isKept = (symbol: string, place: number) =>
    NAMED.has(symbol) || market.assets.get(symbol)?.sector === "ETF" || place % ONE_IN === 0;
  const symbols = market.symbols.filter(isKept);
  const kept = new Set(symbols);
  const ofKept = <Row extends { symbol: string }>(rows: readonly Row[]) =>
    rows.filter(({ symbol }) => kept.has(symbol));
  return Object.create(market, {
    symbols: { value: symbols },
    assets: { value: new Map([...market.assets].filter(([symbol]) => kept.has(symbol))) },
    splits: { get: () => ofKept(market.splits) },
    dividends: { get: () => ofKept(market.dividends) },
    earnings: { get: () => ofKept(market.earnings) },
    series: { value: (symbol: string) => (kept.has(symbol) ? market.series(symbol) : undefined) },
  }) as Market;
}

/**
 * Markets of more than a hundred companies, twice as many as there are seats, for tests of what happens to a session and not of which
 * company comes first: it is read, screened and stored for a third of what 500 cost. With all 500: npm run prove -- sessions.
 */
export const smallTape: typeof generateMarket = (options) => withFewer(keptTape(options));
export const smallMarket: typeof generateMarket = (options) => withFewer(keptMarket(options));

/** An exchange of a test: on the generated market, unless it is given a tape. */
export const startTestExchange = (options: ExchangeOptions): Promise<Exchange> =>
  startExchange({ generate: keptMarket, ...options });
