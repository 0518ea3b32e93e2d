import type { MarketName } from "@/lib/domain/enums.ts";
import { newYork, newYorkInstant } from "@/lib/domain/time.ts";
import type { Account } from "../../core/row-types.ts";
import type { BrokerOrder, Subscription, TradeUpdate } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db.ts";
import { inAccountQueue } from "../../core/account-queue.ts";
import { atMost } from "../../core/at-most.ts";
import { recordExecution } from "../orders/record-execution.ts";
import { isOrderRecorded, readOrders, recordOrder } from "../orders/record-order.ts";
import { correctOrder } from "./correct-executions.ts";
import { checkKeys } from "./key-halts.ts";
import { LISTENING } from "./store-stream-states.ts";
import { reconcileAccount } from "./reconcile-account.ts";
import { inTransaction, lockAccount } from "../../core/transaction.ts";

/**
 * Of all accounts of a market together, in this process. Streams come up and drop together: without a limit the readings that follow take
 * every connection to the database from the orders. Updates have places of their own and wait for no reading of another account. A broker
 * that does not answer takes no place from the other market.
 */
const AT_ONCE = 4;
const eachMarket = (): Record<MarketName, ReturnType<typeof atMost>> => ({
  PRACTICE: atMost(AT_ONCE),
  US: atMost(AT_ONCE),
});
const readings = eachMarket();
const updates = eachMarket();

/** The broker took an execution back or changed it: its list of executions says what is true now. */
const CORRECTIONS = new Set(["trade_bust", "trade_correct"]);

/**
 * Follows an account's trade updates: each is applied in order, one at a time, and waits while an order of
 * the account is out. After each (re)connect the account is reconciled, because the stream replays
 * nothing; so it is whenever an update cannot stand alone.
 */
export function streamAccount(
  context: Context,
  account: Account,
  onChange: (accountId: string) => void,
  onStream: (state: string) => void = () => undefined,
): Subscription {
  const broker = context.brokers.forAccount(account);
  let isClosed = false;
  let isReconcileWaiting = false;

  const inTurn = <T>(work: () => Promise<T>) => inAccountQueue(account.id, work);
  const inReadings = readings[account.market];
  const inUpdates = updates[account.market];
  const follow = async (work: () => Promise<boolean>) => {
    if (!isClosed && (await work())) onChange(account.id);
  };
  const failed = (error: unknown) => context.log.error("trade-update.failed", { accountId: account.id, err: error });
  // A reading waits for its place before its turn: within it, it would hold up the account's orders.
  const read = (work: () => Promise<boolean>) => void inReadings(() => inTurn(() => follow(work))).catch(failed);
  // An update waits for its turn before its place: behind a reading or an order that hangs it takes none from other accounts.
  const apply = (work: () => Promise<boolean>, whenFailed: () => void) =>
    void inTurn(() => inUpdates(() => follow(work))).catch((error: unknown) => {
      failed(error);
      whenFailed();
    });
  const reconcile = () => {
    if (isReconcileWaiting) return;
    isReconcileWaiting = true;
    read(async () => {
      isReconcileWaiting = false;
      await reconcileAccount(context, account.id);
      return true;
    });
  };

  const correct = (brokerOrderId: string) => read(() => correctOrder(context, account, broker, brokerOrderId));

  const subscription = broker.tradeUpdates({
    onReady: () => {
      onStream(LISTENING);
      reconcile();
    },
    onRefused: () => read(() => checkKeys(context, account, broker)),
    onState: (state) => {
      // "error: …" and "unreadable update: …" are events: the state that they lead to is reported by itself.
      if (!state.includes(":")) onStream(state);
      context.log.debug("trade-updates.changed", { accountId: account.id, state });
    },
    onUpdate: (update) => {
      const book = async () => {
        const applied = await applyUpdate(context, account.id, update);
        if (applied === "needs_reconciliation") reconcile();
        if (CORRECTIONS.has(update.event)) correct(update.order.id);
        return applied === "applied";
      };
      // An update comes once: what it said is read from the broker.
      apply(book, reconcile);
    },
  });
  return {
    close() {
      isClosed = true;
      subscription.close();
    },
  };
}

/**
 * An update stands alone when its order is known or plainly ours or plainly simple, and, for a fill, when
 * the account was read since the session's opening (its splits are applied) and the lots cover the sale.
 */
async function applyUpdate(
  context: Context,
  accountId: string,
  { order, execution }: TradeUpdate,
): Promise<"applied" | "unchanged" | "needs_reconciliation"> {
  // Most updates say what the answer to the order or an earlier update has said: they need no lock.
  if (execution === null && (await isOrderRecorded(context.db, accountId, order))) return "unchanged";
  return inTransaction(context, async (tx) => {
    const account = await lockAccount(tx, accountId);
    const known = await readOrders(tx, accountId, order);
    if (order.orderClass !== "SIMPLE" && !known.has(order.id) && !(await isOurs(tx, order)))
      return "needs_reconciliation";
    const { isChanged, ...recorded } = await recordOrder(context, tx, account, order, { known });
    if (!execution) return isChanged ? "applied" : "unchanged";
    const opening = new Date(newYorkInstant(newYork(execution.at).date, 9, 30));
    if (account.activityWatermark === null || account.activityWatermark < opening) return "needs_reconciliation";
    if (execution.side === "SELL") {
      const held = await tx.lot.aggregate({
        where: { accountId, symbol: execution.symbol, qtyRemaining: { gt: 0 } },
        _sum: { qtyRemaining: true },
      });
      if (held._sum.qtyRemaining === null || held._sum.qtyRemaining.lt(execution.qty)) return "needs_reconciliation";
    }
    const { isNew } = await recordExecution(context, tx, account, execution, "STREAM", recorded.order);
    return isNew || isChanged ? "applied" : "unchanged";
  });
}

async function isOurs(tx: Tx, { clientOrderId }: BrokerOrder): Promise<boolean> {
  return (await tx.intent.findUnique({ where: { clientOrderId }, select: { id: true } })) !== null;
}
