import { readFileSync, writeFileSync } from "node:fs";
import { deserialize, serialize } from "node:v8";
import { foundHistory, type GeneratedHistory, type generateMarket, goOn } from "@/lib/exchange/market/generated.ts";
import type { Market } from "@/lib/exchange/market/source.ts";
import { readTape } from "@/lib/exchange/market/tape.ts";
import { type Exchange, type ExchangeOptions, startExchange } from "@/lib/exchange/start.ts";
import { addDays } from "@/lib/domain/time.ts";
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

/** An exchange of a test: on the generated market, unless it is given a tape. */
export const startTestExchange = (options: ExchangeOptions): Promise<Exchange> =>
  startExchange({ generate: keptMarket, ...options });
