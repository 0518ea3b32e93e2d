import { setTimeout as delay } from "node:timers/promises";
import { ACCESS_TEXT } from "@/lib/domain/account-access.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { isOurClientOrderId } from "@/lib/domain/ids.ts";
import { isTerminal } from "@/lib/domain/orders.ts";
import { recordEvent } from "../../core/record-event.ts";
import type { Broker, BrokerOrder } from "@/lib/server/broker/broker.ts";
import type { Context } from "@/lib/server/context.ts";
import { areKeysUnopenable } from "../sync/key-halts.ts";
import type { Account } from "../../core/row-types.ts";
import { brokerUnavailable } from "./check-keys.ts";
import { KEYS_KEPT_DAYS } from "./follow-removed.ts";

/**
 * Ends an account here: our open entry orders are cancelled at the broker, the keys are erased, the
 * history stays. Protective stops stay at the broker: where shares are left, the keys are kept sealed until they are sold, for
 * reading alone, so that what the stops do is booked (follow-removed.ts); `isErasure` keeps nothing. `reason`: an administrator's. While the broker cannot
 * be reached nothing changes. Keys that open no more, or that the broker no longer takes, can cancel nothing, and need not.
 */
export async function endAccount(
  context: Context,
  account: Account,
  { isErasure = false, reason = null }: { isErasure?: boolean; reason?: string | null } = {},
): Promise<void> {
  const { db, brokers, log } = context;
  const { id, userId } = account;
  const broker = account.sealedKeys === null || areKeysUnopenable(account) ? null : brokers.forAccount(account);
  const cancelled = broker ? await cancelEntries(broker) : 0;
  const left = await db.position.count({ where: { accountId: id, strategy: { not: null } } });
  const areKeysKept = broker !== null && !isErasure && left > 0;
  const at = context.now();
  await db.$transaction(async (tx) => {
    const { count } = await tx.account.updateMany({
      where: { id, userId, deletedAt: null },
      // The raised epoch fences off a worker that is deciding for this account right now.
      data: {
        deletedAt: at,
        ...(areKeysKept ? {} : { sealedKeys: null }),
        keyPrefix: null,
        accountNumberEnd: null,
        status: "INACTIVE",
        writerEpoch: { increment: 1 },
      },
    });
    if (count === 0) throw accountNotFound();
    const { isErased, kept } = ACCESS_TEXT[account.access];
    const message = areKeysKept
      ? `The account was deleted; its history stays. Its protective stops stay at the broker, and what they do is still booked: ${kept(KEYS_KEPT_DAYS)}`
      : account.closingAt === null
        ? `The account was deleted: ${isErased}, its history stays.`
        : `The account was deleted: its positions are sold, ${isErased}, its history stays.`;
    const because = reason === null ? "" : ` By an administrator. Reason: ${reason}`;
    await recordEvent(context, tx, {
      level: "warn",
      message: `${message}${because}`,
      userId,
      accountId: id,
      at,
      audit: {
        eventType: "ACCOUNT_REMOVED",
        data: {
          accountId: id,
          broker: account.broker,
          environment: account.environment,
          access: account.access,
          cancelledEntryOrders: cancelled,
          wasBrokerAsked: broker !== null,
          areKeysKept,
        },
        personal: { reason },
      },
    });
  });
  if (broker) {
    // An entry that the worker sent between our cancelling and the fence.
    await cancelEntries(broker).catch((error: unknown) =>
      log.warn("removed-account.recheck-failed", { accountId: id, err: error }),
    );
  }
}

export const accountNotFound = () => new Failure("not_found", "Account not found.");

/** A cancel that was asked for may still lose its race: keys are erased only when no entry can come any more. */
const FINAL_WITHIN_MS = 5_000;
const LOOK_EVERY_MS = 200;

/** Answers how many were asked for, once none is open. */
async function cancelEntries(broker: Broker): Promise<number> {
  try {
    const entries = await openEntries(broker);
    const outcomes = await Promise.all(entries.map(({ id }) => broker.cancel(id)));
    const failed = outcomes.find((outcome) => outcome.kind === "failed");
    if (failed) throw brokerUnavailable(failed);
    const giveUpAt = performance.now() + FINAL_WITHIN_MS;
    while (entries.length > 0 && (await openEntries(broker)).length > 0) {
      if (performance.now() >= giveUpAt)
        throw brokerUnavailable(new Error("open entries did not become final in time"));
      await delay(LOOK_EVERY_MS);
    }
    return entries.length;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.code === "broker_refused") return 0;
    throw error.code === "broker_unavailable" ? brokerUnavailable(error) : error;
  }
}

async function openEntries(broker: Broker): Promise<BrokerOrder[]> {
  const open = await broker.openOrders();
  // An entry that is filled is listed as long as its legs are open.
  return open.filter(
    ({ side, clientOrderId, status }) => side === "BUY" && isOurClientOrderId(clientOrderId) && !isTerminal(status),
  );
}
