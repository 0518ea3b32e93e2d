import type { Route } from "../http/router.ts";
import { alphavantageRoutes } from "./alphavantage.ts";
import { edgarRoutes } from "./edgar.ts";
import { finnhubRoutes } from "./finnhub.ts";
import { fmpRoutes } from "./fmp.ts";
import { llmRoutes } from "./llm.ts";
import type { VendorKeys } from "./settings.ts";
import { cboeRoutes, fredRoutes } from "./vix.ts";

/** The vendors' endpoints in their own wire formats, from the same market as everything else. */
export function vendorRoutes(keys: VendorKeys): Route[] {
  return [
    ...finnhubRoutes(keys.finnhub),
    ...fmpRoutes(keys.fmp),
    ...alphavantageRoutes(keys.alphavantage),
    ...cboeRoutes,
    ...edgarRoutes,
    ...fredRoutes(keys.fred),
    ...llmRoutes(keys.llm),
  ];
}
