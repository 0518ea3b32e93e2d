/** Plans of a rotation of the example market. Only tests import it. */
import type { AccountState, MarketView } from "@/lib/domain/engine/plan.ts";
import { planRotation } from "@/lib/domain/rotation.ts";
import { kpiSnapshot } from "@/lib/domain/rotation/kpis.ts";
import type { RotationConfigView } from "@/lib/domain/rotation/proposal.ts";
import { exampleAccount, examplePolicy as policy } from "./example-market.ts";

/** Nothing was traded yet. */
export const kpis = kpiSnapshot([], []);
const config: RotationConfigView = {
  cadenceDays: 14,
  turnoverCapPctPerPeriod: 30,
  costAwareThresholdBps: 10,
  advisoryOnly: true,
};
/** Room for positions of 8,000 USD. */
export const rich = { ...exampleAccount().preferences, defaultOrderSize: "8000", maxPositionValue: "8000" };

export function plan(accounts: AccountState[], market: MarketView, change: Partial<RotationConfigView> = {}) {
  return planRotation({ market, accounts, policy, config: { ...config, ...change }, lastRotation: null, kpis });
}
