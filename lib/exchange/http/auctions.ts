import type { ExchangeState } from "../book/state.ts";
import { firstIndexFrom, isDescending, isoSeconds, rangeOf, symbolsOf } from "./data-query.ts";
import { inOrder, manySymbols, type Rows, singleSymbol } from "./pages.ts";
import { type Call, data, type Route } from "./router.ts";
import { printsAt } from "./tick-wire.ts";

/** The exchange that holds a symbol's auctions. */
const VENUES = { NYSE: "N", ARCA: "P", NASDAQ: "Q" } as const;

/** Opening and closing auctions of a session as far as they have been held; null before the first. */
function auctionsText(desk: ExchangeState, symbol: string, index: number): string | null {
  const now = desk.view.moment();
  const date = desk.market.sessions[index] as string;
  const day = desk.view.path(symbol, index);
  if (day === undefined) return null;
  const { opensAtMs, closesAtMs, minutes } = desk.sessions.hours(date);
  const x = VENUES[desk.market.assets.get(symbol)?.exchange ?? "NASDAQ"];
  const auction = (ms: number, p: number, s: number, c: string) => ({ c, p, s, t: isoSeconds(ms), x });
  const opening = printsAt(desk, symbol, index, 0)[0];
  const closing = printsAt(desk, symbol, index, minutes - 1).at(-1);
  const hasClosed = index < now.index || now.minutesDone >= minutes;
  const opens = opening === undefined ? [] : [auction(opensAtMs, opening.price, opening.size, "O")];
  const closes =
    closing === undefined || !hasClosed
      ? []
      : [auction(closesAtMs, day.close[minutes - 1] as number, closing.size, "6")];
  return JSON.stringify({ d: date, o: opens, c: closes });
}

function auctionRows({ desk, query }: Call): Rows {
  const { startMs, endMs } = rangeOf(desk, query);
  const first = firstIndexFrom(desk, startMs);
  const last = Math.min(desk.view.moment().index, firstIndexFrom(desk, endMs + 1) - 1);
  const { from, to, step } = inOrder(first, last, isDescending(query));
  return function* rows(symbol, resume) {
    for (let i = resume ?? from; step > 0 ? i <= to : i >= to; i += step) {
      const text = auctionsText(desk, symbol, i);
      if (text !== null) yield [i, text];
    }
  };
}

export const auctionRoutes: Route[] = [
  data("/v2/stocks/auctions", (call) => manySymbols(call, "auctions", symbolsOf(call.query), auctionRows(call))),
  data("/v2/stocks/{symbol}/auctions", (call) => singleSymbol(call, "auctions", auctionRows(call))),
];
