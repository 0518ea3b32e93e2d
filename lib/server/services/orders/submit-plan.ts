import { isTerminal } from "@/lib/domain/orders.ts";
import { compareLegs } from "@/lib/domain/protocol/recovery.ts";
import { planOf } from "../../core/json.ts";
import type { Account } from "../../core/row-types.ts";
import type { Broker } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import { crashPoint } from "../../crash-point.ts";
import { firstAttempt } from "./record-intent.ts";
import { submitLeg, type SubmitOptions, type SubmittedLeg } from "./submit-leg.ts";

/**
 * Sends the plan of a decision: cancels first, then sales, then purchases, each leg once. May be called
 * again for the same decision: what was recorded is not recorded again, what was sent is not sent again.
 */
export async function submitPlan(
  context: Context,
  { decisionId, epoch, regate }: { decisionId: string } & SubmitOptions,
): Promise<SubmittedLeg[]> {
  const decision = await context.db.decisionRecord.findUniqueOrThrow({
    where: { id: decisionId },
    include: { account: true },
  });
  const { account } = decision;
  const plan = planOf(decision);
  const broker = context.brokers.forAccount(account);
  await cancelOrders(context, account, broker, plan.cancels);
  const orders = [...plan.orders].sort(compareLegs);
  const sent: SubmittedLeg[] = [];
  for (const { purpose, ...order } of orders) {
    const leg = firstAttempt({
      planId: decisionId,
      decisionId,
      policyVersion: decision.policyVersion,
      decidedAt: plan.at,
      purpose,
      order,
    });
    const result = await submitLeg(context, account, broker, leg, { epoch, regate });
    context.log.info("leg.submitted", { accountId: account.id, decisionId, ...result });
    sent.push(result);
  }
  return sent;
}

/** Asks for the end of our own waiting orders; the trade updates report that they ended. */
async function cancelOrders(context: Context, account: Account, broker: Broker, clientIds: string[]): Promise<void> {
  if (clientIds.length === 0) return;
  const orders = await context.db.order.findMany({
    where: { accountId: account.id, origin: "OURS", clientOrderId: { in: clientIds } },
  });
  for (const order of orders.filter(({ status }) => !isTerminal(status))) {
    const outcome = await broker.cancel(order.brokerOrderId);
    crashPoint("after-cancel");
    const { clientOrderId, symbol } = order;
    context.log.info("cancel.requested", { accountId: account.id, clientOrderId, symbol, reason: "plan", outcome });
  }
}
