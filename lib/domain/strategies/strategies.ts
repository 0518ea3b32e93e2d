import type { StrategyName } from "../enums.ts";
import { breakout } from "./breakout.ts";
import { meanReversion } from "./mean-reversion.ts";
import { momentum } from "./momentum.ts";
import type { Strategy } from "./strategy.ts";

/** Every strategy. A new one is a name in enums.ts and in the schema, a file beside this one, and a line here. */
export const STRATEGIES: Record<StrategyName, Strategy> = {
  MOMENTUM: momentum,
  MEAN_REVERSION: meanReversion,
  BREAKOUT: breakout,
};
