import type { ExchangeState } from "../book/state.ts";
import { type Print, PRINTS_PER_MINUTE, printsOf } from "../market/ticks.ts";
import { seedOf } from "../market/seeded.ts";
import { askOf, bidOf } from "../market/view.ts";
import { isoSeconds } from "./data-query.ts";

const CONDITIONS: readonly string[] = ["@"];
const QUOTE_CONDITIONS: readonly string[] = ["R"];
const TAPES = { NYSE: "A", ARCA: "B", NASDAQ: "C" } as const;

/** The consolidated tape that reports a symbol. */
export function tapeOf(state: ExchangeState, symbol: string): string {
  return TAPES[state.market.assets.get(symbol)?.exchange ?? "NASDAQ"];
}

/** A print in its session and minute. */
export interface PlacedPrint extends Print {
  index: number;
  minute: number;
  atMs: number;
}

/** Where a print stands among all of its symbol. */
export function positionOf({ index, minute, place }: PlacedPrint): number {
  return (index * 1000 + minute) * PRINTS_PER_MINUTE + place;
}

/** The prints of one minute, oldest first. */
export function printsAt(state: ExchangeState, symbol: string, index: number, minute: number): PlacedPrint[] {
  const path = state.view.path(symbol, index);
  const date = state.market.sessions[index];
  if (path === undefined || date === undefined) return [];
  const startMs = state.sessions.hours(date).opensAtMs + minute * 60_000;
  return printsOf(path, minute).map((print) => ({ ...print, index, minute, atMs: startMs + print.offsetMs }));
}

/** The last print by now: of the last minute that is over and had trades, or the opening one in the first minute. */
export function lastPrint(state: ExchangeState, symbol: string): PlacedPrint | null {
  const now = state.view.moment();
  for (let index = now.index; index >= 0; index -= 1) {
    const path = state.view.path(symbol, index);
    if (path === undefined) continue;
    const over = index === now.index ? now.minutesDone : path.minutes;
    const [opening] = over === 0 ? printsAt(state, symbol, index, 0) : [];
    // Where the first minute has no opening print, its others are still to come.
    if (opening?.place === 0) return opening;
    for (let minute = over - 1; minute >= 0; minute -= 1) {
      const last = printsAt(state, symbol, index, minute).at(-1);
      if (last !== undefined) return last;
    }
  }
  return null;
}

export function tradeWire(state: ExchangeState, symbol: string, print: PlacedPrint): Record<string, unknown> {
  return {
    t: isoSeconds(print.atMs),
    x: "V",
    p: print.price,
    s: print.size,
    c: CONDITIONS,
    i: positionOf(print),
    z: tapeOf(state, symbol),
  };
}

/** The quote around a print; the last of a minute is what the minute ends with. */
export function quoteWire(state: ExchangeState, symbol: string, print: PlacedPrint): Record<string, unknown> {
  const { index, minute, place, price } = print;
  const isLast = place === PRINTS_PER_MINUTE - 1;
  const when = isLast ? [minute + 1] : [minute, place];
  const size = (side: string) => 100 * (1 + (seedOf(state.market.seed, symbol, index, ...when, side) % 12));
  return {
    t: isoSeconds(print.atMs),
    ax: "V",
    ap: askOf(price),
    as: size("a"),
    bx: "V",
    bp: bidOf(price),
    bs: size("b"),
    c: QUOTE_CONDITIONS,
    z: tapeOf(state, symbol),
  };
}
