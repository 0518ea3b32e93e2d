import type { Given } from "@/lib/contracts/endpoint.ts";
import type { tradesApi } from "@/lib/contracts/trades.ts";
import { accountTitle } from "@/lib/domain/account-title.ts";
import { REASON_TEXT } from "@/lib/domain/engine/reasons.ts";
import { money } from "@/lib/domain/money.ts";
import { TRADE_STATUS } from "@/lib/domain/orders.ts";
import type { Prisma } from "../../db.ts";
import { environmentLabel, moneyOrNull } from "../../rows.ts";
import type { TradeRow } from "./find-trades.ts";

export type TradeView = Omit<Given<typeof tradesApi.list>["trades"][number], "tripPnl" | "protection">;

/** An order as its owner sees it. */
export function tradeView(row: TradeRow): TradeView {
  const { firstName, lastName, email } = row.account.user;
  return {
    ...orderView(row),
    symbol: row.symbol,
    createdAt: row.tradedAt,
    account: {
      id: row.account.id,
      name: accountTitle(row.account),
      environment: row.account.environment,
      environmentLabel: environmentLabel(row.account),
      user: { firstName, lastName, email },
    },
  };
}

/** What is said of an order wherever its account and symbol are known. */
export function orderView(row: Prisma.OrderGetPayload<object>) {
  return {
    id: row.id,
    side: row.side,
    status: TRADE_STATUS[row.status],
    quantity: moneyOrNull(row.qty),
    filledQuantity: money(row.filledQty),
    averagePrice: moneyOrNull(row.filledAvgPrice),
    totalValue: money(row.filledValue),
    reason: row.reason === null ? null : reasonText(row.reason),
  };
}

/** What is said of a round trip wherever its symbol is known. */
export function tripView(trip: Prisma.RoundTripGetPayload<object>) {
  return {
    openedAt: trip.openedAt,
    closedAt: trip.closedAt,
    quantityBought: money(trip.qtyBought),
    quantitySold: money(trip.qtySold),
    entryValue: money(trip.entryValue),
    exitValue: money(trip.exitValue),
    fees: money(trip.fees),
    pnl: money(trip.pnl),
    outcome: trip.outcome,
    entryReason: trip.entryReason === null ? null : reasonText(trip.entryReason),
    exitReason: trip.exitReason === null ? null : reasonText(trip.exitReason),
  };
}

/** A reason of the closed set in words; anything else as it stands. */
export function reasonText(reason: string): string {
  return (REASON_TEXT as Record<string, string>)[reason] ?? reason;
}

/** Another order that belongs to a trade: a leg, its entry, another one of its round trip. */
export function relatedView(row: Prisma.OrderGetPayload<object>): NonNullable<Given<typeof tradesApi.read>["parent"]> {
  return {
    id: row.id,
    role: row.role,
    type: row.type,
    side: row.side,
    status: TRADE_STATUS[row.status],
    brokerStatus: row.brokerStatus,
    quantity: moneyOrNull(row.qty),
    filledQuantity: money(row.filledQty),
    averagePrice: moneyOrNull(row.filledAvgPrice),
    limitPrice: moneyOrNull(row.limitPrice),
    stopPrice: moneyOrNull(row.stopPrice),
  };
}
