import { Failure } from "@/lib/domain/failures.ts";
import { countText } from "@/lib/domain/format.ts";
import { money, text, ZERO } from "@/lib/domain/money.ts";
import { WORKING_STATUSES } from "@/lib/domain/orders.ts";
import { OUTCOME_UNKNOWN } from "@/lib/domain/protocol/intent-states.ts";
import { sharesToProtect } from "@/lib/domain/protection.ts";
import type { Broker } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import { bareShares, type BarePosition } from "../orders/bare-shares.ts";
import { protectPositions } from "../orders/protect-positions.ts";
import { isRefusal } from "../sync/key-halts.ts";

export interface LeftBare {
  /** "10 SPY": what no stop would protect once the account is gone. */
  shares: string[];
  /** The broker answers to us, so the shares can still get their stop or be sold from here. */
  canWait: boolean;
  /** It has just refused the stop of each of them. */
  isRejected: boolean;
}

/**
 * Nothing places a stop for a deleted account, so what is owed is placed before it ends. Answers what stays without one:
 * bare shares that the broker has free, and those whose stop was cancelled for a sale that is still open. The caller is the
 * account's single writer. `broker`: null where it cannot be asked.
 */
export async function protectBeforeEnd(
  context: Context,
  accountId: string,
  epoch: number,
  broker: Broker | null,
): Promise<LeftBare> {
  const { db } = context;
  const byBooks = await bareShares(db, accountId);
  const textOf = (symbol: string, qty: { toString(): string }) => `${text(qty.toString())} ${symbol}`;
  const beingSold = async () => (await openSales(context, accountId)).map(({ symbol, qty }) => textOf(symbol, qty));
  const asBooked = async (): Promise<LeftBare> => ({
    shares: [...byBooks.map(({ position, bare }) => textOf(position.symbol, bare)), ...(await beingSold())],
    canWait: false,
    isRejected: false,
  });
  if (broker === null) return asBooked();
  try {
    const symbols = byBooks.map(({ position }) => position.symbol);
    const sent = symbols.length === 0 ? [] : await protectPositions(context, accountId, epoch, { symbols });
    const bare = byBooks.length === 0 ? [] : await bareShares(db, accountId);
    const held = bare.length === 0 ? [] : await broker.positions();
    const unanswered = await unansweredSales(context, accountId);
    const free = bare.filter(({ position, bare: qty }) => {
      const found = held.find(({ symbol }) => symbol === position.symbol);
      // What another order holds, or the broker does not have, no stop could be placed for: a sale of ours whose answer was lost may hold it.
      if (found !== undefined && unanswered.has(position.symbol)) return true;
      return sharesToProtect(qty, found ? money(found.qtyAvailable) : ZERO).gte(1);
    });
    // Read last: what is through its stop was sold just now.
    const selling = await beingSold();
    const wasRejected = ({ position }: BarePosition) =>
      sent.some(({ symbol, status }) => symbol === position.symbol && status === "REJECTED");
    return {
      shares: [...free.map(({ position, bare: qty }) => textOf(position.symbol, qty)), ...selling],
      canWait: true,
      isRejected: selling.length === 0 && free.every(wasRejected),
    };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return asBooked();
  }
}

/** Symbols of sales of ours that were sent and of which no order is known. */
async function unansweredSales({ db }: Context, accountId: string): Promise<ReadonlySet<string>> {
  const sales = await db.intent.findMany({
    where: { accountId, side: "SELL", status: { in: [...OUTCOME_UNKNOWN] }, orders: { none: {} } },
    select: { symbol: true },
  });
  return new Set(sales.map(({ symbol }) => symbol));
}

/** Sales of ours without a stop beside them: should one end unfilled, its shares are bare. */
async function openSales({ db }: Context, accountId: string): Promise<{ symbol: string; qty: string }[]> {
  const orders = await db.order.findMany({
    where: {
      accountId,
      origin: "OURS",
      side: "SELL",
      role: "EXIT",
      type: { notIn: ["STOP", "STOP_LIMIT", "TRAILING_STOP"] },
      status: { in: WORKING_STATUSES.filter((status) => status !== "HELD") },
    },
    orderBy: { symbol: "asc" },
    select: { symbol: true, qty: true, filledQty: true },
  });
  return orders.flatMap(({ symbol, qty, filledQty }) => {
    const open = money(qty ?? 0).minus(money(filledQty));
    return open.gte(1) ? [{ symbol, qty: text(open) }] : [];
  });
}

/** `cancelled`: open purchases that were cancelled all the same. The issue tells that the owner may confirm. */
export function refuseToLeaveBare({ shares, isRejected }: LeftBare, cancelled: number): Failure {
  const purchases =
    cancelled === 0
      ? ""
      : cancelled === 1
        ? " Its open purchase was cancelled."
        : ` Its ${countText(cancelled)} open purchases were cancelled.`;
  const names = shares.join(", ");
  if (isRejected)
    return new Failure(
      "conflict",
      `The account is not deleted: the broker refuses a stop for ${names}. Sell the shares at the broker first, or confirm that they stay there without a stop.${purchases}`,
      { issues: [{ path: "leaveBare", message: `The broker refuses a stop for ${names}.` }] },
    );
  return new Failure(
    "conflict",
    `The account is not deleted: no stop rests at the broker for ${names}, since the shares are being sold or their stop could not be placed yet. Tradewind keeps at it. Delete the account once it is done, or sell the shares at the broker first.${purchases}`,
  );
}
