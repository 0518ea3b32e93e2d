import { oneWayCostBps, sellFees } from "@/lib/domain/costs.ts";
import type { MarketView, PlannedOrder } from "@/lib/domain/engine/plan.ts";
import { cents, money, sum, text, ZERO, type DecimalText, type Money } from "@/lib/domain/money.ts";
import type { Policy } from "@/lib/domain/policy.ts";
import { accountQa, type AccountQuestion } from "../cycles/account-qa.ts";

/** What one policy would have traded. */
export interface Side {
  entries: number;
  exits: number;
  bought: Money;
  sold: Money;
  costs: Money;
  /** Orders whose cost cannot be told: volume or volatility was not recorded. */
  withoutCost: number;
  qaFailures: Record<string, number>;
  qaDecisions: number;
}

export interface SideReport {
  entries: number;
  exits: number;
  /** USD at decision prices. */
  bought: DecimalText;
  sold: DecimalText;
  /** Half of what was bought and sold over the accounts' mean equity; null without equity. */
  turnover: number | null;
  /** Estimated, USD: half the spread, commission, market impact, and the fees of sales. */
  costs: DecimalText;
  /** Of what was traded; null when nothing was. */
  costBps: number | null;
  withoutCost: number;
  /** Decisions in which a QA rule of the account failed or could not be judged, by rule. */
  qaFailures: Record<string, number>;
  /** Decisions in which at least one of them did not pass. */
  qaDecisions: number;
}

export function emptySide(): Side {
  return {
    entries: 0,
    exits: 0,
    bought: ZERO,
    sold: ZERO,
    costs: ZERO,
    withoutCost: 0,
    qaFailures: {},
    qaDecisions: 0,
  };
}

const SESSIONS_A_YEAR = 252;

/** Full spread in bps of the middle, from the recorded quote, else as the policy assumes it. */
function spreadBps(order: PlannedOrder, market: MarketView, policy: Policy): number {
  const quote = market.symbols[order.symbol]?.quote ?? null;
  if (quote === null || quote.bid === null || quote.ask === null) return policy.orders_execution.default_spread_bps;
  const [bid, ask] = [money(quote.bid), money(quote.ask)];
  const middle = bid.plus(ask).div(2);
  return middle.gt(0)
    ? Math.max(0, ask.minus(bid).div(middle).times(1e4).toNumber())
    : policy.orders_execution.default_spread_bps;
}

/** Adds an order at its decision price with its estimated cost. */
export function addOrder(side: Side, order: PlannedOrder, market: MarketView, policy: Policy): void {
  const qty = money(order.qty);
  const notional = qty.times(order.decisionPrice);
  const isBuy = order.side === "BUY";
  if (isBuy) {
    side.entries += 1;
    side.bought = side.bought.plus(notional);
  } else {
    side.exits += 1;
    side.sold = side.sold.plus(notional);
    side.costs = side.costs.plus(sellFees(notional, qty, market.session.date));
  }
  const features = market.symbols[order.symbol]?.features ?? null;
  const [adv, sigma] = [features?.adv20 ?? null, features?.sigma60 ?? null];
  if (adv === null || adv <= 0 || sigma === null) {
    side.withoutCost += 1;
    return;
  }
  const costBps = oneWayCostBps(
    {
      notional: notional.toNumber(),
      adv,
      sigmaDaily: sigma / Math.sqrt(SESSIONS_A_YEAR),
      spreadBps: spreadBps(order, market, policy),
    },
    policy,
  );
  side.costs = side.costs.plus(notional.times(costBps).div(1e4));
}

/** Notes which QA rules a decision under this side's policy does not pass. */
export function addQa(side: Side, question: AccountQuestion): void {
  const failed = accountQa(question).filter(({ status }) => status !== "PASS");
  for (const { ruleId } of failed) side.qaFailures[ruleId] = (side.qaFailures[ruleId] ?? 0) + 1;
  if (failed.length > 0) side.qaDecisions += 1;
}

export function sideReport(side: Side, meanEquities: Money[]): SideReport {
  const traded = side.bought.plus(side.sold);
  const equity = sum(meanEquities);
  return {
    entries: side.entries,
    exits: side.exits,
    bought: text(cents(side.bought)),
    sold: text(cents(side.sold)),
    turnover: equity.gt(0) ? traded.div(2).div(equity).toNumber() : null,
    costs: text(cents(side.costs)),
    costBps: traded.gt(0) ? side.costs.div(traded).times(1e4).toNumber() : null,
    withoutCost: side.withoutCost,
    qaFailures: side.qaFailures,
    qaDecisions: side.qaDecisions,
  };
}
