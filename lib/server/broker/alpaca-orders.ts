import { cancelFailure, mayBeDuplicate, submitFailure } from "./alpaca-errors.ts";
import { orderFromWire, orderToSdk } from "./alpaca-mapping.ts";
import type { AlpacaApi, AlpacaRequests } from "./alpaca-requests.ts";
import type { CancelOutcome, OrderRequest, ReplaceOutcome, SubmitOutcome } from "./broker.ts";

/** An order is marked before it is sent: it waits for the budget no longer than its mark stays fresh. */
const SUBMIT_PATIENCE_MS = 400;

/** What changes the broker's books. Each is sent once. */
export function createAlpacaOrders(requests: AlpacaRequests, api: AlpacaApi) {
  const throttled = () => ({ kind: "throttled" as const, retryAfterMs: requests.throttledForMs() });

  const orderByClientId = (clientOrderId: string) =>
    requests.findOrder("order-by-client-id", (init) => api.orders.getOrderByClientOrderIdRaw({ clientOrderId }, init));

  async function submit(order: OrderRequest): Promise<SubmitOutcome> {
    if (!(await requests.take(order.side === "SELL" ? "exit" : "entry", SUBMIT_PATIENCE_MS))) return throttled();
    try {
      const wire = await requests.once("submit", (init) =>
        api.orders.postOrderRaw({ postOrderRequest: orderToSdk(order) }, init),
      );
      return { kind: "accepted", order: orderFromWire(wire) };
    } catch (error) {
      const outcome = submitFailure(error);
      if (outcome.kind === "throttled") return throttled();
      if (!mayBeDuplicate(error)) return outcome;
      try {
        return (await orderByClientId(order.clientOrderId)) ? { kind: "duplicate" } : outcome;
      } catch {
        // The cause says it, and the order is asked for again while its outcome is unknown.
        return { kind: "unknown", cause: "the client id may be taken and the broker could not be asked" };
      }
    }
  }

  async function replace(orderId: string, { stopPrice }: { stopPrice: string }): Promise<ReplaceOutcome> {
    if (!(await requests.take("exit", SUBMIT_PATIENCE_MS))) return throttled();
    try {
      const patchOrderRequest = { stopPrice };
      const wire = await requests.once("replace", (init) =>
        api.orders.patchOrderByOrderIdRaw({ orderId, patchOrderRequest }, init),
      );
      return { kind: "replaced", order: orderFromWire(wire) };
    } catch (error) {
      const outcome = submitFailure(error);
      switch (outcome.kind) {
        case "rejected":
          return outcome;
        case "throttled":
          return throttled();
        case "keys_refused":
          return { kind: "rejected", code: "", message: outcome.message };
        default:
          return { kind: "unknown", cause: outcome.kind === "unknown" ? outcome.cause : outcome.kind };
      }
    }
  }

  async function cancel(orderId: string): Promise<CancelOutcome> {
    try {
      await requests.inTurn("cancel", "cancel", (init) => api.orders.deleteOrderByOrderIDRaw({ orderId }, init));
      return { kind: "requested" };
    } catch (error) {
      return cancelFailure(error);
    }
  }

  return { orderByClientId, submit, replace, cancel };
}
