import { randomUUID } from "node:crypto";
import { type Money, ZERO } from "../../domain/money.ts";
import { filledWithReplaced, groupOf, rejectOne } from "./brackets.ts";
import { type ExchangeState, saveOrder } from "./state.ts";
import { emit } from "./events.ts";
import { buyingPower, reservedBy, reservePrice } from "./margin.ts";
import { checkExits, checkSides, checkWashTrade, notAvailable } from "./order-checks.ts";
import { clientIdOf, decimalOf, lifeOf, percentOf, priceOf } from "./order-request.ts";
import { goLive, isVenueOpen, makeOrder, takenClientId } from "./orders.ts";
import { orderWire } from "./order-wire.ts";
import { heldQty, isClosing } from "./positions.ts";
import { forbidden, invalid, unprocessable } from "./refusal.ts";
import { checkLife } from "./request-rules.ts";
import { checkAccountStatus } from "./account-status.ts";
import { type AccountState, isFinal, type Order, type TimeInForce } from "./types.ts";

/** What the replacement is to be; what the request does not name stays. */
interface Change {
  qty: Money;
  timeInForce: TimeInForce;
  limitPrice: Money | null;
  stopPrice: Money | null;
  trailPrice: Money | null;
  trailPercent: Money | null;
}

function checkReplaceable(old: Order): void {
  if (old.status === "replaced") throw unprocessable("order already replaced");
  if (isFinal(old)) throw unprocessable(`order is already in "${old.status}" state`);
  if (old.status === "accepted" || old.status === "pending_new" || old.status === "held")
    throw unprocessable(`cannot replace order in ${old.status} status`);
  if (old.notional !== null) throw unprocessable("notional orders cannot be replaced");
}

function readChange(old: Order, body: Record<string, unknown>): Change {
  if (body.notional !== undefined && body.notional !== null) throw unprocessable("notional cannot be replaced");
  const isTrailing = old.type === "trailing_stop";
  const hasTrail = body.trail !== undefined && body.trail !== null && body.trail !== "";
  if (hasTrail && !isTrailing) throw unprocessable(`${old.type} orders must not have a trail`);
  const limitPrice = priceOf(body.limit_price, "limit_price");
  const stopPrice = priceOf(body.stop_price, "stop_price");
  if (limitPrice !== null && old.limitPrice === null)
    throw unprocessable(`${old.type} orders must not have limit_price`);
  if (stopPrice !== null && (old.stopPrice === null || isTrailing))
    throw unprocessable(`${old.type} orders must not have stop_price`);
  const trailOf = (was: Money | null, read: typeof priceOf) =>
    hasTrail && was !== null ? read(body.trail, "trail") : was;
  const life = body.time_in_force;
  return {
    qty: decimalOf(body.qty, "qty") ?? old.qty ?? ZERO,
    timeInForce: life === undefined || life === null || life === "" ? old.timeInForce : lifeOf(life),
    limitPrice: limitPrice ?? old.limitPrice,
    stopPrice: stopPrice ?? old.stopPrice,
    trailPrice: trailOf(old.trailPrice, priceOf),
    trailPercent: trailOf(old.trailPercent, percentOf),
  };
}

function isSame(a: Money | null, b: Money | null): boolean {
  return a === null ? b === null : b !== null && a.eq(b);
}

/** Whether the stop stays where it is; one that is moved waits to be touched anew. */
function isStopKept(old: Order, change: Change): boolean {
  return (["stopPrice", "trailPrice", "trailPercent"] as const).every((key) => isSame(change[key], old[key]));
}

function checkChange(old: Order, change: Change): void {
  const isQtyChanged = !isSame(change.qty, old.qty);
  const isChanged =
    isQtyChanged ||
    change.timeInForce !== old.timeInForce ||
    (["limitPrice", "stopPrice", "trailPrice", "trailPercent"] as const).some((key) => !isSame(change[key], old[key]));
  if (!isChanged) throw unprocessable("order parameters are not changed");
  if (isQtyChanged && !(old.qty ?? ZERO).isInteger())
    throw unprocessable("qty of fractional orders cannot be replaced");
  if (isQtyChanged && !change.qty.isInteger()) throw unprocessable("qty must be replaced by whole shares");
  if (change.qty.lte(old.filledQty)) throw unprocessable("qty must be > filled_qty");
  const isAuction = change.timeInForce === "opg" || change.timeInForce === "cls";
  if (isAuction && change.timeInForce !== old.timeInForce)
    throw unprocessable(`time_in_force cannot be replaced by ${change.timeInForce}`);
  if (old.orderClass !== "" && change.timeInForce !== "day" && change.timeInForce !== "gtc")
    throw unprocessable(`${old.orderClass} orders require day or gtc`);
  if (!change.qty.isInteger() && change.timeInForce !== "day")
    throw unprocessable("fractional orders must be DAY orders");
  checkLife({ ...old, ...change });
}

