/** Who answers from outside: the vendors of market data, the insight model and the practice market. */
export const PROVIDERS = [
  "Alpaca",
  "Finnhub",
  "Financial Modeling Prep",
  "Alpha Vantage",
  "CBOE",
  "FRED",
  "SEC EDGAR",
  "Insight model",
  "Practice market",
] as const;
export type ProviderName = (typeof PROVIDERS)[number];

/** Whose closes and quotes are read: the first two of the market that they are of, the others to compare. */
export type PriceProvider = Extract<
  ProviderName,
  "Alpaca" | "Practice market" | "Finnhub" | "Financial Modeling Prep" | "Alpha Vantage"
>;

/** Whose calendar of companies' reports is read. */
export interface EarningsCalendar {
  vendor: Extract<ProviderName, "Finnhub" | "Financial Modeling Prep" | "Alpha Vantage">;
  /** False where it lists coming reports only: past ones have to come from elsewhere. */
  coversPast: boolean;
}

/** Why a call of a provider failed. */
export const CALL_FAULTS = ["timeout", "unreachable", "status", "not_json", "unknown_form"] as const;
export type CallFault = (typeof CALL_FAULTS)[number];

export const CALL_FAULT_TEXT: Record<CallFault, string> = {
  timeout: "No answer in time",
  unreachable: "Cannot be reached",
  status: "Refused the request",
  not_json: "The answer is not JSON",
  unknown_form: "The answer has an unknown form",
};
