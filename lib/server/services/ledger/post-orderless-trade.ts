import type { SideName } from "@/lib/domain/enums.ts";
import { money, text, type DecimalText } from "@/lib/domain/money.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db.ts";
import { postFill } from "./post-fill.ts";
import { rebuildPositionBook } from "./rebuild-position-book.ts";

/** Shares that came or went without an order of the broker's: its corporate actions, and what a person judged. */
export interface OrderlessTrade {
  accountId: string;
  /** Names the row for good: it is booked once. */
  id: string;
  /** Why, for the trade history. */
  reason: string | null;
  brokerStatus: string;
  symbol: string;
  side: SideName;
  qty: DecimalText;
  /** USD per share; zero where nothing was paid. */
  price: DecimalText;
  /** Market time. */
  at: Date;
  source: "ACTIVITY" | "ADJUSTMENT";
}

/** Books such a trade as a filled external order with its one fill, in the caller's transaction. */
export async function postOrderlessTrade(context: Context, tx: Tx, trade: OrderlessTrade): Promise<void> {
  const { accountId, id, reason, brokerStatus, symbol, side, qty, price, at, source } = trade;
  const order = await tx.order.create({
    data: {
      accountId,
      origin: "EXTERNAL",
      role: "EXTERNAL",
      brokerOrderId: id,
      clientOrderId: id,
      symbol,
      side,
      orderClass: "SIMPLE",
      type: "MARKET",
      timeInForce: "day",
      qty,
      status: "FILLED",
      brokerStatus,
      reason,
      filledQty: qty,
      filledAvgPrice: price,
      filledValue: text(money(qty).times(price).toDecimalPlaces(9)),
      submittedAt: at,
      filledAt: at,
      brokerUpdatedAt: at,
      tradedAt: at,
    },
  });
  const executionId = `${id}:${qty}`;
  const store = () =>
    tx.fill.create({ data: { accountId, orderId: order.id, executionId, symbol, side, qty, price, at, source } });
  // Lots are first in, first out by market time, and the trade may be older than what was traded since.
  const isOvertaken = (await tx.fill.count({ where: { accountId, symbol, at: { gt: at } } })) > 0;
  if (isOvertaken) await rebuildPositionBook(context, tx, accountId, symbol, store);
  else await postFill(context, tx, await store(), order, { isFirstOfOrder: true });
}
