import type { Given } from "@/lib/contracts/endpoint.ts";
import type { tradesApi } from "@/lib/contracts/trades.ts";
import { type Money, money, sum, ZERO } from "@/lib/domain/money.ts";
import type { Db } from "../../db.ts";
import type { WholeTrade } from "./read-trade.ts";
import { idList } from "./trade-scope.ts";
import { relatedView, tripView } from "./trade-view.ts";

type Detail = Given<typeof tradesApi.read>;

/** Most trades of one round trip, and lots of one trade, that a page shows. */
const MOST_TRADES = 50;
const MOST_LOTS = 100;

/** The round trip that the trade's first fill belongs to; null before there is one. */
export async function readTrip(db: Db, { accountId, side, fills }: WholeTrade): Promise<Detail["trip"]> {
  const [first] = fills;
  if (!first) return null;
  // The order keeps the symbol that it was sent with; its fills are of the round trip.
  const { symbol } = first;
  // Where one round trip ends in the moment in which the next begins, the sale is of the old one and the purchase of the new.
  const trip = await db.roundTrip.findFirst({
    where: {
      accountId,
      symbol,
      openedAt: { lte: first.at },
      OR: [{ closedAt: null }, { closedAt: { gte: first.at } }],
    },
    orderBy: { openedAt: side === "BUY" ? "desc" : "asc" },
  });
  if (!trip) return null;
  const { openedAt, closedAt } = trip;
  const within = await db.fill.findMany({
    where: {
      accountId,
      symbol,
      at: { gte: openedAt, ...(closedAt ? { lte: closedAt } : {}) },
      NOT: [{ side: "SELL", at: openedAt }, ...(closedAt ? [{ side: "BUY" as const, at: closedAt }] : [])],
    },
    distinct: ["orderId"],
    select: { orderId: true },
    orderBy: { at: "asc" },
    take: MOST_TRADES,
  });
  const trades = await db.order.findMany({
    where: { id: { in: within.map(({ orderId }) => orderId) } },
    orderBy: [{ tradedAt: "asc" }, { id: "asc" }],
  });
  return {
    ...tripView(trip),
    trades: trades.map((trade) => ({ ...relatedView(trade), tradedAt: trade.tradedAt })),
  };
}

/** Of a sale the lots that it closed, of a purchase what became of the lots that it opened. */
export async function readLots(db: Db, { id, side }: WholeTrade): Promise<Pick<Detail, "lots" | "realizedPnl">> {
  const where = side === "SELL" ? { fill: { orderId: id } } : { lot: { openFill: { orderId: id } } };
  const closures = await db.lotClosure.findMany({
    where,
    include: {
      fill: { select: { orderId: true } },
      lot: { select: { openedAt: true, openFill: { select: { orderId: true } } } },
    },
    orderBy: [{ at: "asc" }, { lot: { sequence: "asc" } }],
  });
  return {
    lots: closures.slice(0, MOST_LOTS).map(({ lot, fill, ...closure }) => ({
      id: closure.id,
      openedAt: lot.openedAt,
      closedAt: closure.at,
      quantity: money(closure.qty),
      cost: money(closure.cost),
      proceeds: money(closure.proceeds),
      fees: money(closure.fees),
      realizedPnl: money(closure.realizedPnl),
      tradeId: (side === "SELL" ? lot.openFill?.orderId : fill.orderId) ?? null,
    })),
    realizedPnl: sum(closures.map(({ realizedPnl }) => money(realizedPnl))),
  };
}

/**
 * The P&L of the round trips that each of these sales closed. Of several orders that filled in a trip's last moment the one
 * whose execution came last closed it: a trip stands at one trade.
 */
export async function tripPnlOfEach(db: Db, saleIds: readonly string[]): Promise<ReadonlyMap<string, Money>> {
  if (saleIds.length === 0) return new Map();
  const closed = await db.$queryRaw<{ orderId: string; pnl: string }[]>`
    select f."orderId", t."pnl"::text from (
      select distinct t."id", t."accountId", t."symbol", t."closedAt", t."pnl"
      from "Fill" s join "RoundTrip" t on t."accountId" = s."accountId" and t."symbol" = s."symbol" and t."closedAt" = s."at"
      where s."orderId" = any(${idList(saleIds)})
    ) t
    cross join lateral (
      select f."orderId" from "Fill" f
      where f."accountId" = t."accountId" and f."symbol" = t."symbol" and f."side" = 'SELL' and f."at" = t."closedAt"
      order by f."id" desc limit 1
    ) f`;
  const wanted = new Set(saleIds);
  const pnl = new Map<string, Money>();
  for (const { orderId, pnl: amount } of closed)
    if (wanted.has(orderId)) pnl.set(orderId, (pnl.get(orderId) ?? ZERO).plus(money(amount)));
  return pnl;
}
