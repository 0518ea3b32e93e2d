import { fixtureTape } from "../market/fixture-tape.ts";
import { SHOCK } from "../market/index-path.ts";
import { proveStrategies } from "./golden-on-tape.ts";

/** After a change that is meant: `GOLDEN=print npx vitest run --project unit lib/proof/golden` prints the new values. */
proveStrategies({
  name: "the fixture market",
  directory: fixtureTape(),
  pinned: {
    MOMENTUM: { trades: 220, equity: "111261.03", drawdown: "-0.061157", sharpe: "1.3610" },
    MEAN_REVERSION: { trades: 133, equity: "101016.10", drawdown: "-0.005576", sharpe: "0.8176" },
    BREAKOUT: { trades: 33, equity: "101049.78", drawdown: "-0.011435", sharpe: "0.5526" },
  },
  investedOn: "2020-02-20",
  riskOffFrom: SHOCK,
  riskOffUntil: "2020-04-15",
  decidedFrom: "2020-01-15",
});
