import type { SeatView } from "../engine/plan.ts";
import type { SeatKindName } from "../enums.ts";
import type { Policy } from "../policy.ts";
import { orderPlaces, percentileRanks, type SortRoom, sortRoom, zScores } from "./percentile.ts";
import { rsiBand, type Score, trendShare } from "./score.ts";
import type { ScoreFeatures } from "./score-columns.ts";

/** What one selection ranks. Places are symbols A–Z; what is not eligible is not ranked and counts for no other symbol's rank. */
export interface RankInput {
  listed: readonly { symbol: string; sector: string }[];
  placeOf: (symbol: string) => number | undefined;
  features: ScoreFeatures;
  /** 1 for what passed the hard filters. */
  eligible: Uint8Array;
  lastPrice: Float64Array;
  /** NaN for a symbol without quotes; null when no symbol has any. */
  spreadBps: Float64Array | null;
  /** 0 … 100 by place; null when the source is unavailable: then the factor is missing for every symbol. */
  sentiment: Float64Array | null;
  isIncumbent: (symbol: string) => boolean;
  policy: Policy;
}

/** The eligible symbols, best first, as places of the input. A score is made when it is read. */
export interface Ranking extends Pick<RankInput, "listed"> {
  count: number;
  /** Places, the first `count` of them ranked. */
  order: Int32Array;
  /** 1-based, by place; only of what is ranked. */
  rankOf: Int32Array;
  /** Of a selection in the making, by place; `heldAt`: 1 more than the place among the seats before, 0 where it did not sit. */
  marks: Uint8Array;
  heldAt: Uint16Array;
  compositeOf(place: number): number;
  /** Momentum 0 … 100 among the ranked; null where it is not known. */
  momentumOf(place: number): number | null;
  scoreOf(place: number): Score;
  /** A seat as decisions read it; `rank` is its place among the seats, 1-based. */
  seatOf(place: number, kind: SeatKindName, rank: number): SeatView;
  /** Null for what is not ranked. */
  placeOf(symbol: string): number | null;
}

/** Room for a selection: a caller that ranks the same symbols again keeps it. */
export interface RankScratch {
  room: SortRoom;
  values: Float64Array;
  long: Float64Array;
  short: Float64Array;
  liquidity: Float64Array;
  momentum: Float64Array;
  technical: Float64Array;
  rankOf: Int32Array;
  marks: Uint8Array;
  heldAt: Uint16Array;
}

export function rankScratch(count: number): RankScratch {
  const column = () => new Float64Array(count);
  return {
    room: sortRoom(count),
    values: column(),
    long: column(),
    short: column(),
    liquidity: column(),
    momentum: column(),
    technical: column(),
    rankOf: new Int32Array(count),
    marks: new Uint8Array(count),
    heldAt: new Uint16Array(count),
  };
}

function ratio(top: number, bottom: number): number {
  return bottom > 0 ? top / bottom : Number.NaN;
}

/** A missing value scores 0: less evidence never scores higher. */
function orZero(value: number): number {
  return Number.isNaN(value) ? 0 : value;
}

/** 0 … 100 by place. */
function liquidityScores({ features, eligible, spreadBps, policy }: RankInput, scratch: RankScratch) {
  const { liquidity_volume_share: share, winsor_fraction } = policy.selector_top50;
  const { values, room } = scratch;
  for (let i = 0; i < values.length; i++) values[i] = eligible[i] === 1 ? Math.log(features.adv20[i]!) : Number.NaN;
  const scores = percentileRanks(values, winsor_fraction, room, scratch.liquidity);
  if (spreadBps === null) {
    for (let i = 0; i < scores.length; i++) scores[i] = 100 * scores[i]!;
    return scores;
  }
  const spread = percentileRanks(spreadBps, winsor_fraction, room, values);
  // Where others have quotes, a symbol without one gets nothing for its spread.
  for (let i = 0; i < scores.length; i++) scores[i] = 100 * (share * scores[i]! + (1 - share) * orZero(1 - spread[i]!));
  return scores;
}

/** Percentile 0 … 1 of ½·z(R12-1/σ252) + ½·z(R6-1/σ126). */
function momentumRanks({ features: f, eligible, policy }: RankInput, scratch: RankScratch): Float64Array {
  const { values, long, short, room } = scratch;
  for (let i = 0; i < values.length; i++) {
    const isRanked = eligible[i] === 1;
    long[i] = isRanked ? ratio(f.momentum12[i]!, f.sigma252[i]!) : Number.NaN;
    short[i] = isRanked ? ratio(f.momentum6[i]!, f.sigma126[i]!) : Number.NaN;
  }
  zScores(long, 3, long);
  zScores(short, 3, short);
  for (let i = 0; i < values.length; i++) values[i] = 0.5 * long[i]! + 0.5 * short[i]!;
  return percentileRanks(values, policy.selector_top50.winsor_fraction, room, scratch.momentum);
}

