import { fixtureTape } from "../market/fixture-tape.ts";
import { SHOCK } from "../market/index-path.ts";
import { proveStrategies } from "./golden-on-tape.ts";

/** After a change that is meant: `GOLDEN=print npx vitest run --project unit lib/proof/golden` prints the new values. */
proveStrategies({
  name: "the fixture market",
  directory: fixtureTape(),
  pinned: {
    MOMENTUM: { trades: 148, equity: "103587.55", drawdown: "-0.039322", sharpe: "0.5945" },
    MEAN_REVERSION: { trades: 114, equity: "101103.37", drawdown: "-0.005338", sharpe: "0.9550" },
    BREAKOUT: { trades: 31, equity: "102397.94", drawdown: "-0.009693", sharpe: "1.2056" },
  },
  investedOn: "2020-02-20",
  riskOffFrom: SHOCK,
  riskOffUntil: "2020-04-15",
  decidedFrom: "2020-01-15",
});
