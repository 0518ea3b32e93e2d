import { money, sum, type DecimalText } from "@/lib/domain/money.ts";
import type { Account } from "../../core/row-types.ts";
import type { Broker } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import { raiseStop } from "./raise-stop.ts";
import type { LegToSend } from "./record-intent.ts";
import { liveStops } from "./stops-at-rest.ts";
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
 * position's level follows what rests at the broker, and is written down before a cancel (cancel-resting-orders.ts), so that
 * after a crash the shares are protected at the raised level, and at the old one while it still rests.
 */
export async function moveStop(
  context: Context,
  account: Account,
  broker: Broker,
  move: StopMove,
  options: SubmitOptions,
): Promise<SubmittedLeg> {
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
  const stops = await liveStops(context.db, account.id, symbol);
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
