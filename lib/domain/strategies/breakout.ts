import { quantityText as number } from "../format.ts";
import { counted } from "../counted.ts";
import type { FeatureRow } from "../screening/features.ts";
import { lowestOfLast } from "./exit-levels.ts";
import type { Strategy } from "./strategy.ts";

/** A close above the highest high of the 55 bars before it: the only breakout that a neutral regime allows. */
function isLongBreakout(features: FeatureRow | null): boolean {
  return features !== null && features.high55Prior !== null && features.close > features.high55Prior;
}

/** True when the last close fell below the lowest low of the 10 bars before it. */
function hasBrokenChannel(features: FeatureRow | null): boolean {
  return features !== null && features.low10Prior !== null && features.close < features.low10Prior;
}

/** Channel breakout near the 52-week high (Donchian, Turtle 20/55; George & Hwang 2004). The regime is asked by its own gate. */
export const breakout = {
  label: "Breakout",
  adjective: "breakout",
  describe: ({ signals_confidence: rules, exits }) => ({
    does: [
      `Buys a stock in an up-trend that closes above the highest price of the 20 sessions before, with at least ${number(rules.breakout_volume_ratio)} times its usual volume and at ${number(100 * rules.breakout_high_fraction)}% of its 52-week high or more.`,
      `Once it has closed ${number(exits.breakout_trail_from_r * exits.breakout_stop_atr)} usual daily ranges (ATR) above its purchase, a trailing stop follows ${number(exits.breakout_trail_atr)} below its highest close.`,
    ],
    trades:
      "Rarely: price, volume and trend have to agree in one session. In a mixed market it takes a 55-session high, and nothing is bought while the market is falling or nervous.",
    holds: `Sold after ${counted(exits.breakout_time_sessions, "session")} unless it has closed ${number(exits.breakout_time_r * exits.breakout_stop_atr)} usual daily ranges (ATR) above its purchase; from then on without a time limit. Sold when it closes below the lowest price of the 10 sessions before.`,
    struggles:
      "In a market without direction: breakouts fail, and small losses add up while it waits for the few that run.",
  }),
  signal: ({ features, policy }, { atLeast, atMost }) => {
    const rules = policy.signals_confidence;
    const { close, high20Prior, high252, volumeRatio, adx14, adx14Prior, sma50, sma200, atr20 } = features;
    const chase = high20Prior === null || atr20 === null || atr20 <= 0 ? null : (close - high20Prior) / atr20;
    return (
      atLeast("close over the 20-day high", high20Prior === null ? null : close / high20Prior, 1, 4, true) &&
      atLeast("part of the 52-week high", high252 === null ? null : close / high252, rules.breakout_high_fraction, 4) &&
      atLeast("volume ratio", volumeRatio, rules.breakout_volume_ratio) &&
      atLeast("ADX14", adx14, rules.breakout_adx, 1) &&
      atLeast("ADX14 change", adx14 === null || adx14Prior === null ? null : adx14 - adx14Prior, 0, 2, true) &&
      atLeast("close over SMA50", sma50 === null ? null : close / sma50, 1, 4, true) &&
      atLeast("SMA50 over SMA200", sma50 === null || sma200 === null ? null : sma50 / sma200, 1, 4, true) &&
      atMost("ATR above the channel", chase, rules.breakout_chase_atr)
    );
  },
  /** The strongest volume. */
  strength: (_, features) => features?.volumeRatio ?? null,
  isStrengthPercentile: false,
  regime: ({ regime: { label }, word, features }) => {
    const isLong = isLongBreakout(features);
    return {
      isAllowed: label === "risk_on" || (label === "neutral" && isLong),
      detail: `${word}, ${isLong ? "55-day" : "20-day"} breakout`,
    };
  },
  isForOneSession: false,
  atr: ({ atr20 }) => atr20,
  stop: ({ exits }) => exits.breakout_stop_atr,
  edge: ({ orders_execution }) => orders_execution.expected_edge_bps_breakout,
  sizeScale: () => 1,
  trail: ({ exits }) => ({ atr: exits.breakout_trail_atr, fromR: exits.breakout_trail_from_r }),
  time: ({ exits }) => ({ sessions: exits.breakout_time_sessions, unlessR: exits.breakout_time_r }),
  exit: (_, features) => (hasBrokenChannel(features) ? "channel_broken" : null),
  exitLines: ({ lows }) => [
    {
      price: lowestOfLast(lows, 10),
      side: "below",
      text: (at) => `it closes below the lowest price of the 10 sessions before${at}`,
    },
  ],
} as const satisfies Strategy;
