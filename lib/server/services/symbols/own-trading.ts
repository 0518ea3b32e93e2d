import type { Given } from "@/lib/contracts/endpoint.ts";
import type { symbolsApi } from "@/lib/contracts/symbols.ts";
import type { Money } from "@/lib/domain/money.ts";
import type { Context } from "../../context.ts";
import { type Prisma } from "../../db.ts";
import { moneyOrNull, WHERE_TRADE } from "../../rows.ts";
import { readLevels } from "../trades/read-levels.ts";
import { restingSince } from "../trades/resting-since.ts";
import { orderView, tripView } from "../trades/trade-view.ts";

type Trading = Pick<Given<typeof symbolsApi.read>, "trades" | "trips" | "levels">;
type Level = Trading["levels"][number];

/** What a page shows, the newest of each. */
const TRADES = 100;
const TRIPS = 50;
const LEVELS = 200;

/** What these accounts did in a symbol: orders, round trips, and the stops and targets that rested at the broker. */
export async function ownTrading(
  { db }: Pick<Context, "db">,
  accountIds: readonly string[],
  symbol: string,
): Promise<Trading> {
  if (accountIds.length === 0) return { trades: [], trips: [], levels: [] };
  const of = { accountId: { in: [...accountIds] }, symbol };
  const [trades, trips, protective] = await Promise.all([
    db.order.findMany({
      where: { ...of, ...WHERE_TRADE },
      orderBy: [{ tradedAt: "desc" }, { id: "desc" }],
      take: TRADES,
    }),
    db.roundTrip.findMany({ where: of, orderBy: [{ openedAt: "desc" }, { id: "desc" }], take: TRIPS }),
    db.order.findMany({
      where: { ...of, role: { in: ["STOP", "TARGET"] } },
      include: WITH_PARENT,
      orderBy: [{ submittedAt: "desc" }, { id: "desc" }],
      take: LEVELS,
    }),
  ]);
  return {
    trades: trades.map((row) => ({ ...orderView(row), accountId: row.accountId, at: row.tradedAt })),
    trips: trips.map((trip) => ({ ...tripView(trip), id: trip.id, accountId: trip.accountId })),
    levels: levelsOf(protective, trips, await readLevels(db, protective)),
  };
}

const WITH_PARENT = {
  parent: { select: { role: true, status: true, filledAt: true, filledQty: true, endedAt: true } },
} satisfies Prisma.OrderInclude;

type Protective = Prisma.OrderGetPayload<{ include: typeof WITH_PARENT }>;
type Trip = Prisma.RoundTripGetPayload<object>;

/** Newest first, as they were read; a stop is raised where it stands above every one before it in its round trip. */
function levelsOf(
  orders: readonly Protective[],
  trips: readonly Trip[],
  levelOf: Awaited<ReturnType<typeof readLevels>>,
): Level[] {
  const highest = new Map<string, Money>();
  const levels: Level[] = [];
  for (const order of orders.toReversed()) {
    const price = moneyOrNull(order.role === "STOP" ? order.stopPrice : order.limitPrice);
    const from = restingSince(order);
    if (price === null || from === null || order.status === "REJECTED") continue;
    const to = order.filledAt ?? order.endedAt;
    if (to !== null && to <= from) continue;
    const trip = trips.find(
      ({ accountId, openedAt, closedAt }) =>
        accountId === order.accountId && openedAt <= from && (closedAt === null || closedAt >= from),
    );
    const before = highest.get(trip?.id ?? "");
    const isStop = order.role === "STOP";
    const level = levelOf(order, price);
    const isAbove = isStop && (before === undefined || level.gt(before));
    if (isAbove) highest.set(trip?.id ?? "", level);
    levels.push({
      id: order.id,
      accountId: order.accountId,
      kind: isStop ? "STOP" : "TARGET",
      quantity: moneyOrNull(order.qty),
      price,
      from,
      to,
      isRaised: isAbove && before !== undefined,
      isFilled: order.status === "FILLED",
    });
  }
  return levels.reverse();
}
