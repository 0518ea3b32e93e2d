import { setTimeout as delay } from "node:timers/promises";
import { JOBS_OF_ONE_ACCOUNT } from "@/lib/contracts/jobs.ts";
import { ACCESS_TEXT } from "@/lib/domain/account-access.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { money } from "@/lib/domain/money.ts";
import { withAccountWriter } from "../../core/account-writer.ts";
import { recordEvent } from "../../core/record-event.ts";
import type { Broker } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db.ts";
import { scheduleKey } from "../schedule/schedule-keys.ts";
import { areKeysUnopenable } from "../sync/key-halts.ts";
import { openPurchases } from "../orders/open-purchases.ts";
import { reconcileAccount } from "../sync/reconcile-account.ts";
import type { Account } from "../../core/row-types.ts";
import { brokerUnavailable } from "./check-keys.ts";
import { KEYS_KEPT_DAYS } from "./follow-removed.ts";
import { NOTHING_SENT, refuseUnanswered, settleBeforeEnd, type Settled } from "./settle-before-end.ts";
import { protectBeforeEnd, refuseToLeaveBare, type LeftBare } from "./protect-before-end.ts";

/** The worker follows the account's orders meanwhile; its turns are short. */
const WRITER_WAIT_MS = 20_000;

interface Ending {
  /** Its owner is being erased: no keys are kept. */
  isErasure?: boolean;
  /** It ends even where shares stay without a stop. Otherwise that is refused while they can still get one, or be sold. */
  mayLeaveBare?: boolean;
  /** Its owner confirms that shares stay without a stop where the broker refuses it. */
  mayLeaveRejected?: boolean;
  /** An administrator's. */
  reason?: string | null;
  /** It ends only if it is still being closed: its owner may keep it meanwhile. */
  isClosing?: boolean;
}

/**
 * Ends an account here, as its single writer: no sale that has cancelled a stop is under way then. It waits until it is known what became
 * of orders whose answer was lost, except in an erasure. Our open entry orders are cancelled at the broker, owed stops are placed, the
 * keys are erased, the history stays. Protective stops stay at the broker: where shares are left, the keys are kept sealed until they are
 * sold, for reading alone, so that what the stops do is booked (follow-removed.ts). While the broker cannot be reached nothing changes. Keys that open no more, or that the broker no longer takes, can cancel nothing, and need
 * not; nor need those of a practice market that is no longer part of the installation.
 */
export async function endAccount(context: Context, { id, userId }: Account, ending: Ending = {}): Promise<void> {
  const ended = await withAccountWriter(
    context,
    id,
    async (epoch, account) => {
      if (account.deletedAt !== null || account.userId !== userId) throw accountNotFound();
      await endAsWriter(context, account, epoch, ending);
      return true;
    },
    { waitMs: WRITER_WAIT_MS },
  );
  if (ended === null) throw new Failure("unavailable", "The account is busy. Try again in a moment.");
}

