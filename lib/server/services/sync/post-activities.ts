import { money, sum } from "@/lib/domain/money.ts";
import { newYorkInstant } from "@/lib/domain/time.ts";
import { SPLIT_TYPES } from "@/lib/domain/level-basis.ts";
import type { Account } from "../../core/row-types.ts";
import type { Broker, BrokerActivity, BrokerExecution } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import { postShareExchange, postCashMerger } from "../ledger/post-share-exchange.ts";
import { postSplit } from "../ledger/post-split.ts";
import { postActivity, unpostedActivities } from "../ledger/post-activity.ts";
import { importExecution } from "../orders/import-execution.ts";
import { quarantineActivity } from "../ledger/quarantine-activity.ts";
import { inTransaction, lockAccount } from "../../core/transaction.ts";

const SPLITS = new Set(SPLIT_TYPES);
/** Name and symbol changes, mergers, reorganisations: shares of one symbol go, and shares of another or money come. */
const EXCHANGES = new Set(["NC", "SC", "MA", "REORG"]);

export interface PostedActivities {
  executions: number;
  flows: number;
  splits: number;
}

/** Executions and movements of shares in market order, the latter before the first execution of their date; money in any order. */
export async function postActivities(
  context: Context,
  account: Account,
  broker: Broker,
  executions: BrokerExecution[],
  activities: BrokerActivity[],
): Promise<PostedActivities> {
  const booked: PostedActivities = { executions: 0, flows: 0, splits: 0 };
  const isMoney = (activity: BrokerActivity) => activity.qty === null || activity.symbol === null;
  const unposted = await unpostedActivities(context, account.id, activities.filter(isMoney));
  const movements = new Map<string, BrokerActivity[]>();
  for (const activity of activities) {
    if (activity.qty === null || activity.symbol === null) {
      if (unposted.has(activity) && (await postActivity(context, account, activity))) booked.flows += 1;
      continue;
    }
    // The legs of a split are of one symbol; those of an exchange are of two.
    const { date, type, symbol, group } = activity;
    const key = SPLITS.has(type) ? `${date} ${type} ${symbol}` : `${date} ${type} ${group ?? ""}`;
    movements.set(key, [...(movements.get(key) ?? []), activity]);
  }
  const steps = [
    ...[...movements.values()]
      .flatMap(actionsOf)
      .flatMap((legs) =>
        legs[0] ? [{ at: Date.parse(newYorkInstant(legs[0].date, 0, 0)), legs, execution: null }] : [],
      ),
    ...executions.map((execution) => ({ at: Date.parse(execution.at), legs: null, execution })),
  ].sort((a, b) => a.at - b.at);
  for (const { legs, execution } of steps) {
    if (legs && (await postCorporateAction(context, account, legs))) booked.splits += 1;
    if (execution && (await importExecution(context, account, broker, execution, "RECONCILE"))) booked.executions += 1;
  }
  return booked;
}

/** Several mergers for cash of one day without groups of the broker's: each of these legs says all of its own. */
function actionsOf(legs: BrokerActivity[]): BrokerActivity[][] {
  const isSale = ({ type, qty, netAmount }: BrokerActivity) =>
    EXCHANGES.has(type) && money(qty ?? "0").lt(0) && money(netAmount).gt(0);
  return legs.every(isSale) ? legs.map((leg) => [leg]) : [legs];
}

/** One corporate action, once; what no rule covers is set aside. */
async function postCorporateAction(context: Context, account: Account, legs: BrokerActivity[]): Promise<boolean> {
  const where = { accountId: account.id, activityId: { in: legs.map(({ id }) => id) } };
  // A person has decided about it.
  if ((await context.db.quarantinedActivity.count({ where: { ...where, settlement: { not: null } } })) > 0)
    return false;
  const isApplied = (await context.db.appliedCorporateAction.count({ where })) > 0;
  const isCanceled = legs.some((leg) => leg.isCanceled);
  if (!isCanceled && isApplied) return false;
  if (isCanceled && !isApplied) return false;
  const [first] = legs;
  if (!isCanceled && first) {
    const { type } = first;
    if (SPLITS.has(type) && sum(legs.map(({ netAmount }) => money(netAmount))).isZero())
      return postSplit(context, account, legs);
    if (EXCHANGES.has(type)) {
      const isDone =
        legs.length === 1
          ? await postCashMerger(context, account, first)
          : await postShareExchange(context, account, legs);
      if (isDone) return true;
    }
  }
  await inTransaction(context, async (tx) => {
    const locked = await lockAccount(tx, account.id);
    for (const leg of legs) await quarantineActivity(context, tx, locked, leg);
  });
  return false;
}
