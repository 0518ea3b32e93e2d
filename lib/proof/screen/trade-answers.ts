import type { Answer } from "../../contracts/endpoint.ts";
import type { tradesApi } from "../../contracts/trades.ts";

export const NO_TRADES: Answer<typeof tradesApi.list> = {
  environment: "PRACTICE",
  environments: ["PRACTICE"],
  trades: [],
  summary: {
    totalTrades: 0,
    filledTrades: 0,
    winningTrades: 0,
    losingTrades: 0,
    totalVolume: 0,
    averageTradeSize: 0,
  },
  pagination: { nextCursor: null, limit: 1, total: 0 },
};