/** The same for who is the account's single writer already. */
export async function endAsWriter(
  context: Context,
  account: Account,
  epoch: number,
  {
    isErasure = false,
    mayLeaveBare = isErasure,
    mayLeaveRejected = false,
    reason = null,
    isClosing = false,
  }: Ending = {},
): Promise<void> {
  const { db, log } = context;
  const { id } = account;
  const broker = isOutOfReach(context, account) ? null : context.brokers.forAccount(account);
  const settled = await settle(context, account, broker);
  if (settled.isBeingAsked && broker !== null && !isErasure && !(await isRefusedAgain(broker)))
    throw refuseUnanswered(settled);
  const cancelled = broker ? await cancelEntries(context, id, broker) : NONE_CANCELLED;
  const asked = cancelled.isRefused ? null : broker;
  const leftBare = await protectLeft(context, account, epoch, asked, cancelled.isAnyFilled || settled.isAnyAdopted);
  const bare = leftBare.shares;
  const isAllowed = mayLeaveBare || (mayLeaveRejected && leftBare.isRejected);
  if (bare.length > 0 && leftBare.canWait && !isAllowed) throw refuseToLeaveBare(leftBare, cancelled.count);
  const left = await db.position.count({ where: { accountId: id, strategy: { not: null } } });
  const areKeysKept = broker !== null && !isErasure && left > 0;
  const isEnded = await db.$transaction((tx) =>
    markEnded(context, tx, account, {
      epoch,
      areKeysKept,
      left,
      bare,
      unanswered: settled.symbols,
      reason,
      isClosing,
      cancelled: cancelled.count,
      wasBrokerAsked: broker !== null,
    }),
  );
  // With the list of erasures (keep-erasures.ts) the second place outside of the database.
  if (!isEnded) return;
  log.info("account.deleted", { accountId: id });
  if (broker) {
    // An entry that was on its way to the broker between our cancelling and the end.
    await cancelEntries(context, id, broker).catch((error: unknown) =>
      log.warn("removed-account.recheck-failed", { accountId: id, err: error }),
    );
  }
}

async function settle(context: Context, account: Account, broker: Broker | null): Promise<Settled> {
  if (isMarketGone(context, account)) return NOTHING_SENT;
  try {
    return await settleBeforeEnd(context, account.id, broker !== null);
  } catch (error) {
    throw error instanceof Failure && error.code === "broker_unavailable" ? brokerUnavailable(error) : error;
  }
}

/** True when nothing can be asked or sent for the account. */
function isOutOfReach(context: Context, account: Account): boolean {
  return account.sealedKeys === null || isMarketGone(context, account) || areKeysUnopenable(account);
}

/** Shares and orders of a practice market that is gone are nowhere. */
const isMarketGone = ({ brokers }: Pick<Context, "brokers">, { broker }: Pick<Account, "broker">): boolean =>
  broker === "PRACTICE" && !brokers.hasPracticeMarket;

async function protectLeft(
  context: Context,
  account: Account,
  epoch: number,
  broker: Broker | null,
  isAnyFilled: boolean,
): Promise<LeftBare> {
  const { id } = account;
  if (isMarketGone(context, account)) return { shares: [], canWait: false, isRejected: false };
  try {
    // An entry that was cancelled when a part of it was filled leaves shares that our books do not know yet.
    if (isAnyFilled) await reconcileAccount(context, id);
    return await protectBeforeEnd(context, id, epoch, broker);
  } catch (error) {
    throw error instanceof Failure && error.code === "broker_unavailable" ? brokerUnavailable(error) : error;
  }
}

interface Ended {
  epoch: number;
  areKeysKept: boolean;
  left: number;
  bare: string[];
  unanswered: string[];
  reason: string | null;
  isClosing: boolean;
  cancelled: number;
  wasBrokerAsked: boolean;
}

/** False where it is no longer to be: its owner kept it. */
async function markEnded(context: Context, tx: Tx, account: Account, end: Ended): Promise<boolean> {
  const { id, userId, access } = account;
  const { areKeysKept, bare, unanswered, reason, isClosing } = end;
  const at = context.now();
  const { count } = await tx.account.updateMany({
    // Another writer took over where the lock was lost: it may have cancelled a stop just now.
    where: { id, userId, deletedAt: null, writerEpoch: end.epoch, ...(isClosing ? { closingAt: { not: null } } : {}) },
    data: {
      deletedAt: at,
      ...(areKeysKept ? {} : { sealedKeys: null }),
      keyPrefix: null,
      accountNumberEnd: null,
      status: "INACTIVE",
    },
  });
  if (count === 0 && isClosing) return false;
  if (count === 0) throw new Failure("unavailable", "The account is busy. Try again in a moment.");
  // What was dead-lettered waited for the account to be resumed, which is no longer possible.
  await tx.jobRun.deleteMany({
    where: { key: { in: JOBS_OF_ONE_ACCOUNT.map((job) => scheduleKey(job, id)) }, deadAt: { not: null } },
  });
  await recordEvent(context, tx, {
    level: "warn",
    message: endText(account, end),
    userId,
    accountId: id,
    at,
    audit: {
      eventType: "ACCOUNT_REMOVED",
      data: {
        accountId: id,
        broker: account.broker,
        environment: account.environment,
        access,
        cancelledEntryOrders: end.cancelled,
        wasBrokerAsked: end.wasBrokerAsked,
        areKeysKept,
        ...(bare.length === 0 ? {} : { withoutStop: bare }),
        ...(unanswered.length === 0 ? {} : { unanswered }),
      },
      personal: { reason },
    },
  });
  return true;
}

