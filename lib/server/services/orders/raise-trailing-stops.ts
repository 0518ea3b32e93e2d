import type { AccountState, HeldPosition, MarketView, Plan } from "@/lib/domain/engine/plan.ts";
import { priceText } from "@/lib/domain/format.ts";
import { type Money, money, text, wholeShares, type DecimalText } from "@/lib/domain/money.ts";
import { type MovedStop, movedStop } from "@/lib/domain/moved-stop.ts";
import { pairOrder } from "@/lib/domain/protection.ts";
import type { Policy } from "@/lib/domain/policy.ts";
import { lastPrice } from "@/lib/domain/risk/book.ts";
import { exitGates } from "@/lib/domain/risk/exit-gates.ts";
import type { Account } from "../../core/row-types.ts";
import type { Context } from "../../context.ts";
import { logUserEvents } from "../../core/log-user-events.ts";
import { moveStop } from "./move-stop.ts";
import { stopAtRest } from "./stops-at-rest.ts";
import { firstAttempt, type LegToSend } from "./record-intent.ts";
import { isAtBroker } from "./send-leg.ts";
import type { SubmitOptions, SubmittedLeg } from "./submit-leg.ts";

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
 * resting pair cancelled, proven final, and a new one sent through the order protocol (move-stop.ts).
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
    const pair = legOf(moves, { ...order, leg });
    const sent = await moveStop(context, account, broker, { leg: pair, stopPrice: order.stopLossPrice }, options);
    context.log.info("stop.moved", { accountId: account.id, ...sent });
    await logStopRaise(context, moves, order.symbol, order.stopLossPrice, sent);
    moved.push(sent);
  }
  return moved;
}

/** True where a stop would be carried higher by a plan that sells nothing. Asked of many accounts before one of them is taken. */
export const wouldRaiseStops = (moves: Look, restingStop: (symbol: string) => DecimalText | null): boolean =>
  moves.state.positions.some((position) => levelOf(moves, position, restingStop(position.symbol)) !== null);

type Look = Pick<StopRaises, "state" | "market" | "plan" | "policy">;

/** Where the position's resting stop moves; null where it stays. */
function levelOf(
  { state, market, plan, policy }: Look,
  position: HeldPosition,
  restingStop: DecimalText | null,
): (MovedStop & { last: Money; qty: Money }) | null {
  const last = lastPrice(market.symbols[position.symbol]);
  const review = plan.reviews.find(({ symbol }) => symbol === position.symbol)?.review ?? position.review;
  const qty = wholeShares(money(position.qty));
  if (last === null || restingStop === null || qty.lt(1)) return null;
  const moved = movedStop({ position, review, market, restingStop, policy, preferences: state.preferences });
  return moved && { ...moved, last, qty };
}

type Pair = Omit<LegToSend["order"], "leg"> & { stopLossPrice: DecimalText };

/** The order that would carry the position's stop higher; null where it stays. */
async function raisedPair(context: Context, moves: StopRaises, position: HeldPosition): Promise<Pair | null> {
  const { symbol, strategy } = position;
  const moved = levelOf(moves, position, await stopAtRest(context, moves.account.id, symbol));
  if (moved === null) return null;
  const { last, qty } = moved;
  return {
    symbol,
    side: "SELL",
    qty: text(qty),
    ...pairOrder(moved.stopPrice, moved.targetPrice),
    decisionPrice: text(last),
    reason: "trailing_stop",
    strategy,
    confidence: null,
    gates: exitGates("PROTECT", moves.state, moves.market),
    atr: null,
  };
}

function legOf({ decisionId, plan }: StopRaises, order: LegToSend["order"]): LegToSend {
  return firstAttempt({
    planId: decisionId,
    decisionId,
    policyVersion: plan.policyVersion,
    decidedAt: plan.at,
    purpose: "PROTECT",
    order,
  });
}

async function logStopRaise(
  { db }: Context,
  { account, plan }: StopRaises,
  symbol: string,
  stopPrice: DecimalText,
  { status, reason }: SubmittedLeg,
): Promise<void> {
  const isMoved = isAtBroker(status);
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
