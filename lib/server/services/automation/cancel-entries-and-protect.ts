import { money, type Money, text, ZERO } from "@/lib/domain/money.ts";
import { isTerminal } from "@/lib/domain/orders.ts";
import { byText } from "@/lib/domain/text-order.ts";
import type { Broker, BrokerOrder, BrokerPosition } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import { messageOf } from "../../message-of.ts";
import { withAccountWriter } from "../../core/account-writer.ts";
import { openPurchases } from "../orders/open-purchases.ts";
import { protectPositions } from "../orders/protect-positions.ts";
import { isAtBroker } from "../orders/send-leg.ts";
import { reconcileAccount } from "../sync/reconcile-account.ts";

/** Accounts looked at side by side: a broker that is slow holds up one place. */
const AT_ONCE = 8;

export interface CheckedAccount {
  accountId: string;
  userId: string;
  /** Symbols of our open purchases that the broker was asked to cancel. */
  cancelled: string[];
  /** Symbols whose cancelling the broker did not take. */
  notCancelled: string[];
  /** Symbols whose bare shares a protective order was sent for. */
  protected: string[];
  /** Held quantities that no live stop at the broker covers, after that. */
  unprotected: { symbol: string; qty: string; protectedQty: string }[];
  /** Why the account could not be looked at; null when it was. */
  problem: string | null;
}

/**
 * What is done for every account while no worker runs: our purchases that still work are cancelled, and each
 * position is held against the stops that rest at the broker. Where shares are bare this process becomes the account's writer,
 * reads its books and places the stops that are owed; no other order is sent.
 */
export async function cancelEntriesAndProtect(context: Context): Promise<CheckedAccount[]> {
  const accounts = await context.db.account.findMany({ where: { deletedAt: null, sealedKeys: { not: null } } });
  const checked: CheckedAccount[] = [];
  const waiting = [...accounts];
  const place = async () => {
    for (let account = waiting.shift(); account !== undefined; account = waiting.shift()) {
      const { id: accountId, userId } = account;
      const row: CheckedAccount = {
        accountId,
        userId,
        cancelled: [],
        notCancelled: [],
        protected: [],
        unprotected: [],
        problem: null,
      };
      checked.push(row);
      try {
        const broker = context.brokers.forAccount(account);
        await cancelPurchases(context, broker, row);
        row.unprotected = unprotected(await broker.positions(), await broker.openOrders());
        if (row.unprotected.length === 0) continue;
        row.protected = await protect(context, accountId);
        if (row.protected.length > 0)
          row.unprotected = unprotected(await broker.positions(), await broker.openOrders());
      } catch (error) {
        row.problem = messageOf(error);
        context.log.warn("outage-check.failed", { accountId, err: error });
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, place));
  return checked.sort((a, b) => byText(a.accountId, b.accountId));
}

/** Symbols for which an order was sent; none where another process writes the account: it protects them itself. */
async function protect(context: Context, accountId: string): Promise<string[]> {
  const sent = await withAccountWriter(context, accountId, async (epoch) => {
    await reconcileAccount(context, accountId).catch((error: unknown) =>
      context.log.warn("outage-check.reconcile-failed", { accountId, err: error }),
    );
    return protectPositions(context, accountId, epoch);
  });
  return (sent ?? []).filter(({ status }) => isAtBroker(status)).map(({ symbol }) => symbol);
}

async function cancelPurchases({ db }: Context, broker: Broker, row: CheckedAccount): Promise<void> {
  for (const { id, symbol } of await openPurchases(db, row.accountId, broker)) {
    const outcome = await broker.cancel(id);
    if (outcome.kind === "requested") row.cancelled.push(symbol);
    // What is final or gone needs no cancelling.
    if (outcome.kind === "failed") row.notCancelled.push(symbol);
  }
}

/** Positions that are not covered, share for share, by a live stop or on their way out by a market order. */
export function unprotected(positions: BrokerPosition[], open: BrokerOrder[]): CheckedAccount["unprotected"] {
  const covered = new Map<string, Money>();
  const count = (order: BrokerOrder, isArmed: boolean) => {
    const isCover = order.type !== "LIMIT";
    if (order.side === "SELL" && isArmed && isCover && !isTerminal(order.status)) {
      const left = money(order.qty ?? 0).minus(order.filledQty);
      covered.set(order.symbol, (covered.get(order.symbol) ?? ZERO).plus(left));
    }
    // A bracket's legs wait for its entry; those of a sale protect as soon as they are there.
    const armsLegs = order.side === "SELL" || order.status === "FILLED";
    for (const leg of order.legs) count(leg, armsLegs);
  };
  for (const order of open) count(order, true);
  return positions
    .filter(({ symbol, qty }) => money(qty).gt(covered.get(symbol) ?? ZERO))
    .map(({ symbol, qty }) => ({ symbol, qty: text(qty), protectedQty: text(covered.get(symbol) ?? ZERO) }));
}
