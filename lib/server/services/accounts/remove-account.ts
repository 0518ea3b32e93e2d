import type { accountsApi } from "@/lib/contracts/accounts.ts";
import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { isOurClientOrderId } from "@/lib/domain/ids.ts";
import { recordAudit } from "@/lib/server/audit/record-audit.ts";
import type { Broker } from "@/lib/server/broker/broker.ts";
import type { Context } from "@/lib/server/context.ts";
import { signedInUserId } from "../auth/signed-in-user-id.ts";
import { brokerAway } from "./check-keys.ts";

/**
 * Ends an account here: our open entry orders are cancelled at the broker, the keys are erased, the
 * history stays. Protective stops stay at the broker. While the broker cannot be reached nothing changes.
 */
export async function removeAccount(
  context: Context,
  { id }: Received<typeof accountsApi.remove>,
): Promise<Given<typeof accountsApi.remove>> {
  const { actor, db, now, request, brokers, log } = context;
  const userId = signedInUserId(actor);
  const account = await db.account.findFirst({ where: { id, userId, deletedAt: null } });
  if (!account) throw notFound();
  const broker = account.sealedKeys === null ? null : brokers.forAccount(account);
  const cancelled = broker ? await cancelEntries(broker) : 0;
  const at = now();
  await db.$transaction(async (tx) => {
    const { count } = await tx.account.updateMany({
      where: { id, userId, deletedAt: null },
      // The raised epoch fences off a worker that is deciding for this account right now.
      data: { deletedAt: at, sealedKeys: null, keyPrefix: null, status: "INACTIVE", writerEpoch: { increment: 1 } },
    });
    if (count === 0) throw notFound();
    await recordAudit(tx, {
      at,
      eventType: "ACCOUNT_REMOVED",
      actor,
      subjectUserId: userId,
      ipAddress: request.ipAddress,
      requestId: request.id,
      data: {
        accountId: id,
        broker: account.broker,
        environment: account.environment,
        cancelledEntryOrders: cancelled,
      },
    });
  });
  if (broker) {
    // An entry that the worker sent between our cancelling and the fence.
    await cancelEntries(broker).catch((error: unknown) =>
      log.warn({ accountId: id, error }, "entries of a removed account were not looked for again"),
    );
  }
  return { id };
}

const notFound = () => new Failure("not_found", "Account not found.");

/** Answers how many were asked for. Keys that the broker no longer takes cannot cancel anything, and need not. */
async function cancelEntries(broker: Broker): Promise<number> {
  try {
    const open = await broker.openOrders();
    const entries = open.filter(({ side, clientOrderId }) => side === "BUY" && isOurClientOrderId(clientOrderId));
    const outcomes = await Promise.all(entries.map(({ id }) => broker.cancel(id)));
    const failed = outcomes.find((outcome) => outcome.kind === "failed");
    if (failed) throw brokerAway(failed);
    return entries.length;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.code === "broker_refused") return 0;
    throw error.code === "broker_unavailable" ? brokerAway(error) : error;
  }
}
