import { cagr, equityCurve, maxDrawdown } from "../metrics.ts";
import { type LuckBand, luckBand } from "../statistics/bootstrap.ts";
import { regress, type Regression } from "../statistics/regression.ts";
import { part, type RunSeries } from "./series.ts";

/** Below this many round trips a result hangs on a few of them, and nothing is said about luck. */
export const TRIPS_MIN = 30;

/** What a holding came to. Fractions. */
export interface Holding {
  totalReturn: number;
  /** Growth a year; null with fewer than 252 sessions. */
  annual: number | null;
  /** At the closes, ≤ 0. */
  maxDrawdown: number;
}

/** Whether a run beat the market that it traded in, and what of it luck could have made. */
export interface Answer {
  sessions: number;
  trips: number;
  /** Mean of positions over equity at the closes; null without sessions. */
  exposure: number | null;
  strategy: Holding;
  /** SPY held with all the cash; null where it has no price in a session. */
  index: Holding | null;
  /** SPY held with the strategy's own exposure of the evening before, the rest in cash that earns nothing. */
  matched: Holding | null;
  /** All stocks in equal parts; null where that was not kept. */
  universe: Holding | null;
  /** To SPY; null as `regress` is. */
  regression: Regression | null;
  /** Sessions with a return of SPY. */
  indexSessions: number;
  /** Of the daily differences to SPY at the same exposure; null below 60 sessions or without it. */
  band: LuckBand | null;
  /** False where too few sessions or round trips let nothing be said about luck. */
  isJudged: boolean;
}

function holdingOf(returns: readonly number[]): Holding {
  const curve = equityCurve(returns);
  return { totalReturn: curve.at(-1)! - 1, annual: cagr(returns), maxDrawdown: maxDrawdown(curve)! };
}

const isWhole = (returns: readonly (number | null)[]): returns is number[] =>
  returns.length > 0 && returns.every((value) => value !== null);

/** The answer of a run or a part of it. `seed` makes the resampling the same each time. */
export function answerOf(series: RunSeries, seed: number): Answer {
  const { strategy, index, universe, exposure, exposureBefore } = series;
  const trips = series.trips.reduce((total, count) => total + count, 0);
  const matched = isWhole(index) ? index.map((value, i) => exposureBefore[i]! * value) : null;
  const band =
    matched &&
    luckBand(
      strategy.map((value, i) => value - matched[i]!),
      { seed },
    );
  return {
    sessions: strategy.length,
    trips,
    exposure: exposure.length === 0 ? null : exposure.reduce((total, value) => total + value, 0) / exposure.length,
    strategy: holdingOf(strategy),
    index: isWhole(index) ? holdingOf(index) : null,
    matched: matched && holdingOf(matched),
    universe: universe !== null && isWhole(universe) ? holdingOf(universe) : null,
    regression: regress(strategy, index),
    indexSessions: index.filter((value) => value !== null).length,
    band,
    isJudged: band !== null && trips >= TRIPS_MIN,
  };
}

/** Where a run is cut in two: what the first part shows, the last one has to show again. */
const FIRST_PART = 2 / 3;

/** The first two thirds and the last third of a run, each answered by itself; `from` and `to` are places of its sessions. */
export function answersOfParts(series: RunSeries, seed: number): { from: number; to: number; answer: Answer }[] {
  const count = series.strategy.length;
  const cut = Math.floor(count * FIRST_PART);
  return [
    { from: 0, to: cut - 1 },
    { from: cut, to: count - 1 },
  ].flatMap(({ from, to }) => (to < from ? [] : [{ from, to, answer: answerOf(part(series, from, to + 1), seed) }]));
}
