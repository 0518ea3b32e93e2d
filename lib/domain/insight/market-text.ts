import type { RegimeLabel } from "../enums.ts";

/** The regime, told by what it means (behind "the market is"). */
export const MARKET_IS: Record<RegimeLabel, string> = {
  risk_on: "calm and rising",
  neutral: "mixed",
  risk_off: "falling or nervous",
};

/** The regime as a heading or a row says it, by itself. */
export const MARKET_LABEL: Record<RegimeLabel, string> = {
  risk_on: "Calm and rising",
  neutral: "Mixed",
  risk_off: "Falling or nervous",
};
