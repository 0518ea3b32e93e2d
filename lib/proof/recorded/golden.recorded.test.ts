import { proveStrategies } from "../golden/golden-on-tape.ts";
import { TAPE } from "./place.mjs";

/** After a change that is meant: `GOLDEN=print npx vitest run --project recorded golden` prints the new values. */
proveStrategies({
  name: "the S&P tape of 2019 and 2020, traded in 2020",
  directory: TAPE,
  pinned: {
    MOMENTUM: { trades: 180, equity: "104010.05", drawdown: "-0.058889", sharpe: "0.7023" },
    MEAN_REVERSION: { trades: 103, equity: "100933.06", drawdown: "-0.010122", sharpe: "0.7776" },
    BREAKOUT: { trades: 33, equity: "99944.77", drawdown: "-0.037196", sharpe: "-0.0061" },
  },
  investedOn: "2020-02-20",
  riskOffFrom: "2020-02-25",
  riskOffUntil: "2020-03-31",
  decidedFrom: "2020-06-01",
});
