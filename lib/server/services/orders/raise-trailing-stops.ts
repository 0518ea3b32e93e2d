import type { AccountState, HeldPosition, MarketView, Plan } from "@/lib/domain/engine/plan.ts";
import { priceText } from "@/lib/domain/format.ts";
import { money, sum, text, wholeShares, type DecimalText } from "@/lib/domain/money.ts";
import { movedStop } from "@/lib/domain/moved-stop.ts";
import { WORKING_STATUSES } from "@/lib/domain/orders.ts";
import type { Policy } from "@/lib/domain/policy.ts";
import { lastPrice } from "@/lib/domain/risk/book.ts";
import { exitGates } from "@/lib/domain/risk/exit-gates.ts";
import type { Account } from "../../core/row-types.ts";
import type { Broker } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import { logUserEvents } from "../../core/log-user-events.ts";
import { raiseStop } from "./raise-stop.ts";
import type { LegToSend } from "./record-intent.ts";
import { submitLeg, type SubmitOptions, type SubmittedLeg } from "./submit-leg.ts";

export interface StopRaises {
  account: Account;
  /** The cycle's decision: the moves are legs of it, after its own. */
  decisionId: string;
  state: AccountState;
  market: MarketView;
  plan: Plan;
  policy: Policy;
}

/**
 * Lets the stops that rest at the broker follow the trailing level of their positions, upwards only: by the
 * broker's replace in place, so that no moment is without a stop. Only where the broker does not replace the order is the
 * resting pair cancelled, proven final, and a new one sent through the order protocol. The raised stop is written
 * down first, so that after a crash the shares are protected at the raised level, not at the old one.
 */
export async function raiseTrailingStops(
  context: Context,
  moves: StopRaises,
  options: SubmitOptions,
): Promise<SubmittedLeg[]> {
  const { account, state, plan } = moves;
  const isSold = new Set(plan.orders.filter(({ side }) => side === "SELL").map(({ symbol }) => symbol));
  const broker = context.brokers.forAccount(account);
  const moved: SubmittedLeg[] = [];
  let leg = Math.max(-1, ...plan.orders.map((order) => order.leg));
  for (const position of state.positions) {
    if (isSold.has(position.symbol)) continue;
    const order = await raisedPair(context, moves, position);
    if (order === null) continue;
    leg += 1;
    await storeStopLevel(context, account.id, position.symbol, order.stopLossPrice);
    const pair = legOf(moves, { ...order, leg });
    const sent =
      (await raiseInPlace(context, account, broker, pair, options)) ??
      (await submitLeg(context, account, broker, pair, options));
    context.log.info("stop.moved", { accountId: account.id, ...sent });
    await logStopRaise(context, moves, order.symbol, order.stopLossPrice, sent);
    moved.push(sent);
  }
  return moved;
}

/** Null where the stops cannot be raised as they rest: not all shares have one, or the broker does not replace them. */
async function raiseInPlace(
  context: Context,
  account: Account,
  broker: Broker,
  { order, purpose }: LegToSend,
  { epoch, regate }: SubmitOptions,
): Promise<SubmittedLeg | null> {
  const { symbol, leg, qty, stopLossPrice } = order;
  if (stopLossPrice === null) return null;
  const stops = await liveStops(context, account.id, symbol);
  const covered = sum(stops.map((stop) => money(stop.qty ?? 0).minus(money(stop.filledQty))));
  if (stops.some(({ type }) => type !== "STOP") || !covered.eq(qty)) return null;
  const gates = await regate({ ...order, purpose }, "");
  for (const stop of stops) {
    if (stop.stopPrice === null || money(stop.stopPrice).gte(stopLossPrice)) continue;
    const raised = await raiseStop(context, account, broker, { stop, stopPrice: stopLossPrice, epoch, gates });
    if (raised.kind === "not_replaceable") return null;
    if (raised.kind === "refused") return { leg, symbol, status: raised.status, reason: raised.reason };
    if (raised.kind === "kept") return { leg, symbol, status: "SKIPPED", reason: raised.reason };
  }
  return { leg, symbol, status: "LIVE", reason: null };
}

type Pair = Omit<LegToSend["order"], "leg"> & { stopLossPrice: DecimalText };

/** The order that would carry the position's stop higher; null where it stays. */
async function raisedPair(
  context: Context,
  { account, state, market, plan, policy }: StopRaises,
  position: HeldPosition,
): Promise<Pair | null> {
  const { symbol, strategy } = position;
  const view = market.symbols[symbol];
  const last = lastPrice(view);
  const review = plan.reviews.find((reviewed) => reviewed.symbol === symbol)?.review ?? position.review;
  const restingStop = await stopAtRest(context, account.id, symbol);
  const qty = wholeShares(money(position.qty));
  if (last === null || restingStop === null || qty.lt(1)) return null;
  const moved = movedStop({ position, review, view, restingStop, policy, preferences: state.preferences });
  if (moved === null) return null;
  return {
    symbol,
    side: "SELL",
    qty: text(qty),
    orderClass: "OCO",
    type: "LIMIT",
    timeInForce: "gtc",
    limitPrice: moved.targetPrice,
    stopPrice: null,
    takeProfitPrice: moved.targetPrice,
    stopLossPrice: moved.stopPrice,
    decisionPrice: text(last),
    reason: "trailing_stop",
    strategy,
    confidence: null,
    gates: exitGates("PROTECT", state, market),
    atr: null,
  };
}

/** The lowest of our live stops of the symbol; null where there is none, or only one that waits for its entry. */
async function stopAtRest(context: Context, accountId: string, symbol: string): Promise<DecimalText | null> {
  const stops = await liveStops(context, accountId, symbol);
  const isWaiting = stops.some(({ parent }) => parent?.role === "ENTRY" && parent.status !== "FILLED");
  const lowest = stops[0]?.stopPrice ?? null;
  return isWaiting || lowest === null ? null : text(lowest.toString());
}

/** Our stops of the symbol that work, the lowest first. */
const liveStops = ({ db }: Context, accountId: string, symbol: string) =>
  db.order.findMany({
    where: { accountId, symbol, origin: "OURS", role: "STOP", side: "SELL", status: { in: [...WORKING_STATUSES] } },
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

function legOf({ decisionId, plan }: StopRaises, order: LegToSend["order"]): LegToSend {
  return {
    planId: decisionId,
    decisionId,
    rotationLegId: null,
    attempt: 1,
    policyVersion: plan.policyVersion,
    decidedAt: plan.at,
    purpose: "PROTECT",
    order,
  };
}

async function logStopRaise(
  { db }: Context,
  { account, plan }: StopRaises,
  symbol: string,
  stopPrice: DecimalText,
  { status, reason }: SubmittedLeg,
): Promise<void> {
  const isMoved = status === "LIVE" || status === "FILLED";
  const message = isMoved
    ? `The stop of ${symbol} was raised to ${priceText(stopPrice)}`
    : `The stop of ${symbol} was to be raised to ${priceText(stopPrice)}: ${reason ?? status.toLowerCase()}`;
  await logUserEvents(db, [
    {
      level: isMoved ? "info" : "warn",
      message,
      userId: account.userId,
      accountId: account.id,
      marketAt: new Date(plan.at),
      context: { symbol, stopPrice, status },
    },
  ]);
}
