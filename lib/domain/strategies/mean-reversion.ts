import type { FeatureRow } from "../screening/features.ts";
import type { Policy } from "../policy.ts";
import { atLeast, atMost, type EntrySignal, type SignalInput, signalFrom } from "./signal.ts";

/** Short-term mean reversion in an up-trend (Connors & Alvarez, RSI(2)). "SPY above SMA200" is asked by the regime gate. */
export function meanReversionEntry({ features, policy }: SignalInput): EntrySignal {
  const rules = policy.signals_confidence;
  const { close, sma200, sma5, rsi2, gap, atr14, adv20 } = features;
  return signalFrom("MEAN_REVERSION", [
    atLeast("close over SMA200", sma200 === null ? null : close / sma200, 1, 4, true),
    atMost("RSI2", rsi2, rules.reversion_rsi, 1, true),
    atMost("close over SMA5", sma5 === null ? null : close / sma5, 1, 4, true),
    atMost(
      "gap in ATR",
      gap === null || atr14 === null || atr14 <= 0 ? null : Math.abs(gap) / atr14,
      rules.reversion_gap_atr,
      2,
    ),
    atLeast("dollar volume in millions", adv20 === null ? null : adv20 / 1e6, rules.reversion_min_adv / 1e6, 1),
  ]);
}

/** True when the bounce has come: close above SMA5 or RSI2 above the exit line, on the last closed bar. */
export function hasReverted(features: FeatureRow | null, policy: Policy): boolean {
  if (features === null) return false;
  const isAboveMean = features.sma5 !== null && features.close > features.sma5;
  return isAboveMean || (features.rsi2 !== null && features.rsi2 > policy.exits.reversion_exit_rsi);
}
