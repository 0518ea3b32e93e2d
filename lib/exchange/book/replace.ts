import { randomUUID } from "node:crypto";
import { ZERO } from "../../domain/money.ts";
import { buyingPower, reservedBy, reservePrice } from "./accounts.ts";
import { type Desk, saveOrder } from "./desk.ts";
import { emit } from "./events.ts";
import { clientIdOf, decimalOf, priceOf } from "./order-request.ts";
import { goLive, makeOrder, takenClientId } from "./orders.ts";
import { orderWire } from "./order-wire.ts";
import { heldQty } from "./positions.ts";
import { forbidden, invalid, unprocessable } from "./refusal.ts";
import { type Holder, isFinal, type Order } from "./types.ts";

/** Replaces an order by a new one with changed quantity, prices or life. Throws a Refusal. */
export function replaceOrder(
  desk: Desk,
  holder: Holder,
  old: Order,
  body: Record<string, unknown>,
): Record<string, unknown> {
  if (old.status === "replaced") throw unprocessable("order already replaced");
  if (isFinal(old)) throw unprocessable(`order is already in "${old.status}" state`);
  if (old.status === "accepted" || old.status === "pending_new" || old.status === "held") {
    throw unprocessable(`cannot replace order in ${old.status} status`);
  }
  if (old.notional !== null) throw unprocessable("notional orders cannot be replaced");
  const qty = decimalOf(body.qty, "qty") ?? old.qty ?? ZERO;
  const limitPrice = priceOf(body.limit_price, "limit_price") ?? old.limitPrice;
  const stopPrice = priceOf(body.stop_price, "stop_price") ?? old.stopPrice;
  const timeInForce = (body.time_in_force as Order["timeInForce"] | undefined) ?? old.timeInForce;
  if (!["day", "gtc", "ioc", "fok"].includes(timeInForce))
    throw invalid(`invalid time_in_force: ${String(timeInForce)}`);
  const isQtyChanged = !qty.eq(old.qty ?? ZERO);
  const isSame = (a: typeof limitPrice, b: typeof limitPrice) => (a === null ? b === null : b !== null && a.eq(b));
  const isChanged =
    isQtyChanged ||
    timeInForce !== old.timeInForce ||
    !isSame(limitPrice, old.limitPrice) ||
    !isSame(stopPrice, old.stopPrice);
  if (!isChanged) throw unprocessable("order parameters are not changed");
  if (isQtyChanged && !(old.qty ?? ZERO).isInteger())
    throw unprocessable("qty of fractional orders cannot be replaced");
  if (qty.lte(old.filledQty)) throw unprocessable("qty must be > filled_qty");
  if (limitPrice !== null && old.limitPrice === null)
    throw unprocessable(`${old.type} orders must not have limit_price`);
  if (stopPrice !== null && old.stopPrice === null) throw unprocessable(`${old.type} orders must not have stop_price`);

  const left = qty.minus(old.filledQty);
  if (old.side === "buy") {
    const cost = left.times(reservePrice(desk, { symbol: old.symbol, limitPrice, stopPrice }));
    const power = buyingPower(desk, holder).plus(reservedBy(desk, old));
    if (cost.gt(power))
      throw forbidden("insufficient buying power", { buying_power: power.toFixed(), cost_basis: cost.toFixed() });
  } else {
    const held = heldQty(holder, old.symbol, old.parentId ?? old.id);
    const available = (holder.positions.get(old.symbol)?.qty ?? ZERO).minus(held);
    if (left.gt(available)) {
      throw forbidden(
        `insufficient qty available for order (requested: ${left.toFixed()}, available: ${available.toFixed()})`,
      );
    }
  }
  const clientOrderId = clientIdOf(body.client_order_id) ?? randomUUID();
  if (takenClientId(desk, holder, clientOrderId)) throw invalid("client_order_id must be unique");

  const replacement = makeOrder(desk, holder, {
    clientOrderId,
    symbol: old.symbol,
    side: old.side,
    type: old.type,
    orderClass: old.orderClass,
    timeInForce,
    extendedHours: old.extendedHours,
    // What is already filled stays with the old order.
    qty: left,
    limitPrice,
    stopPrice,
    isTriggered: old.isTriggered,
    parentId: old.parentId,
    legIds: old.legIds,
    replaces: old.id,
    status: "pending_new",
  });
  for (const id of old.legIds) {
    const leg = desk.orders.get(id);
    if (leg === undefined) continue;
    leg.parentId = replacement.id;
    if (!isFinal(leg)) leg.qty = left;
    saveOrder(desk, leg);
  }
  const parent = old.parentId === null ? undefined : desk.orders.get(old.parentId);
  if (parent !== undefined) {
    parent.legIds = parent.legIds.map((id) => (id === old.id ? replacement.id : id));
    saveOrder(desk, parent);
  }
  old.legIds = [];
  old.status = "replaced";
  old.replacedBy = replacement.id;
  old.replacedAt = desk.stamp();
  old.updatedAt = old.replacedAt;
  saveOrder(desk, old);
  emit(desk, old, "replaced", old.replacedAt);
  const reply = orderWire(desk, replacement, true);
  goLive(desk, replacement);
  return reply;
}
