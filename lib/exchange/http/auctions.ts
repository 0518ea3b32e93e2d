import type { ExchangeState } from "../book/state.ts";
import { firstIndexFrom, isDescending, isoSeconds, rangeOf, resumedAt, symbolsOf } from "./data-query.ts";
import { inOrder, manySymbols, type Rows, singleSymbol } from "./pages.ts";
import { type Call, data, type Route } from "./router.ts";
import { printsAt } from "./tick-wire.ts";

/** The exchange that holds a symbol's auctions. */
const VENUES = { NYSE: "N", ARCA: "P", NASDAQ: "Q" } as const;

/** Opening and closing auctions of a session as far as they have been held; null before the first. */
function auctionsText(state: ExchangeState, symbol: string, index: number): string | null {
  const now = state.view.moment();
  const date = state.market.sessions[index] as string;
  const day = state.view.path(symbol, index);
  if (day === undefined) return null;
  const { opensAtMs, closesAtMs, minutes } = state.sessions.hours(date);
  const x = VENUES[state.market.assets.get(symbol)?.exchange ?? "NASDAQ"];
  const auction = (ms: number, p: number, s: number, c: string) => ({ c, p, s, t: isoSeconds(ms), x });
  const opening = printsAt(state, symbol, index, 0)[0];
  const closing = printsAt(state, symbol, index, minutes - 1).at(-1);
  const hasClosed = index < now.index || now.minutesDone >= minutes;
  const opens = opening === undefined ? [] : [auction(opensAtMs, opening.price, opening.size, "O")];
  const closes =
    closing === undefined || !hasClosed
      ? []
      : [auction(closesAtMs, day.close[minutes - 1] as number, closing.size, "6")];
  return JSON.stringify({ d: date, o: opens, c: closes });
}

function auctionRows({ state, query }: Call): Rows {
  const { startMs, endMs } = rangeOf(state, query);
  const first = firstIndexFrom(state, startMs);
  const last = Math.min(state.view.moment().index, firstIndexFrom(state, endMs + 1) - 1);
  const { from, to, step } = inOrder(first, last, isDescending(query));
  return function* rows(symbol, resume) {
    for (let i = resume === null ? from : resumedAt(state, resume); step > 0 ? i <= to : i >= to; i += step) {
      const text = auctionsText(state, symbol, i);
      if (text !== null) yield [i, text];
    }
  };
}

export const auctionRoutes: Route[] = [
  data("/v2/stocks/auctions", (call) => manySymbols(call, "auctions", symbolsOf(call.query), auctionRows(call))),
  data("/v2/stocks/{symbol}/auctions", (call) => singleSymbol(call, "auctions", auctionRows(call))),
];
