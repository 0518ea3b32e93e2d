import { readFileSync, writeFileSync } from "node:fs";
import { deserialize, serialize } from "node:v8";
import { foundHistory, type GeneratedHistory, type generateMarket, goOn } from "@/lib/exchange/market/generated.ts";
import { type Exchange, type ExchangeOptions, startExchange } from "@/lib/exchange/start.ts";
import { keep } from "./kept.ts";

/** The same market as the product generates: its years of history are drawn once and read from then on. */
export const keptMarket: typeof generateMarket = ({ seed, start }) => {
  const file = keep(`generated-${seed}-${start}`, (draft) => {
    const history = foundHistory({ seed, start });
    goOn(history);
    writeFileSync(draft, serialize(history));
  });
  return goOn(deserialize(readFileSync(file)) as GeneratedHistory);
};

/** An exchange of a test: on the generated market, unless it is given a tape. */
export const startTestExchange = (options: ExchangeOptions): Promise<Exchange> =>
  startExchange({ generate: keptMarket, ...options });
