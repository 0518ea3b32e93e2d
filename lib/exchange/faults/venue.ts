import { greatest, money, ZERO } from "../../domain/money.ts";
import { cancelGroup, cancelOne, rejectOne } from "../book/brackets.ts";
import type { ExchangeState, Interference } from "../book/state.ts";
import type { Order } from "../book/types.ts";
import type { Fault } from "../faults.ts";
import type { Subject } from "./match.ts";

const PATH = "/v2/orders";

export function subjectOfOrder(
  state: ExchangeState,
  order: Pick<Order, "accountId" | "symbol" | "clientOrderId">,
): Subject {
  return {
    accountId: order.accountId,
    accountNumber: state.accounts.get(order.accountId)?.account.accountNumber,
    symbols: [order.symbol],
    clientOrderId: order.clientOrderId,
  };
}

/** What scripted faults do to orders at the venue. */
export function createInterference(state: ExchangeState): Interference {
  const { faults } = state;
  const strike = (kind: Fault["kind"], method: string, order: Order) =>
    faults.strike([kind], method, method === "POST" ? PATH : `${PATH}/${order.id}`, subjectOfOrder(state, order));
  /** The fault of a kind whose form is the one given; counted only then. */
  const strikeForm = (
    kind: Fault["kind"],
    method: string,
    order: Order,
    isMeant: (form: string | undefined) => boolean,
  ) => {
    if (!faults.isAny()) return false;
    const path = method === "POST" ? PATH : `${PATH}/${order.id}`;
    const active = faults.active(kind, method, path, subjectOfOrder(state, order));
    return active !== undefined && isMeant(active.form) && strike(kind, method, order) !== undefined;
  };
  return {
    refusesReplace: (order) => strikeForm("replace_rejected", "PATCH", order, (form) => form === "later"),
    fillsBeforeCancel: (order) => strikeForm("cancel_loses", "DELETE", order, (form) => form !== "refused"),
    sharesAtMost(order) {
      if (!faults.isAny()) return null;
      if (strike("halted_symbol", "POST", order) !== undefined) return 0;
      const fault = strike("partial_fills", "POST", order);
      if (fault === undefined) return null;
      const left = (order.qty ?? ZERO).minus(order.filledQty);
      return greatest(left.times(String(fault.share ?? 0.5)).floor(), money("1")).toNumber();
    },
    endsOnArrival(order) {
      if (!faults.isAny()) return false;
      if (strike("rejected_by_venue", "POST", order) !== undefined) {
        rejectOne(state, order);
        cancelGroup(state, order);
        return true;
      }
      if (!strikeForm("halted_symbol", "POST", order, (form) => form === "cancel")) return false;
      cancelOne(state, order);
      return true;
    },
  };
}
