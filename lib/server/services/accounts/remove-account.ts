import { setTimeout as delay } from "node:timers/promises";
import type { accountsApi } from "@/lib/contracts/accounts.ts";
import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { isOurClientOrderId } from "@/lib/domain/ids.ts";
import { isTerminal } from "@/lib/domain/orders.ts";
import { recordAudit } from "@/lib/server/audit/record-audit.ts";
import type { Broker, BrokerOrder } from "@/lib/server/broker/broker.ts";
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

/** A cancel that was asked for may still lose its race: keys are erased only when no entry can come any more. */
const FINAL_WITHIN_MS = 5_000;
const LOOK_EVERY_MS = 200;

/** Answers how many were asked for, once none is open. Keys that the broker no longer takes cannot cancel anything, and need not. */
async function cancelEntries(broker: Broker): Promise<number> {
  try {
    const entries = await openEntries(broker);
    const outcomes = await Promise.all(entries.map(({ id }) => broker.cancel(id)));
    const failed = outcomes.find((outcome) => outcome.kind === "failed");
    if (failed) throw brokerAway(failed);
    const giveUpAt = performance.now() + FINAL_WITHIN_MS;
    while (entries.length > 0 && (await openEntries(broker)).length > 0) {
      if (performance.now() >= giveUpAt) throw brokerAway(new Error("open entries did not become final in time"));
      await delay(LOOK_EVERY_MS);
    }
    return entries.length;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.code === "broker_refused") return 0;
    throw error.code === "broker_unavailable" ? brokerAway(error) : error;
  }
}

async function openEntries(broker: Broker): Promise<BrokerOrder[]> {
  const open = await broker.openOrders();
  // An entry that is filled is listed as long as its legs are open.
  return open.filter(
    ({ side, clientOrderId, status }) => side === "BUY" && isOurClientOrderId(clientOrderId) && !isTerminal(status),
  );
}
