import { fixtureTape } from "../market/fixture-tape.ts";
import { SHOCK } from "../market/index-path.ts";
import { proveStrategies } from "./golden-on-tape.ts";

/** After a change that is meant: `GOLDEN=print npx vitest run --project unit lib/proof/golden` prints the new values. */
proveStrategies({
  name: "the fixture market",
  directory: fixtureTape(),
  pinned: {
    MOMENTUM: { trades: 224, equity: "113146.08", drawdown: "-0.050548", sharpe: "1.5812" },
    MEAN_REVERSION: { trades: 133, equity: "101085.03", drawdown: "-0.004972", sharpe: "0.8656" },
    BREAKOUT: { trades: 33, equity: "101119.97", drawdown: "-0.010491", sharpe: "0.5939" },
  },
  investedOn: "2020-02-20",
  riskOffFrom: SHOCK,
  riskOffUntil: "2020-04-15",
  decidedFrom: "2020-01-15",
});
