import { proveStrategies } from "../golden/golden-on-tape.ts";
import { TAPE } from "./place.mjs";

/** After a change that is meant: `GOLDEN=print npx vitest run --project recorded golden` prints the new values. */
proveStrategies({
  name: "the S&P tape of 2019 and 2020, traded in 2020",
  directory: TAPE,
  pinned: {
    MOMENTUM: { trades: 237, equity: "97967.85", drawdown: "-0.081058", sharpe: "-0.2367" },
    MEAN_REVERSION: { trades: 100, equity: "100030.99", drawdown: "-0.011789", sharpe: "0.0332" },
    BREAKOUT: { trades: 37, equity: "99024.19", drawdown: "-0.045109", sharpe: "-0.2750" },
  },
  investedOn: "2020-02-20",
  riskOffFrom: "2020-02-25",
  riskOffUntil: "2020-03-31",
  decidedFrom: "2020-06-01",
});
