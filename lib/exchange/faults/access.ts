import type { ExchangeState } from "../book/state.ts";
import { fillNow } from "../book/matching.ts";
import { forbidden, notFound, unprocessable } from "../book/refusal.ts";
import type { AccountState, Order } from "../book/types.ts";
import type { Fault } from "../faults.ts";
import type { Reply } from "../http/router.ts";
import type { Subject } from "./match.ts";

export interface Asked {
  method: string;
  path: string;
  query: URLSearchParams;
  subject: Subject;
}

const LOOKUP = "/v2/orders:by_client_order_id";

function orderNamed(state: ExchangeState, accountState: AccountState, path: string): Order | undefined {
  const order = state.orders.get(path.slice("/v2/orders/".length));
  return order?.accountId === accountState.account.id ? order : undefined;
}

/** Faults that decide in the book's stead: returns the answer, or null to let the request through. Throws a Refusal. */
export function decidedByFault(state: ExchangeState, accountState: AccountState, asked: Asked): Reply | null {
  const { method, path, subject } = asked;
  const strike = (kind: Fault["kind"]) => state.faults.strike([kind], method, path, subject);
  const revoked = strike("keys_revoked");
  if (revoked !== undefined) {
    if (revoked.status === 403) return { status: 403, body: { message: "forbidden." } };
    return { status: 401, body: { message: "unauthorized." } };
  }
  const changesOrders = path.startsWith("/v2/orders")
    ? method === "POST" || method === "PATCH"
    : method === "DELETE" && path.startsWith("/v2/positions");
  if (changesOrders && strike("account_blocked") !== undefined) throw forbidden("account is not authorized to trade");
  if (method === "PATCH") {
    const order = orderNamed(state, accountState, path);
    const isRefused = state.faults.active("replace_rejected", method, path, subject)?.form !== "later";
    if (order !== undefined && isRefused && strike("replace_rejected") !== undefined)
      throw unprocessable(`cannot replace order in ${order.status} status`);
  }
  if (method === "POST" && path === "/v2/orders") {
    const isRefused = state.faults.active("halted_symbol", method, path, subject)?.form === "refuse";
    if (isRefused && strike("halted_symbol") !== undefined)
      throw forbidden(`trading in ${subject.symbols?.[0] ?? "this asset"} is halted`);
  }
  if (method === "DELETE") {
    const order = orderNamed(state, accountState, path);
    const isRefused = state.faults.active("cancel_loses", method, path, subject)?.form === "refused";
    if (order !== undefined && isRefused && strike("cancel_loses") !== undefined) fillNow(state, order);
  }
  return null;
}

/** What a read shows while faults stand that hide or hold back: blocked flags, young orders, earlier positions. */
export function createReadings(state: ExchangeState, answerNow: (accountState: AccountState, path: string) => Reply) {
  const acceptedWallMs = new WeakMap<Order, number>();
  const frozen = new WeakMap<Fault, Map<string, Map<string, unknown>>>();
  state.onAccepted = (order) => void acceptedWallMs.set(order, performance.now());

  function isYoung(orderId: unknown, ms: number): boolean {
    const order = state.orders.get(String(orderId));
    const acceptedAt = order === undefined ? undefined : acceptedWallMs.get(order);
    return acceptedAt !== undefined && performance.now() - acceptedAt < ms;
  }

  function withLookupLag(reply: Reply, { method, path, query, subject }: Asked): Reply {
    if (path !== LOOKUP && path !== "/v2/orders") return reply;
    const lag = state.faults.active("lookup_lag", method, path, subject);
    if (lag === undefined) return reply;
    const ms = lag.ms ?? 1_000;
    if (path === LOOKUP && isYoung((reply.body as { id?: unknown }).id, ms)) {
      state.faults.strike(["lookup_lag"], method, path, subject);
      throw notFound(`order not found for ${query.get("client_order_id") ?? ""}`);
    }
    if (path !== "/v2/orders" || lag.form !== "lists") return reply;
    const listed = reply.body as { id: unknown }[];
    const seen = listed.filter(({ id }) => !isYoung(id, ms));
    if (seen.length < listed.length) state.faults.strike(["lookup_lag"], method, path, subject);
    return { ...reply, body: seen };
  }

  function withFrozen(reply: Reply, accountState: AccountState, { method, path, subject }: Asked): Reply {
    const isFrozenPath = path === "/v2/account" || path.startsWith("/v2/positions");
    const fault = isFrozenPath ? state.faults.active("stale_positions", method, path, subject) : undefined;
    const then = fault === undefined ? undefined : frozen.get(fault)?.get(accountState.account.id);
    if (then === undefined) return reply;
    state.faults.strike(["stale_positions"], method, path, subject);
    const body = then.get(path);
    if (body === undefined) throw notFound("position does not exist");
    return { status: 200, body };
  }

  return {
    /** Remembers how accounts stand at the beginning of a stale_positions fault. */
    freeze(fault: Fault): void {
      const byAccount = new Map<string, Map<string, unknown>>();
      for (const accountState of state.accounts.values()) {
        const { id, accountNumber } = accountState.account;
        if (fault.account !== undefined && fault.account !== id && fault.account !== accountNumber) continue;
        const bodies = new Map<string, unknown>();
        for (const path of ["/v2/account", "/v2/positions"]) bodies.set(path, answerNow(accountState, path).body);
        for (const position of bodies.get("/v2/positions") as { symbol: string; asset_id: string }[]) {
          bodies.set(`/v2/positions/${position.symbol}`, position);
          bodies.set(`/v2/positions/${position.asset_id}`, position);
        }
        byAccount.set(id, bodies);
      }
      frozen.set(fault, byAccount);
    },
    shown(reply: Reply, accountState: AccountState, asked: Asked): Reply {
      if (asked.method !== "GET") return reply;
      if (reply.status !== 200 && !asked.path.startsWith("/v2/positions/")) return reply;
      const { method, path, subject } = asked;
      if (path === "/v2/account") {
        const blocked = state.faults.strike(["account_blocked"], method, path, subject);
        if (blocked !== undefined)
          return { ...reply, body: { ...(reply.body as object), [blocked.form ?? "account_blocked"]: true } };
      }
      return withLookupLag(withFrozen(reply, accountState, asked), asked);
    },
  };
}
