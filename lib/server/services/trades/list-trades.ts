import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { tradesApi } from "@/lib/contracts/trades.ts";
import { REASON_TEXT } from "@/lib/domain/engine/reasons.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { money, ZERO } from "@/lib/domain/money.ts";
import { statusesOfTrade, TRADE_STATUS } from "@/lib/domain/orders.ts";
import { newYorkInstant, addDays } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import type { Prisma } from "../../db.ts";
import { readCursor, writeCursor } from "../../cursor.ts";
import { environmentLabel } from "../../rows.ts";
import { signedInUserId } from "../auth/signed-in-user-id.ts";

type Query = Received<typeof tradesApi.list>;
type Page = Given<typeof tradesApi.list>;

/** The user's own trades, newest first. */
export async function listTrades(context: Context, query: Query): Promise<Page> {
  return pageOfTrades(context, query, { account: { userId: signedInUserId(context.actor) } });
}

/** All users' trades, for administrators. */
export async function listAllTrades(context: Context, query: Query): Promise<Page> {
  return pageOfTrades(context, query, {});
}

async function pageOfTrades({ db }: Context, query: Query, scope: Prisma.OrderWhereInput): Promise<Page> {
  const period = { from: dayStart(query.startDate), before: dayEnd(query.endDate) };
  if (period.from && period.before && period.from >= period.before) {
    throw new Failure("invalid_input", "The start date must not be after the end date.", {
      issues: [{ path: "startDate", message: "The start date must not be after the end date." }],
    });
  }
  const tradedAt = {
    ...(period.from ? { gte: period.from } : {}),
    ...(period.before ? { lt: period.before } : {}),
  };
  const where: Prisma.OrderWhereInput = {
    AND: [
      scope,
      // A resting leg of a bracket becomes a trade when it fills; until then it is a part of its entry.
      { OR: [{ parentId: null }, { filledQty: { gt: 0 } }, { status: "REJECTED" }] },
    ],
    ...(query.symbol ? { symbol: { contains: query.symbol } } : {}),
    ...(query.side ? { side: query.side } : {}),
    ...(query.status ? { status: { in: statusesOfTrade(query.status) } } : {}),
    ...(period.from || period.before ? { tradedAt } : {}),
  };
  const cursor = query.cursor ? readCursor(query.cursor) : null;
  const after: Prisma.OrderWhereInput = cursor
    ? { OR: [{ tradedAt: { lt: cursor.at } }, { tradedAt: cursor.at, id: { lt: cursor.id } }] }
    : {};

  const [rows, total, filled, volume, trips] = await Promise.all([
    db.order.findMany({
      where: { AND: [where, after] },
      include: {
        account: {
          select: {
            id: true,
            name: true,
            environment: true,
            broker: true,
            user: { select: { firstName: true, lastName: true, email: true } },
          },
        },
      },
      orderBy: [{ tradedAt: "desc" }, { id: "desc" }],
      take: query.limit + 1,
    }),
    db.order.count({ where }),
    db.order.count({ where: { AND: [where, { status: "FILLED" }] } }),
    db.order.aggregate({ where, _sum: { filledValue: true } }),
    db.roundTrip.groupBy({
      by: ["outcome"],
      where: {
        account: scope.account ?? {},
        closedAt: { not: null, ...tradedAt },
        ...(query.symbol ? { symbol: { contains: query.symbol } } : {}),
      },
      _count: true,
    }),
  ]);

  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  const totalVolume = volume._sum.filledValue ? money(volume._sum.filledValue) : ZERO;
  const tripsOf = (outcome: "WIN" | "LOSS") => trips.find((group) => group.outcome === outcome)?._count ?? 0;
  return {
    trades: page.map((row) => ({
      id: row.id,
      symbol: row.symbol,
      side: row.side,
      status: TRADE_STATUS[row.status],
      quantity: row.qty === null ? null : money(row.qty),
      filledQuantity: money(row.filledQty),
      averagePrice: row.filledAvgPrice === null ? null : money(row.filledAvgPrice),
      totalValue: money(row.filledValue),
      reason: row.reason === null ? null : reasonText(row.reason),
      createdAt: row.tradedAt,
      account: {
        id: row.account.id,
        name: row.account.name,
        environment: row.account.environment,
        environmentLabel: environmentLabel(row.account),
        user: row.account.user,
      },
    })),
    summary: {
      totalTrades: total,
      filledTrades: filled,
      winningTrades: tripsOf("WIN"),
      losingTrades: tripsOf("LOSS"),
      totalVolume,
      averageTradeSize: total > 0 ? totalVolume.div(total).toDecimalPlaces(9) : ZERO,
    },
    pagination: {
      nextCursor: rows.length > query.limit && last ? writeCursor({ at: last.tradedAt, id: last.id }) : null,
      limit: query.limit,
      total,
    },
  };
}

function reasonText(reason: string): string {
  return (REASON_TEXT as Record<string, string>)[reason] ?? reason;
}

/** A date means its New York day; an instant means itself. */
function dayStart(value: string | undefined): Date | null {
  if (!value) return null;
  return new Date(value.length === 10 ? newYorkInstant(value, 0, 0) : value);
}

function dayEnd(value: string | undefined): Date | null {
  if (!value) return null;
  return new Date(value.length === 10 ? newYorkInstant(addDays(value, 1), 0, 0) : value);
}
