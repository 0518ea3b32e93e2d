import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { operationsApi } from "@/lib/contracts/operations.ts";
import { Failure } from "@/lib/domain/failures.ts";
import type { Context } from "../../context.ts";
import { resolveParked } from "../automation/resolve-parked.ts";
import { resumeAccount } from "../automation/resume-account.ts";
import { closeUnknownOrder } from "../sync/close-unknown-order.ts";
import { withBroker } from "./with-broker.ts";

/** A parked order, named by its decision. */
export async function resolveParkedOrder(
  context: Context,
  { id, resolution, reason }: Received<typeof operationsApi.resolveParked>,
): Promise<Given<typeof operationsApi.resolveParked>> {
  const intent = await context.db.intent.findUnique({ where: { id }, select: { clientOrderId: true } });
  if (!intent) throw new Failure("not_found", "Order not found.");
  const { clientOrderId } = intent;
  const { status, order } = await withBroker(() => resolveParked(context, { clientOrderId, resolution, reason }));
  return { status, order };
}

/** An order that the broker does not know. */
export async function closeOrder(
  context: Context,
  { id, reason }: Received<typeof operationsApi.closeUnknown>,
): Promise<Given<typeof operationsApi.closeUnknown>> {
  const order = await context.db.order.findUnique({
    where: { id },
    select: { accountId: true, clientOrderId: true, account: { select: { deletedAt: true } } },
  });
  if (!order) throw new Failure("not_found", "Order not found.");
  if (order.account.deletedAt !== null) throw new Failure("conflict", "The account of this order was deleted.");
  const { accountId, clientOrderId } = order;
  return withBroker(() => closeUnknownOrder(context, { accountId, clientOrderId, reason }));
}

/** A halted account. */
export async function resumeHalted(
  context: Context,
  { id, reason, resetMark = false }: Received<typeof operationsApi.resume>,
): Promise<Given<typeof operationsApi.resume>> {
  return withBroker(() => resumeAccount(context, { id, reason, resetMark }));
}