/** What the owner's log says of it. */
function endText(account: Account, { areKeysKept, left, bare, unanswered, reason }: Ended): string {
  const { isErased, kept } = ACCESS_TEXT[account.access];
  const message = areKeysKept
    ? `The account was deleted; its history stays. Its protective stops stay at the broker, and what they do is still booked: ${kept(KEYS_KEPT_DAYS)}`
    : account.closingAt === null || left > 0
      ? `The account was deleted: ${isErased}, its history stays.`
      : `The account was deleted: its positions are sold, ${isErased}, its history stays.`;
  const unprotected =
    bare.length === 0 ? "" : ` No stop rests at the broker for ${bare.join(", ")}: look after these shares there.`;
  const unknown =
    unanswered.length === 0
      ? ""
      : ` It is not known what became of an order of ${unanswered.join(", ")}: look for it at the broker.`;
  const because = reason === null ? "" : ` By an administrator. Reason: ${reason}`;
  return `${message}${unprotected}${unknown}${because}`;
}

export const accountNotFound = () => new Failure("not_found", "Account not found.");

/** A cancel that was asked for may still lose its race: keys are erased only when no entry can come any more. */
const FINAL_WITHIN_MS = 5_000;
const LOOK_EVERY_MS = 200;

interface Cancelled {
  count: number;
  isAnyFilled: boolean;
  /** The broker does not let us in. */
  isRefused: boolean;
}

const NONE_CANCELLED: Cancelled = { count: 0, isAnyFilled: false, isRefused: false };

/** Answers how many were asked for, once none is open, and whether a part of one was filled. */
async function cancelEntries({ db }: Context, accountId: string, broker: Broker): Promise<Cancelled> {
  const openEntries = () => openPurchases(db, accountId, broker);
  try {
    const entries = await openEntries();
    const outcomes = await Promise.all(entries.map(({ id }) => broker.cancel(id)));
    const failed = outcomes.find((outcome) => outcome.kind === "failed");
    if (failed) throw brokerUnavailable(failed);
    const giveUpAt = performance.now() + FINAL_WITHIN_MS;
    while (entries.length > 0 && (await openEntries()).length > 0) {
      if (performance.now() >= giveUpAt)
        throw brokerUnavailable(new Error("open entries did not become final in time"));
      await delay(LOOK_EVERY_MS);
    }
    const final = await Promise.all(entries.map(({ id }) => broker.order(id)));
    return {
      count: entries.length,
      isAnyFilled: final.some((order) => order !== null && money(order.filledQty).gt(0)),
      isRefused: false,
    };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.code === "broker_refused" && (await isRefusedAgain(broker)))
      return { ...NONE_CANCELLED, isRefused: true };
    if (error.code === "broker_refused") throw brokerUnavailable(error);
    throw error.code === "broker_unavailable" ? brokerUnavailable(error) : error;
  }
}

/** One page of a proxy's is no refusal of the keys, and an account that is deleted for it stays deleted. */
const isRefusedAgain = (broker: Broker): Promise<boolean> =>
  broker.account().then(
    () => false,
    (error: unknown) => error instanceof Failure && error.code === "broker_refused",
  );
