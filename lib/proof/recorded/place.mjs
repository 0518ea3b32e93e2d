import path from "node:path";

/** Recorded days, the broker's documents and golden values: they lie beside a checkout, or are not there. */
export const SHARED = path.resolve(import.meta.dirname, "../../../../shared");

/** The members of the S&P 500 in 2019 and 2020. */
export const TAPE = path.join(SHARED, "market/sp500-2019-2020");
export const TRADING_API = path.join(SHARED, "alpaca/trading-api.json");
export const MARKET_DATA_API = path.join(SHARED, "alpaca/market-data-api.json");
export const INDICATOR_VECTORS = path.join(SHARED, "vectors/indicators.json");
