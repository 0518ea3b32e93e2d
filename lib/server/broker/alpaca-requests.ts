import { trading } from "@alpacahq/alpaca-trade-api";
import { Failure } from "@/lib/domain/failures.ts";
import type { BrokerKeys } from "../context.ts";
import { metrics } from "../metrics.ts";
import { traced, type Span } from "../tracing.ts";
import { describeError, isNotFound, readFailure, throttleOf } from "./alpaca-errors.ts";
import { orderFromWire } from "./alpaca-mapping.ts";
import type { BrokerOrder } from "./broker.ts";
import { requestCredentials } from "./alpaca-credentials.ts";
import { otherClassOfRow } from "./other-assets.ts";
import type { RequestBudget } from "./request-budget.ts";
import type { Priority } from "./token-bucket.ts";

/** Longer than the longest wait that a broker is granted. */
const PATIENCE_MS = 65_000;
/** A request that the broker throttled was not served: asked again so often at most. */
const MOST_AGAIN = 2;
/** Our own budget was used up: the order was not sent. */
const OWN_WAIT_MS = 1_000;

type Request = (init: { signal: AbortSignal }) => Promise<{ raw: Response }>;

/** What is asked of the broker, for traces. */
export type BrokerOperation =
  | "account"
  | "positions"
  | "clock"
  | "orders"
  | "activities"
  | "order"
  | "order-by-client-id"
  | "submit"
  | "replace"
  | "cancel";

export type AlpacaApi = ReturnType<typeof alpacaApi>;
export type AlpacaRequests = ReturnType<typeof createAlpacaRequests>;

/** The SDK's resources of one account; its retries, its limiter and its timeout stay off. */
export function alpacaApi(tradingUrl: string, keys: BrokerKeys) {
  const configuration = new trading.Configuration({ basePath: tradingUrl, ...requestCredentials(keys), timeoutMs: 0 });
  return {
    account: new trading.AccountsApi(configuration),
    activities: new trading.AccountActivitiesApi(configuration),
    clock: new trading.ClockApi(configuration),
    orders: new trading.OrdersApi(configuration),
    positions: new trading.PositionsApi(configuration),
  };
}

/** How an account's requests are sent: one timeout covers request and body, and the budget in front lets what is urgent go first. */
export function createAlpacaRequests(budget: RequestBudget, timeoutMs: number) {
  /** One request, once, within the timeout; answers the parsed JSON body, or null for an empty one. */
  const once = (operation: BrokerOperation, request: Request): Promise<unknown> =>
    traced("broker", { operation }, (span) => sent(request, span));

  async function sent(request: Request, span: Span): Promise<unknown> {
    const abort = new AbortController();
    const timer = setTimeout(
      () => abort.abort(new DOMException(`no answer within ${timeoutMs} ms`, "TimeoutError")),
      timeoutMs,
    );
    const startedAt = performance.now();
    const ended = (outcome: "ok" | "refused" | "failed") =>
      metrics().broker.observe({ outcome }, (performance.now() - startedAt) / 1000);
    try {
      const { raw } = await request({ signal: abort.signal });
      span.set({ status: raw.status });
      const body = await raw.text();
      ended("ok");
      return body === "" ? null : (JSON.parse(body) as unknown);
    } catch (error) {
      ended(areKeysRefused(error) ? "refused" : "failed");
      reportFailure(span, error);
      const waitMs = throttleOf(error);
      if (waitMs !== null) budget.pause(waitMs);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** A request that may be asked again, because a throttled one was never served. Waits its turn in the budget. */
  async function inTurn(operation: BrokerOperation, priority: Priority, request: Request): Promise<unknown> {
    for (let again = 0; ; again += 1) {
      if (!(await budget.take(priority, PATIENCE_MS)))
        throw new Failure("broker_unavailable", "Too many requests for this account.", { retryAfterMs: OWN_WAIT_MS });
      try {
        return await once(operation, request);
      } catch (error) {
        if (again >= MOST_AGAIN || throttleOf(error) === null) throw error;
      }
    }
  }

  async function read<T>(
    operation: BrokerOperation,
    request: Request,
    parse: (wire: unknown) => T,
    priority: Priority = "reading",
  ): Promise<T> {
    try {
      return parse(await inTurn(operation, priority, request));
    } catch (error) {
      throw readFailure(error);
    }
  }

  /** One order, or null where the broker knows none. A user waits for it: it has priority over all other reads. */
  async function findOrder(operation: BrokerOperation, request: Request): Promise<BrokerOrder | null> {
    try {
      const wire = await inTurn(operation, "lookup", request);
      return otherClassOfRow(wire) === null ? orderFromWire(wire) : null;
    } catch (error) {
      if (isNotFound(error)) return null;
      throw readFailure(error);
    }
  }

  /** To the end of the budget's own pause: an earlier try would be held by it and lost. */
  const throttledForMs = () => Math.max(OWN_WAIT_MS, Math.ceil(budget.pausedForMs()));

  return { take: budget.take, once, inTurn, read, findOrder, throttledForMs };
}

/** The answer to keys or access that a person has to renew: it says nothing of how the broker works. */
function areKeysRefused(error: unknown): boolean {
  const described = describeError(error);
  return described.kind !== "unanswered" && described.status === 401;
}

/** Status and code are the broker's, its words stay out. */
function reportFailure(span: Span, error: unknown): void {
  const described = describeError(error);
  if (described.kind === "unanswered") return span.set({ outcome: "unanswered" });
  span.set({ status: described.status, ...(described.code === null ? {} : { brokerCode: described.code }) });
}
