import { nextSession } from "../../domain/market-calendar.ts";
import type { SessionDate } from "../../domain/time.ts";
import { foundHistory, type GeneratedHistory } from "./generated-history.ts";
import { addSession, type GivenMoves } from "./generated-session.ts";
import type { Market } from "./source.ts";

export { foundHistory, type GeneratedHistory } from "./generated-history.ts";
export type { IndexMove } from "./generated-session.ts";

interface GeneratedMarketOptions {
  seed: number;
  start: SessionDate;
  /** Sessions whose index return is given: a test's crash comes on its day. */
  indexMove?: GivenMoves;
}

/**
 * A market that never was: about 500 companies and SPY, driven by a regime-switching factor model (market,
 * sector, own news, jumps). The same seed and start give the same market, however far it is asked to go.
 */
export function generateMarket({ seed, start, indexMove }: GeneratedMarketOptions): Market {
  return goOn(foundHistory({ seed, start }), indexMove);
}

/** The market of a history, which it draws on when it is asked to. */
export function goOn(history: GeneratedHistory, indexMove?: GivenMoves): Market {
  const { seed, firstStart, assets, columns, sessions, splits, dividends, earnings, vix, halts } = history;
  const index = new Map(sessions.map((date, at) => [date, at]));

  function extendTo(date: SessionDate): void {
    for (; history.upcoming <= date; history.upcoming = nextSession(history.upcoming)) {
      index.set(history.upcoming, sessions.length);
      addSession(history, history.upcoming, indexMove);
    }
  }
  extendTo(firstStart);

  return {
    kind: "generated",
    name: "practice market",
    seed,
    symbols: [...columns.keys()],
    assets,
    sessions,
    defaultStart: firstStart,
    lastSession: null,
    splits,
    dividends,
    earnings,
    vix,
    halts,
    extendTo,
    series: (symbol) => columns.get(symbol),
    sessionIndex: (date) => index.get(date),
  };
}
