import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { positionsApi } from "@/lib/contracts/positions.ts";
import type { IntentStatusName } from "@/lib/domain/enums.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { priceText, quantityText } from "@/lib/domain/format.ts";
import { money, text, toNumber, ZERO, type Money } from "@/lib/domain/money.ts";
import type { Context } from "../../context.ts";
import { moneyOrNull } from "../../rows.ts";
import { BESIDE_A_PURCHASE, CLOSED_BY_STOP, HELD_BY_ANOTHER_ORDER } from "../orders/submit-leg.ts";
import { INTERRUPTED_BEFORE_SENDING } from "../orders/unsent.ts";
import type { ManualOrder } from "./manual-orders.ts";

export type Sale = Given<typeof positionsApi.sell>;

/** What became of a sale by hand of the caller's. */
export async function readSale(
  { actor, db, now }: Context<"user">,
  { requestId }: Received<typeof positionsApi.readSale>,
): Promise<Sale> {
  const own = { id: requestId, kind: "SELL", account: { userId: actor.userId, deletedAt: null } } as const;
  const known = await db.manualOrder.findFirst({ where: own });
  if (known === null) throw new Failure("not_found", "Sale not found.");
  const sale = await saleOf({ db }, known);
  const isYoung = now().getTime() - known.requestedAt.getTime() < SENDING_MS;
  if (!isYoung || !(await isBeingSent({ db }, known))) return sale;
  return { ...sale, state: "asking", message: "Your order is being sent to the broker, once." };
}

/** Sending takes no longer, its waits and its second looks included. */
const SENDING_MS = 60_000;

const STATES: Record<IntentStatusName, Sale["state"]> = {
  PLANNED: "not_sent",
  GATED: "not_sent",
  DENIED: "not_sent",
  HALTED: "not_sent",
  REJECTED: "not_sent",
  SUBMITTING: "asking",
  UNKNOWN: "asking",
  PARKED: "asking",
  LIVE: "sent",
  FILLED: "filled",
  CANCELED: "ended",
  EXPIRED: "ended",
};

/** The order is on its way to the broker, or its sending was interrupted: only the account's writer can tell which. */
const UNDER_WAY = ["PLANNED", "GATED", "SUBMITTING"] satisfies IntentStatusName[];

/** Whether the sale may be being sent at this moment: what `saleOf` says of it holds for the account's writer alone. */
export async function isBeingSent({ db }: Pick<Context, "db">, { id, accountId }: ManualOrder): Promise<boolean> {
  const where = { planId: id, accountId, purpose: "MANUAL", status: { in: UNDER_WAY } } as const;
  return (await db.intent.count({ where })) > 0;
}

/** The sale as its intent and its order stand now. */
export async function saleOf({ db }: Pick<Context, "db">, request: ManualOrder): Promise<Sale> {
  const { id: requestId, accountId, symbol, requestedAt } = request;
  const intent = await db.intent.findFirst({
    where: { planId: requestId, accountId, purpose: "MANUAL" },
    include: { orders: { where: { parentId: null }, orderBy: { createdAt: "desc" }, take: 1 } },
  });
  const common = { requestId, accountId, symbol, requestedAt };
  if (intent === null)
    return {
      ...common,
      state: "not_sent",
      quantity: null,
      filledQuantity: ZERO,
      averagePrice: null,
      tradeId: null,
      message: "Nothing was sold: no order was sent.",
    };
  const order = intent.orders[0] ?? null;
  const done = {
    quantity: money(intent.qty),
    filledQuantity: order === null ? ZERO : money(order.filledQty),
    averagePrice: moneyOrNull(order?.filledAvgPrice ?? null),
  };
  const state = STATES[intent.status];
  const asked = request.qty === null ? null : money(request.qty);
  const message = messageOf(
    { symbol, state, asked, reason: intent.lastError, isRejected: intent.status === "REJECTED" },
    done,
  );
  return { ...common, state, ...done, tradeId: order?.id ?? null, message };
}

interface SaleView {
  symbol: string;
  state: Sale["state"];
  asked: Money | null;
  reason: string | null;
  isRejected: boolean;
}

interface Done {
  quantity: Money;
  filledQuantity: Money;
  averagePrice: Money | null;
}

const countOf = (qty: Money) => quantityText(toNumber(qty));

function messageOf(sale: SaleView, { quantity, filledQuantity, averagePrice }: Done): string {
  const { symbol, state, asked } = sale;
  const at = averagePrice === null ? "" : ` at ${priceText(text(averagePrice.toDecimalPlaces(4)))}`;
  const isLess = asked !== null && quantity.lt(asked);
  const less = isLess
    ? ` ${countOf(asked)} were requested: the others are already sold or reserved by another of your orders.`
    : "";
  switch (state) {
    case "filled":
      return `Sold ${countOf(quantity)} ${symbol}${at}.${less}`;
    case "sent":
      return filledQuantity.isZero()
        ? `The broker has the order to sell ${countOf(quantity)} ${symbol}.${less}`
        : `${countOf(filledQuantity)} of ${countOf(quantity)} ${symbol} ${filledQuantity.eq(1) ? "is" : "are"} sold${at}; the rest is still open.${less}`;
    case "ended":
      return filledQuantity.isZero()
        ? `Nothing was sold: the broker ended the order. The shares keep their stop.`
        : `Sold ${countOf(filledQuantity)} of ${countOf(quantity)} ${symbol}${at}; then the broker ended the order. The rest keeps its stop.`;
    case "asking":
      return "The broker's answer was lost: it is being asked whether it has the order. It is not sent again.";
    case "not_sent":
      return notSentText(sale);
  }
}

function notSentText({ symbol, reason, isRejected }: SaleView): string {
  if (reason === CLOSED_BY_STOP) return "Nothing was sold by this order: the stop had sold the shares already.";
  if (reason === HELD_BY_ANOTHER_ORDER)
    return `Nothing was sold: another of your orders at the broker holds the shares of ${symbol}. Cancel it there, and try again.`;
  if (reason === BESIDE_A_PURCHASE)
    return `Nothing was sold: your own order to buy ${symbol} is open at the broker, which takes no sale beside it. Cancel it there, and try again. The shares keep their stop.`;
  if (reason === INTERRUPTED_BEFORE_SENDING || reason === null)
    return "Nothing was sold: the order was interrupted before it was sent. Try again.";
  return `Nothing was sold: ${isRejected ? "the broker refused the order" : "the order was stopped"} (${reason.replace(/\.$/, "")}). The shares keep their stop.`;
}
