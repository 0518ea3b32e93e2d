import { planRotation, rotationDue } from "../rotation.ts";
import { rotationConfigOf } from "../rotation/config.ts";
import { kpiSnapshot } from "../rotation/kpis.ts";
import { orderOfLeg } from "../rotation/order-of-leg.ts";
import type { Fold, Today } from "./fold.ts";
import { submitOrder } from "./session.ts";
import type { AccountState, MarketView } from "../engine/plan.ts";

/**
 * The biweekly rotation where it falls due, by the live rule and with its turnover cap: planned after the session's cycle,
 * approved at once, each leg checked again and sent in its order, sells before purchases. `stateNow` is the account as the
 * ledger has it in that moment; `firstLeg` comes after the orders of the cycle.
 */
export function rotate(
  fold: Fold,
  today: Today,
  view: MarketView,
  firstLeg: number,
  stateNow: () => AccountState,
): void {
  const { policy } = fold.input;
  const config = rotationConfigOf(policy);
  if (!rotationDue(fold.lastRotation, today.date, config.cadenceDays)) return;
  const { legs } = planRotation({
    market: view,
    accounts: [stateNow()],
    policy,
    config,
    lastRotation: fold.lastRotation,
    kpis: kpiSnapshot([], []),
  });
  fold.lastRotation = today.date;
  for (const leg of legs) {
    const { order } = orderOfLeg(leg, stateNow(), view, policy);
    if (order !== null) submitOrder(fold, today, { ...order, leg: firstLeg + leg.leg });
  }
}
