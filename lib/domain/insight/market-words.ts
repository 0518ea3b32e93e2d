import type { RegimeLabel } from "../enums.ts";

/** The regime, told by what it means (behind "the market is"). */
export const MARKET_IS: Record<RegimeLabel, string> = {
  risk_on: "calm and rising",
  neutral: "mixed",
  risk_off: "falling or nervous",
};
