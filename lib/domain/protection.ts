/** Which shares of a position are protected, and how those are protected that are not. */
import type { GateResult } from "./engine/plan.ts";
import { type DecimalText, greatest, least, type Money, money, priceTick, wholeShares, ZERO } from "./money.ts";
import { byCondition } from "./gates/gate.ts";

/** Shares of one position, each counted once: `protected` + `reserved` + `bare` is what is held. */
export interface Coverage {
  /** Sold by a live stop. */
  protected: Money;
  /** On their way out by another order, a person's included: the broker keeps them for it. */
  reserved: Money;
  /** Neither: a stop may be placed for them, and has to be. */
  bare: Money;
}

/**
 * Who has a claim on the shares held: live stops, orders to sell without a stop, or no order. What orders ask for beyond what is
 * held counts as nothing: the broker refuses it.
 */
export function coverageOf(shares: { held: Money; stopped: Money; selling: Money }): Coverage {
  const held = greatest(ZERO, shares.held);
  const reserved = least(held, greatest(ZERO, shares.selling));
  const isProtected = least(held.minus(reserved), greatest(ZERO, shares.stopped));
  return { protected: isProtected, reserved, bare: held.minus(reserved).minus(isProtected) };
}

/** Smallest distance of a stop below the last price that brokers take, USD. */
export const STOP_ROOM = money("0.01");

export type Protection =
  | { kind: "pair"; stop: Money; target: Money }
  /** The target is no more above the price: a stop alone. */
  | { kind: "stop"; stop: Money }
  /** The price is at the stop or through it: sold at once. */
  | { kind: "sale" }
  /** It could only be sold, and the market is closed. */
  | { kind: "wait" };

/** How bare shares are protected, from raw levels and the last price, USD per share. */
export function protectionFor(levels: { stop: Money; target: Money; last: Money; isOpen: boolean }): Protection {
  const { last, isOpen } = levels;
  const stop = priceTick(levels.stop, "down");
  const target = priceTick(levels.target, "up");
  if (stop.gt(last.minus(STOP_ROOM))) return { kind: isOpen ? "sale" : "wait" };
  if (stop.lte(0)) return { kind: isOpen ? "sale" : "wait" };
  return target.gt(last) && target.gt(stop) ? { kind: "pair", stop, target } : { kind: "stop", stop };
}

/**
 * The same beside an open purchase of the account's owner, where brokers refuse a stop alone and a sale at market as a wash trade: a pair
 * is exempt. Its target lies above the price, and where the shares would be sold its stop is as close as brokers take one.
 */
export function asPair(
  protection: Exclude<Protection, { kind: "wait" }>,
  { last, target }: { last: Money; target: Money },
): Exclude<Protection, { kind: "wait" | "stop" }> {
  const above = priceTick(greatest(target, last.plus(STOP_ROOM)), "up");
  if (protection.kind === "stop") return { kind: "pair", stop: protection.stop, target: above };
  const stop = priceTick(last.minus(STOP_ROOM), "down");
  return protection.kind === "sale" && stop.gt(0) ? { kind: "pair", stop, target: above } : protection;
}

/** The resting order of a stop and a target, of which one cancels the other. */
export const pairOrder = (stop: DecimalText, target: DecimalText) =>
  ({
    orderClass: "OCO",
    type: "LIMIT",
    timeInForce: "gtc",
    limitPrice: target,
    stopPrice: null,
    takeProfitPrice: target,
    stopLossPrice: stop,
  }) as const;

/** The resting order of a stop alone. */
export const stopOrder = (stop: DecimalText) =>
  ({
    orderClass: "SIMPLE",
    type: "STOP",
    timeInForce: "gtc",
    limitPrice: null,
    stopPrice: stop,
    takeProfitPrice: null,
    stopLossPrice: null,
  }) as const;

/** Whole shares of those bare that the broker has free: more would be refused, and never more than is held is for sale. */
export function sharesToProtect(bare: Money, available: Money): Money {
  return wholeShares(greatest(ZERO, least(bare, available)));
}

/** What a protective order is asked: only what makes it impossible. Switches that stop trading do not stop protection. */
export function protectionGates(hasKeys: boolean, isOpen: boolean, isSale: boolean): GateResult[] {
  const keys = byCondition(hasKeys, hasKeys ? "keys are stored" : "no broker keys are stored");
  const hours = byCondition(isOpen, isOpen ? "open" : "the market is closed");
  const gates: GateResult[] = [{ code: "keys_missing", ...keys }];
  return isSale ? [...gates, { code: "market_hours", ...hours }] : gates;
}