function technicalScores(
  { features: f, eligible, policy }: RankInput,
  momentum: Float64Array,
  scratch: RankScratch,
): Float64Array {
  const { values, technical, room, long, short } = scratch;
  const { winsor_fraction } = policy.selector_top50;
  for (let i = 0; i < values.length; i++)
    values[i] = eligible[i] === 1 ? ratio(f.close[i]!, f.high252[i]!) : Number.NaN;
  const proximity = percentileRanks(values, winsor_fraction, room, long);
  for (let i = 0; i < values.length; i++) values[i] = eligible[i] === 1 ? f.sigma60[i]! : Number.NaN;
  const volatility = percentileRanks(values, winsor_fraction, room, short);
  for (let i = 0; i < values.length; i++) {
    if (eligible[i] === 0) continue;
    const parts =
      orZero(momentum[i]!) +
      trendShare(f.close[i]!, f.sma50[i]!, f.sma200[i]!) +
      orZero(proximity[i]!) +
      rsiBand(f.rsi14[i]!, policy) +
      orZero(1 - volatility[i]!);
    technical[i] = (100 * parts) / 5;
  }
  return technical;
}

/**
 * Scores and ranks of the eligible (engine.md §3). The ranking reads the scratch, and holds until the next one is made with the
 * same scratch; what the scratch holds before changes no rank.
 */
export function rankColumns(input: RankInput, scratch: RankScratch): Ranking {
  const { listed, features, eligible, lastPrice, sentiment, isIncumbent, policy } = input;
  const { weight_technical, weight_liquidity, weight_sentiment, min_coverage } = policy.selector_top50;
  const coverage = weight_technical + weight_liquidity + (sentiment === null ? 0 : weight_sentiment);
  // 0.45 + 0.25 is 0.7 but for the last bit.
  const isCovered = coverage >= min_coverage - 1e-9;
  const liquidity = liquidityScores(input, scratch);
  const momentum = momentumRanks(input, scratch);
  const technical = technicalScores(input, momentum, scratch);
  const { values, rankOf, marks, heldAt, room } = scratch;
  const compositeOf = (place: number) =>
    weight_technical * technical[place]! +
    weight_liquidity * liquidity[place]! +
    weight_sentiment * (sentiment === null ? 0 : sentiment[place]!);
  for (let i = 0; i < values.length; i++) values[i] = isCovered && eligible[i] === 1 ? -compositeOf(i) : Number.NaN;
  const { order } = room;
  // Ties: higher composite → incumbent → higher dollar volume → symbol A–Z.
  const count = orderPlaces(
    values,
    room,
    (a, b) =>
      Number(isIncumbent(listed[b]!.symbol)) - Number(isIncumbent(listed[a]!.symbol)) ||
      features.adv20[b]! - features.adv20[a]! ||
      a - b,
  );
  for (let index = 0; index < count; index++) rankOf[order[index]!] = index + 1;
  const momentumOf = (place: number) => (Number.isNaN(momentum[place]!) ? null : 100 * momentum[place]!);
  return {
    listed,
    count,
    order,
    rankOf,
    marks,
    heldAt,
    compositeOf,
    momentumOf,
    scoreOf: (place) => ({
      symbol: listed[place]!.symbol,
      sector: listed[place]!.sector,
      rank: rankOf[place]!,
      composite: compositeOf(place),
      liquidity: liquidity[place]!,
      technical: technical[place]!,
      sentiment: sentiment === null ? null : sentiment[place]!,
      coverage,
      momentumPercentile: momentumOf(place),
      adv: features.adv20[place]!,
      barCount: features.barCount[place]!,
      lastPrice: lastPrice[place]!,
    }),
    seatOf: (place, kind, rank) => ({
      symbol: listed[place]!.symbol,
      rank,
      kind,
      composite: compositeOf(place),
      liquidity: liquidity[place]!,
      sentiment: sentiment === null ? null : sentiment[place]!,
      technical: technical[place]!,
      momentumPercentile: momentumOf(place),
    }),
    placeOf: (symbol) => {
      const place = input.placeOf(symbol);
      return count === 0 || place === undefined || eligible[place] === 0 ? null : place;
    },
  };
}
