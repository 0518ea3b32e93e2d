import { Failure } from "@/lib/domain/failures.ts";
import type { Instant } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import { reconcileAccount } from "../sync/reconcile-account.ts";
import type { Account } from "../../core/row-types.ts";
import { readBrokerBreaches, readRowBreaches } from "./read-breaches.ts";
import { storeAccountCheck } from "./store-check.ts";
import { breachText, type Breach, type InvariantId } from "./table.ts";

/**
 * Violated for a moment between the report of an order and that of its fill: counted only where the same violation is there after
 * each new reading of the books. An account that trades all the time may show another such moment at each reading.
 */
const DOUBTFUL: ReadonlySet<InvariantId> = new Set(["I3", "I4", "I5", "I21"]);
const READINGS = 3;

const isSame = (a: Breach, b: Breach) =>
  a.invariant === b.invariant &&
  a.subject === b.subject &&
  (!DOUBTFUL.has(a.invariant) || (a.difference ?? a.detail) === (b.difference ?? b.detail));

/** Where cash that halts differs, executions of a week are read again: one may have been corrected while the stream was down. */
const LATE_CORRECTION_MS = 7 * 86_400_000;

function fromOf({ broker, activityWatermark }: Account, breaches: Breach[]): Instant | null {
  if (broker !== "PRACTICE" || activityWatermark === null) return null;
  if (!breaches.some(({ invariant }) => invariant === "I5")) return null;
  return new Date(activityWatermark.getTime() - LATE_CORRECTION_MS).toISOString();
}

interface Reading {
  breaches: Breach[];
  /** Why positions and cash could not be held against the broker; null when they were. */
  undecided: string | null;
}

/**
 * Looks at one account's invariants, read only. What looks broken is read again, after a reconciliation where that
 * could explain it; what is broken in every reading is reported, and halts the account where it concerns orders or money.
 */
export async function checkAccount(context: Context, { accountId }: { accountId: string }): Promise<Breach[]> {
  const startedAt = performance.now();
  const account = await context.db.account.findUnique({ where: { id: accountId } });
  if (!account || account.deletedAt !== null || account.sealedKeys === null) return [];
  const broker = context.brokers.forAccount(account);

  async function read(): Promise<Reading> {
    const breaches = await readRowBreaches(context, accountId);
    // Before the first reading of the broker there is nothing to hold against it.
    if (account?.activityWatermark === null) return { breaches, undecided: "the account was never reconciled" };
    try {
      const atBroker = await readBrokerBreaches(context, accountId, broker);
      return { breaches: [...breaches, ...atBroker.breaches], undecided: atBroker.undecided };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return { breaches, undecided: error.message };
    }
  }

  let { breaches, undecided } = await read();
  const atFirst = breaches;
  for (let reading = 2; reading <= READINGS && breaches.length > 0; reading += 1) {
    let unread: string | null = null;
    if (breaches.some(({ invariant }) => DOUBTFUL.has(invariant))) {
      try {
        await reconcileAccount(context, accountId, { from: fromOf(account, breaches) });
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        unread = error.message;
      }
    }
    const again = await read();
    const lasting = again.breaches.filter(
      (breach) =>
        (unread === null || !DOUBTFUL.has(breach.invariant)) && breaches.some((before) => isSame(before, breach)),
    );
    const isMoving = lasting.length < again.breaches.length;
    undecided = unread ?? again.undecided ?? (isMoving ? "the account traded while its books were read" : null);
    breaches = lasting;
  }
  const mended = atFirst.filter(
    (breach) => !DOUBTFUL.has(breach.invariant) && !breaches.some((left) => isSame(left, breach)),
  );
  if (mended.length > 0) context.log.warn("invariants.recovered", { accountId, reason: breachText(mended) });
  // Elsewhere dividends and fees are listed a day after they moved the money: reported, not a reason to stop.
  const isPractice = account.broker === "PRACTICE";
  const halting = breaches.filter((breach) => breach.invariant !== "I5" || isPractice);
  await storeAccountCheck(context, account, { breaches, halting, undecided, startedAt });
  return breaches;
}
