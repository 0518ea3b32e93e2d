import { Failure } from "@/lib/domain/failures.ts";
import type { Context } from "../../context.ts";
import { reconcileAccount } from "../orders/reconcile-account.ts";
import { readBrokerBreaches, readRowBreaches } from "./read-breaches.ts";
import { storeAccountCheck } from "./store-check.ts";
import type { Breach, InvariantId } from "./table.ts";

/** Broken for a moment between an order's news and its fill's: believed only after the books were read again. */
const DOUBTFUL: ReadonlySet<InvariantId> = new Set(["I3", "I4", "I5", "I21"]);
const READINGS = 3;

interface Reading {
  breaches: Breach[];
  /** Why positions and cash could not be held against the broker; null when they were. */
  undecided: string | null;
}

/**
 * Looks at one account's invariants, read only. What looks broken is read again, after a reconciliation where that
 * could explain it; what is broken in every reading is told, and halts the account where it concerns orders or money.
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
      breaches.push(...(await readBrokerBreaches(context.db, accountId, broker)));
      return { breaches, undecided: null };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return { breaches, undecided: error.message };
    }
  }

  let { breaches, undecided } = await read();
  const atFirst = breaches;
  for (let reading = 2; reading <= READINGS && breaches.length > 0; reading += 1) {
    let canTell = true;
    if (breaches.some(({ invariant }) => DOUBTFUL.has(invariant))) {
      try {
        await reconcileAccount(context, accountId);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        canTell = false;
        undecided = error.message;
      }
    }
    const again = await read();
    undecided ??= again.undecided;
    breaches = again.breaches.filter(
      ({ invariant, subject }) =>
        (canTell || !DOUBTFUL.has(invariant)) &&
        breaches.some((before) => before.invariant === invariant && before.subject === subject),
    );
  }
  const mended = atFirst.filter(
    ({ invariant, subject }) =>
      !breaches.some((left) => left.invariant === invariant && left.subject === subject) && !DOUBTFUL.has(invariant),
  );
  if (mended.length > 0)
    context.log.warn({ accountId, differences: mended }, "broken at first, whole after the books were read again");
  // Elsewhere dividends and fees are listed a day after they moved the money: told, not a reason to stop.
  const isPractice = account.broker === "PRACTICE";
  const halting = breaches.filter((breach) => breach.invariant !== "I5" || isPractice);
  await storeAccountCheck(context, account, { breaches, halting, undecided, startedAt });
  return breaches;
}
