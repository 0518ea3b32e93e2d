import type { Answer } from "../../contracts/endpoint.ts";
import type { preferencesApi } from "../../contracts/preferences.ts";

/** What a person begins with. */
export const TRADING_PREFERENCES: Answer<typeof preferencesApi.readTrading> = {
  strategy: "MOMENTUM",
  riskTolerance: "medium",
  riskLevel: "MEDIUM",
  paperTradingOnly: true,
  maxPositions: 3,
  maxPositionValue: 1000,
  defaultOrderSize: 1000,
  profitTarget: 5,
  stopLoss: 3,
  checkInterval: 5,
};
