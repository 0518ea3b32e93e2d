import { proveStrategies } from "../golden/golden-on-tape.ts";
import { TAPE } from "./place.mjs";

/** After a change that is meant: `GOLDEN=print npx vitest run --project recorded golden` prints the new values. */
proveStrategies({
  name: "the S&P tape of 2019 and 2020, traded in 2020",
  directory: TAPE,
  pinned: {
    MOMENTUM: { trades: 220, equity: "101128.09", drawdown: "-0.064938", sharpe: "0.1902" },
    MEAN_REVERSION: { trades: 105, equity: "100123.06", drawdown: "-0.012024", sharpe: "0.1081" },
    BREAKOUT: { trades: 35, equity: "99885.38", drawdown: "-0.042041", sharpe: "-0.0211" },
  },
  investedOn: "2020-02-20",
  riskOffFrom: "2020-02-25",
  riskOffUntil: "2020-03-31",
  decidedFrom: "2020-06-01",
});
