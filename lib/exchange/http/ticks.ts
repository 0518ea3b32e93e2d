import type { ExchangeState } from "../book/state.ts";
import { PRINTS_PER_MINUTE } from "../market/ticks.ts";
import { firstIndexFrom, isDescending, rangeOf, resumedAt, symbolsOf } from "./data-query.ts";
import { inOrder, manySymbols, type Rows, singleSymbol } from "./pages.ts";
import { type Call, data, type Route } from "./router.ts";
import { type PlacedPrint, positionOf, printsAt, quoteWire, tradeWire } from "./tick-wire.ts";

type Wire = (state: ExchangeState, symbol: string, print: PlacedPrint) => Record<string, unknown>;

/** Trades or quotes: the prints of every minute that is over. */
function tickRows({ state, query }: Call, wire: Wire): Rows {
  const { startMs, endMs } = rangeOf(state, query);
  const isNewestFirst = isDescending(query);
  const now = state.view.moment();
  const first = Math.max(0, firstIndexFrom(state, startMs) - 1);
  const last = Math.min(now.index, firstIndexFrom(state, endMs + 1) - 1);
  return function* rows(symbol, resume) {
    const resumed = resume === null ? null : Math.floor(resume / PRINTS_PER_MINUTE);
    const { from, to, step } = inOrder(first, last, isNewestFirst);
    const begin = resumed === null ? from : resumedAt(state, Math.floor(resumed / 1000));
    for (let i = begin; step > 0 ? i <= to : i >= to; i += step) {
      const hours = state.sessions.hours(state.market.sessions[i] as string);
      const minuteOf = (ms: number) => Math.floor((ms - hours.opensAtMs) / 60_000);
      const over = i === now.index ? now.minutesDone : hours.minutes;
      const minutes = inOrder(Math.max(0, minuteOf(startMs)), Math.min(over - 1, minuteOf(endMs)), isNewestFirst);
      const atResume = resumed !== null && Math.floor(resumed / 1000) === i ? resumed % 1000 : minutes.from;
      for (let m = atResume; step > 0 ? m <= minutes.to : m >= minutes.to; m += step) {
        const prints = printsAt(state, symbol, i, m);
        if (isNewestFirst) prints.reverse();
        for (const print of prints) {
          const position = positionOf(print);
          if (resume !== null && (isNewestFirst ? position > resume : position < resume)) continue;
          if (print.atMs < startMs || print.atMs > endMs) continue;
          yield [position, JSON.stringify(wire(state, symbol, print))];
        }
      }
    }
  };
}

function ticks(name: "trades" | "quotes", wire: Wire): Route[] {
  return [
    data(`/v2/stocks/${name}`, (call) => manySymbols(call, name, symbolsOf(call.query), tickRows(call, wire))),
    data(`/v2/stocks/{symbol}/${name}`, (call) => singleSymbol(call, name, tickRows(call, wire))),
  ];
}

export const tickRoutes: Route[] = [...ticks("trades", tradeWire), ...ticks("quotes", quoteWire)];
