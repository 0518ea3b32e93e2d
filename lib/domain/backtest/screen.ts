import { type Ranking, rankColumns, rankScratch } from "../screening/rank-columns.ts";
import { featureFilter } from "../screening/score.ts";
import { selectSeats } from "../screening/select-seats.ts";
import type { Remembered } from "../screening/swap-seats.ts";
import { type FeatureTable, openScoreBlock, quarantineAfter, scoreFeaturesAfter } from "./features.ts";
import type { Fold, ScreenRoom, Today } from "./fold.ts";
import type { SeatView } from "../engine/plan.ts";

/** The selection of a session. The ranking holds until the next session is screened. */
export interface Screening {
  ranking: Ranking;
  /** Best first. */
  seats: SeatView[];
  remembered: Remembered;
  /** Symbols that have features. */
  screened: number;
}

export function openRoom({ symbols, bars }: FeatureTable): ScreenRoom {
  return {
    listed: symbols.map(({ symbol, sector }) => ({ symbol, sector: sector ?? "Unknown" })),
    isStock: Uint8Array.from(symbols, ({ sector }) => (sector === "ETF" ? 0 : 1)),
    doubted: [...bars.keys()].filter((place) => bars[place]!.jumps.length > 0),
    block: openScoreBlock(symbols.length),
    eligible: new Uint8Array(symbols.length),
    scratch: rankScratch(symbols.length),
  };
}

/** Screens the session on the bars closed before it, with the filters, scores and seats of a live selection. */
export function screen(fold: Fold, { session, date }: Today): Screening {
  const { features: table, room, selection: previous, input } = fold;
  const { policy } = input;
  const { listed, isStock, doubted, block, eligible, scratch } = room;
  const features = scoreFeaturesAfter(table, session - 1, block);
  const { barCount, close, adv20 } = features;
  let screened = 0;
  for (let place = 0; place < eligible.length; place++) {
    const count = barCount[place]!;
    if (count !== 0 && isStock[place] === 1) screened++;
    const passes = count !== 0 && featureFilter(close[place]!, count, adv20[place]!, policy) === null;
    eligible[place] = passes ? isStock[place]! : 0;
  }
  for (const place of doubted) if (quarantineAfter(table, place, session - 1) !== null) eligible[place] = 0;
  const incumbents = new Set<string>();
  for (const { symbol } of previous?.seats ?? []) incumbents.add(symbol);
  // A tape has neither quotes nor news: the factor of news is missing for every symbol, which is the safer branch.
  const ranking = rankColumns(
    {
      listed,
      placeOf: (symbol) => table.placeOf.get(symbol),
      features,
      eligible,
      lastPrice: close,
      spreadBps: null,
      sentiment: null,
      isIncumbent: (symbol) => incumbents.has(symbol),
      policy,
    },
    scratch,
  );
  const { seated, remembered } = selectSeats(ranking, previous, [], date, policy);
  const seats = seated.map(({ place, kind }, i) => ranking.seatOf(place, kind, i + 1));
  return { ranking, seats, remembered, screened };
}
