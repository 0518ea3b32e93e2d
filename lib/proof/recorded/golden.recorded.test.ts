import { proveStrategies } from "../golden/golden-on-tape.ts";
import { TAPE } from "./place.mjs";

/** After a change that is meant: `GOLDEN=print npx vitest run --project recorded golden` prints the new values. */
proveStrategies({
  name: "the S&P tape of 2019 and 2020, traded in 2020",
  directory: TAPE,
  pinned: {
    MOMENTUM: { trades: 236, equity: "98108.57", drawdown: "-0.077943", sharpe: "-0.2247" },
    MEAN_REVERSION: { trades: 99, equity: "99911.98", drawdown: "-0.011789", sharpe: "-0.0725" },
    BREAKOUT: { trades: 35, equity: "99754.89", drawdown: "-0.042730", sharpe: "-0.0629" },
  },
  investedOn: "2020-02-20",
  riskOffFrom: "2020-02-25",
  riskOffUntil: "2020-03-31",
  decidedFrom: "2020-06-01",
});
