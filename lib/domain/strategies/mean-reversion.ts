import { dollarsBeside } from "../beside-line.ts";
import { quantityText as number } from "../format.ts";
import { counted } from "../counted.ts";
import type { Policy } from "../policy.ts";
import type { FeatureRow } from "../screening/features.ts";
import { nextCloseOnMean } from "./exit-levels.ts";
import type { Strategy } from "./strategy.ts";

/** True when the bounce has come: close above SMA5 or RSI2 above the exit line, on the last closed bar. */
function hasReverted(features: FeatureRow | null, policy: Policy): boolean {
  if (features === null) return false;
  const isAboveMean = features.sma5 !== null && features.close > features.sma5;
  return isAboveMean || (features.rsi2 !== null && features.rsi2 > policy.exits.reversion_exit_rsi);
}

const sizeWords = (scale: number) => (scale === 0.5 ? "half the size of" : `${number(scale)} times the size of`);

/** Short-term mean reversion in an up-trend (Connors & Alvarez, RSI(2)). "SPY above SMA200" is asked by the regime gate. */
export const meanReversion = {
  label: "Mean reversion",
  adjective: "mean-reversion",
  describe: ({ signals_confidence: rules, exits }) => ({
    does: [
      `Buys stocks in a long up-trend after a sharp fall of a few days: above their 200-day average, traded for at least $${number(rules.reversion_min_adv / 1e6)} million a day, with an RSI over 2 days below ${number(rules.reversion_rsi)}.`,
      `Bids ${number(rules.reversion_limit_atr)} of a usual daily range (ATR) below the last close, for ${sizeWords(rules.reversion_size)} an order, and sells once the price has bounced.`,
    ],
    trades: `In bursts, after falls: at most ${counted(rules.reversion_max_positions, "position")} at once and ${number(rules.reversion_max_sector)} in a sector. A bid that the price does not reach buys nothing. Nothing is bought unless SPY closed above its 200-day average.`,
    holds: `Days. Sold when it closes above its 5-day average or its RSI over 2 days closes above ${number(exits.reversion_exit_rsi)}, and after ${counted(exits.reversion_time_sessions, "session")} at the latest.`,
    struggles:
      "When a fall goes on: it buys into it, and only its stop or time ends the loss. A market that rises without pause gives it little to buy.",
  }),
  signal: ({ features, policy }, { atLeast, atMost }) => {
    const rules = policy.signals_confidence;
    const { close, sma200, sma5, rsi2, gap, atr14, adv20 } = features;
    const gapAtr = gap === null || atr14 === null || atr14 <= 0 ? null : Math.abs(gap) / atr14;
    return (
      atLeast("close over SMA200", sma200 === null ? null : close / sma200, 1, 4, true) &&
      atMost("RSI2", rsi2, rules.reversion_rsi, 1, true) &&
      atMost("close over SMA5", sma5 === null ? null : close / sma5, 1, 4, true) &&
      atMost("gap in ATR", gapAtr, rules.reversion_gap_atr, 2) &&
      atLeast("dollar volume in millions", adv20 === null ? null : adv20 / 1e6, rules.reversion_min_adv / 1e6, 1)
    );
  },
  /** The most oversold. */
  strength: (_, features) => (features === null || features.rsi2 === null ? null : -features.rsi2),
  isStrengthPercentile: false,
  regime: ({ regime: { spyClose, spyMa200 } }) => {
    if (spyClose === null || spyMa200 === null)
      return { isAllowed: null, detail: "SPY or its 200-day average is not known" };
    const [close, average] = dollarsBeside(spyClose, spyMa200);
    return { isAllowed: spyClose > spyMa200, detail: `SPY at ${close}, its 200-day average at ${average}` };
  },
  bidBelow: ({ signals_confidence }) => signals_confidence.reversion_limit_atr,
  // It bids for today's dip.
  isForOneSession: true,
  atr: ({ atr14 }) => atr14,
  stop: ({ exits }) => exits.reversion_stop_atr,
  edge: ({ orders_execution }) => orders_execution.expected_edge_bps_mean_reversion,
  sizeScale: (_, { signals_confidence }) => signals_confidence.reversion_size,
  most: ({ signals_confidence: { reversion_max_positions, reversion_max_sector } }) => ({
    positions: reversion_max_positions,
    inSector: reversion_max_sector,
  }),
  time: ({ exits }) => ({ sessions: exits.reversion_time_sessions, unlessR: null }),
  exit: (_, features, policy) => (hasReverted(features, policy) ? "mean_reverted" : null),
  exitLines: ({ closes, policy: { exits } }) => [
    { price: nextCloseOnMean(closes, 5), side: "above", text: (at) => `it closes above its 5-day average${at}` },
    { price: null, side: "above", text: () => `its RSI over 2 days closes above ${exits.reversion_exit_rsi}` },
  ],
} as const satisfies Strategy;
