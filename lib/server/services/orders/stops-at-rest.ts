import { text, type DecimalText } from "@/lib/domain/money.ts";
import { WORKING_STATUSES } from "@/lib/domain/orders.ts";
import { byAccount } from "../../core/by-account.ts";
import type { Prisma, Tx } from "../../db.ts";

/** The lowest of our live stops of the symbol; null where there is none, or only one that waits for its entry. */
export async function stopAtRest({ db }: { db: Tx }, accountId: string, symbol: string): Promise<DecimalText | null> {
  return lowestAtRest(await liveStops(db, accountId, symbol));
}

/**
 * The level of a position follows the stop that rests for it: a raise counts once it rests, and its owner may move the stop
 * at the broker.
 */
export async function followStopAtRest(tx: Tx, accountId: string, symbol: string): Promise<void> {
  const stopPrice = await stopAtRest({ db: tx }, accountId, symbol);
  if (stopPrice === null) return;
  await tx.position.updateMany({ where: { accountId, symbol, strategy: { not: null } }, data: { stopPrice } });
}

/** The same for every symbol of several accounts, in one round. */
export async function readStopsAtRest(
  { db }: { db: Tx },
  accountIds: readonly string[],
): Promise<(accountId: string, symbol: string) => DecimalText | null> {
  const stops = byAccount(await stopsWhere(db, { accountId: { in: [...accountIds] } }));
  return (accountId, symbol) => lowestAtRest(stops(accountId).filter((stop) => stop.symbol === symbol));
}

type LiveStop = Awaited<ReturnType<typeof stopsWhere>>[number];

function lowestAtRest(stops: readonly LiveStop[]): DecimalText | null {
  const isWaiting = stops.some(({ parent }) => parent?.role === "ENTRY" && parent.status !== "FILLED");
  const lowest = stops[0]?.stopPrice ?? null;
  return isWaiting || lowest === null ? null : text(lowest.toString());
}

export const liveStops = (db: Tx, accountId: string, symbol: string) => stopsWhere(db, { accountId, symbol });

/** Our stops that work, the lowest first. */
const stopsWhere = (db: Tx, where: Prisma.OrderWhereInput) =>
  db.order.findMany({
    where: { ...where, origin: "OURS", role: "STOP", side: "SELL", status: { in: [...WORKING_STATUSES] } },
    orderBy: { stopPrice: "asc" },
    include: { parent: { select: { status: true, role: true } } },
  });
