import { money } from "../money.ts";
import { byCondition, type Gate } from "./gate.ts";

/** One position and one order a symbol and side; orders whose fate is unknown count as in flight. */
export const duplicate: Gate = ({ state, symbol }) => {
  const isHeld = state.positions.some((position) => position.symbol === symbol && !money(position.qty).isZero());
  const isInFlight = state.openOrders.some((order) => order.symbol === symbol && order.side === "BUY");
  const detail = isHeld ? "already held" : isInFlight ? "a buy is in flight" : "neither held nor in flight";
  return byCondition("duplicate", !isHeld && !isInFlight, detail);
};
