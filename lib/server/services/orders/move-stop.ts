import { money, sum, text, type DecimalText } from "@/lib/domain/money.ts";
import { WORKING_STATUSES } from "@/lib/domain/orders.ts";
import type { Account } from "../../core/row-types.ts";
import type { Broker } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import { byAccount } from "../../core/by-account.ts";
import type { Prisma, Tx } from "../../db.ts";
import { raiseStop } from "./raise-stop.ts";
import type { LegToSend } from "./record-intent.ts";
import { submitLeg, type SubmitOptions, type SubmittedLeg } from "./submit-leg.ts";

interface StopMove {
  /** What takes the place of the resting stops where the broker does not replace them. */
  leg: LegToSend;
  stopPrice: DecimalText;
  /** Its owner tightens it. */
  isByHand?: boolean;
}

/**
 * Carries the stops of a position higher: by the broker's replace in place, so that no moment is without a stop; where the
 * broker does not replace them they are cancelled, proven final, and the leg is sent through the order protocol. The
 * level is written down first, so that after a crash the shares are protected at the raised level, not at the old one.
 */
export async function moveStop(
  context: Context,
  account: Account,
  broker: Broker,
  move: StopMove,
  options: SubmitOptions,
): Promise<SubmittedLeg> {
  await storeStopLevel(context, account.id, move.leg.order.symbol, move.stopPrice);
  return (
    (await raiseInPlace(context, account, broker, move, options)) ??
    (await submitLeg(context, account, broker, move.leg, options))
  );
}

/** Null where the stops cannot be raised as they rest: not all shares have one, or the broker does not replace them. */
async function raiseInPlace(
  context: Context,
  account: Account,
  broker: Broker,
  { leg: { order, purpose }, stopPrice, isByHand = false }: StopMove,
  { epoch, regate }: SubmitOptions,
): Promise<SubmittedLeg | null> {
  const { symbol, leg, qty } = order;
  const stops = await liveStops(context, account.id, symbol);
  const covered = sum(stops.map((stop) => money(stop.qty ?? 0).minus(money(stop.filledQty))));
  if (stops.some(({ type }) => type !== "STOP") || !covered.eq(qty)) return null;
  const gates = await regate({ ...order, purpose }, "");
  for (const stop of stops) {
    if (stop.stopPrice === null || money(stop.stopPrice).gte(stopPrice)) continue;
    const raised = await raiseStop(context, account, broker, { stop, stopPrice, epoch, gates, isByHand });
    if (raised.kind === "not_replaceable") return null;
    if (raised.kind === "refused") return { leg, symbol, status: raised.status, reason: raised.reason };
    if (raised.kind === "kept") return { leg, symbol, status: "SKIPPED", reason: raised.reason };
  }
  return { leg, symbol, status: "LIVE", reason: null };
}

/** The lowest of our live stops of the symbol; null where there is none, or only one that waits for its entry. */
export async function stopAtRest(context: Context, accountId: string, symbol: string): Promise<DecimalText | null> {
  return lowestAtRest(await liveStops(context, accountId, symbol));
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

const liveStops = ({ db }: Context, accountId: string, symbol: string) => stopsWhere(db, { accountId, symbol });

/** Our stops that work, the lowest first. */
const stopsWhere = (db: Tx, where: Prisma.OrderWhereInput) =>
  db.order.findMany({
    where: { ...where, origin: "OURS", role: "STOP", side: "SELL", status: { in: [...WORKING_STATUSES] } },
    orderBy: { stopPrice: "asc" },
    include: { parent: { select: { status: true, role: true } } },
  });

async function storeStopLevel(
  { db }: Context,
  accountId: string,
  symbol: string,
  stopPrice: DecimalText,
): Promise<void> {
  await db.position.updateMany({
    where: { accountId, symbol, OR: [{ stopPrice: null }, { stopPrice: { lt: stopPrice } }] },
    data: { stopPrice },
  });
}