/** Refuses a replacement that the account cannot pay for or does not have; the old order's hold counts as free. */
function checkMeans(state: ExchangeState, accountState: AccountState, old: Order, change: Change): void {
  const left = change.qty.minus(old.filledQty);
  if (isClosing(old)) {
    const held = heldQty(state, accountState, old.symbol, old.parentId ?? old.id);
    const existing = (accountState.positions.get(old.symbol)?.qty ?? ZERO).abs();
    // A leg that waits for its entry holds nothing yet.
    if (left.gt(existing.minus(held))) throw notAvailable(state, accountState, old.symbol, left, held);
    return;
  }
  const cost = left.times(reservePrice(state, { ...old, ...change }));
  const power = buyingPower(state, accountState).plus(reservedBy(state, old));
  if (cost.gt(power))
    throw forbidden("insufficient buying power", { buying_power: power.toFixed(), cost_basis: cost.toFixed() });
}

/** Holds a group with the replacement in it to what is asked of a new one: an entry's price against its exits, and these against each other. */
function checkGroup(state: ExchangeState, old: Order, change: Change): void {
  if (old.orderClass === "") return;
  const members = groupOf(state, old).map((member) => (member === old ? { ...old, ...change } : member));
  const isEntry = old.orderClass !== "oco" && old.parentId === null;
  const exits = (old.orderClass === "oco" ? members : members.slice(1)).filter((exit) => !isFinal(exit));
  const profit = exits.find(({ type }) => type === "limit")?.limitPrice ?? null;
  const stop = exits.find(({ stopPrice }) => stopPrice !== null)?.stopPrice ?? null;
  if (!isEntry) return checkSides(old.side === "sell", profit, stop);
  // An entry without a limit was held to the price of its time.
  if (change.limitPrice === null) return;
  const stopLoss = stop === null ? null : { stopPrice: stop };
  checkExits(state, { ...old, ...change, takeProfit: profit, stopLoss });
}

/** Puts the replacement into the old order's place in its group. */
function takePlace(state: ExchangeState, old: Order, replacement: Order): void {
  for (const id of old.legIds) {
    const leg = state.orders.get(id);
    if (leg === undefined) continue;
    leg.parentId = replacement.id;
    if (!isFinal(leg)) {
      // Orders of a group start and end together: its exits neither end before their entry nor stay behind it.
      leg.timeInForce = replacement.timeInForce;
      leg.expiresAtMs = replacement.expiresAtMs;
      // Of a pair, the first is an exit itself: the other one holds what it held.
      if (old.orderClass !== "oco") leg.qty = (replacement.qty ?? ZERO).plus(filledWithReplaced(state, old));
    }
    saveOrder(state, leg);
  }
  const parent = old.parentId === null ? undefined : state.orders.get(old.parentId);
  if (parent !== undefined) {
    parent.legIds = parent.legIds.map((id) => (id === old.id ? replacement.id : id));
    saveOrder(state, parent);
  }
  old.legIds = [];
  old.status = "replaced";
  old.replacedBy = replacement.id;
  old.replacedAt = state.stamp();
  old.updatedAt = old.replacedAt;
  saveOrder(state, old);
  emit(state, old, "replaced", old.replacedAt);
}

/** The venue keeps the old order: the replacement is rejected, after the reply has promised it. */
function keepOld(state: ExchangeState, old: Order, replacement: Order): void {
  rejectOne(state, replacement);
  emit(state, old, "order_replace_rejected", state.stamp());
}

/** Replaces an order by a new one with changed quantity, prices, trail or life. Throws a Refusal. */
export function replaceOrder(
  state: ExchangeState,
  accountState: AccountState,
  old: Order,
  body: Record<string, unknown>,
): Record<string, unknown> {
  checkAccountStatus(accountState);
  checkReplaceable(old);
  const change = readChange(old, body);
  checkChange(old, change);
  checkGroup(state, old, change);
  checkWashTrade(accountState, { ...old, ...change });
  checkMeans(state, accountState, old, change);
  const clientOrderId = clientIdOf(body.client_order_id) ?? randomUUID();
  if (takenClientId(state, accountState, clientOrderId)) throw invalid("client_order_id must be unique");

  const isKept = state.interference?.refusesReplace(old) === true;
  const isLive = isVenueOpen(state, old);
  const replacement = makeOrder(state, accountState, {
    ...change,
    clientOrderId,
    symbol: old.symbol,
    side: old.side,
    type: old.type,
    orderClass: old.orderClass,
    intent: old.intent,
    extendedHours: old.extendedHours,
    // What is already filled stays with the old order.
    qty: change.qty.minus(old.filledQty),
    hwm: old.hwm,
    isTriggered: old.isTriggered && isStopKept(old, change),
    parentId: isKept ? null : old.parentId,
    legIds: isKept ? [] : old.legIds,
    replaces: old.id,
    status: isLive ? "pending_new" : "accepted",
  });
  if (isKept) {
    const promised = orderWire(state, replacement, true);
    keepOld(state, old, replacement);
    return promised;
  }
  takePlace(state, old, replacement);
  const reply = orderWire(state, replacement, true);
  if (isLive) goLive(state, replacement);
  else emit(state, replacement, "accepted", replacement.submittedAt);
  return reply;
}
