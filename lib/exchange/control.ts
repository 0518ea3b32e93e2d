import type { IncomingMessage } from "node:http";
import { newYorkInstant } from "../domain/time.ts";
import { createAccount, equityOf } from "./book/accounts.ts";
import type { Desk } from "./book/desk.ts";
import { averagePrice } from "./book/order-wire.ts";
import { invalid, notFound, Refusal } from "./book/refusal.ts";
import type { Holder, Order } from "./book/types.ts";
import type { Clock } from "./clock.ts";
import { FAULT_KINDS, type Fault, type FaultInput } from "./faults.ts";
import type { Reply } from "./http/router.ts";
import { isDecimalText } from "../domain/money.ts";

export interface ExchangeStatus {
  market: "tape" | "generated";
  name: string;
  seed: number;
  speed: number;
  isPaused: boolean;
  /** Market time. */
  now: string;
  isOpen: boolean;
  skipClosed: boolean;
  /** The last session of a tape; null in an endless market. */
  lastSession: string | null;
  /** The market's start while the clock is still in the sessions before it, which are played by hand; null afterwards. */
  leadUntil: string | null;
}

export interface ClockCommand {
  speed?: number | undefined;
  paused?: boolean | undefined;
  advanceMinutes?: number | undefined;
  /** An instant, or a date, which means that session's opening. */
  jumpTo?: string | undefined;
}

export interface NewAccount {
  id: string;
  account_number: string;
  key_id: string;
  secret: string;
}

export interface TruthOrder {
  id: string;
  client_order_id: string;
  symbol: string;
  side: string;
  type: string;
  order_class: string;
  qty: string | null;
  notional: string | null;
  filled_qty: string;
  filled_avg_price: string | null;
  status: string;
  legs: string[];
}

export interface Truth {
  id: string;
  account_number: string;
  cash: string;
  equity: string;
  deposit: string;
  positions: { symbol: string; qty: string; avg_entry_price: string }[];
  orders: TruthOrder[];
  fills: { order_id: string; symbol: string; side: string; qty: string; price: string; cum_qty: string; at: string }[];
  activities: Record<string, string>[];
}

/** The control API in process; the HTTP side under /_control does the same. */
export interface ExchangeControl {
  status(): ExchangeStatus;
  clock(command: ClockCommand): Promise<ExchangeStatus>;
  createAccount(input?: { name?: string | undefined; cash?: string | undefined }): Promise<NewAccount>;
  truth(accountNumber?: string): Truth[];
  addFault(input: FaultInput): Fault;
  faults(): Fault[];
  /** All of them, or one by id; returns how many went. */
  clearFaults(id?: string): number;
}

function truthOrder(order: Order): TruthOrder {
  return {
    id: order.id,
    client_order_id: order.clientOrderId,
    symbol: order.symbol,
    side: order.side,
    type: order.type,
    order_class: order.orderClass,
    qty: order.qty?.toFixed() ?? null,
    notional: order.notional?.toFixed() ?? null,
    filled_qty: order.filledQty.toFixed(),
    filled_avg_price: averagePrice(order),
    status: order.status,
    legs: order.legIds,
  };
}

function truthOf(desk: Desk, holder: Holder): Truth {
  return {
    id: holder.account.id,
    account_number: holder.account.accountNumber,
    cash: holder.account.cash.toFixed(),
    equity: equityOf(desk, holder).toFixed(),
    deposit: holder.account.deposit.toFixed(),
    positions: [...holder.positions.values()].map((position) => ({
      symbol: position.symbol,
      qty: position.qty.toFixed(),
      avg_entry_price: position.cost.div(position.qty).toDecimalPlaces(9).toFixed(),
    })),
    orders: holder.orders.map(truthOrder),
    fills: holder.fills.map((fill) => ({
      order_id: fill.orderId,
      symbol: fill.symbol,
      side: fill.side,
      qty: fill.qty.toFixed(),
      price: fill.price.toFixed(),
      cum_qty: fill.cumQty.toFixed(),
      at: fill.at,
    })),
    activities: holder.activities.map((activity) => activity.wire),
  };
}

export function createControl(desk: Desk, clock: Clock, skipClosed: boolean, startsAtMs: number): ExchangeControl {
  function status(): ExchangeStatus {
    const { speed, isPaused } = clock.state();
    const { nowMs, isOpen } = desk.view.moment();
    const { kind, name, seed, lastSession } = desk.market;
    return {
      market: kind,
      name,
      seed,
      speed,
      isPaused,
      now: new Date(nowMs).toISOString(),
      isOpen,
      skipClosed,
      lastSession,
      leadUntil: nowMs < startsAtMs ? new Date(startsAtMs).toISOString() : null,
    };
  }

  function targetOf(jumpTo: string): number {
    const isDate = /^\d{4}-\d{2}-\d{2}$/.test(jumpTo);
    const target = Date.parse(isDate ? newYorkInstant(jumpTo, 9, 30) : jumpTo);
    if (Number.isNaN(target)) throw invalid("jumpTo must be a date or an instant");
    if (target < clock.nowMs()) throw invalid("market time does not run backwards");
    const { lastSession } = desk.market;
    if (lastSession !== null && target > desk.sessions.hours(lastSession).closesAtMs)
      throw invalid("the tape ends before that");
    return target;
  }

  return {
    status,
    async clock(command) {
      const target = command.jumpTo === undefined ? null : targetOf(command.jumpTo);
      if (command.speed !== undefined && !(command.speed > 0 && command.speed <= 100_000))
        throw invalid("invalid speed");
      const minutes = command.advanceMinutes ?? 0;
      if (!(minutes >= 0) || !Number.isFinite(minutes)) throw invalid("invalid advanceMinutes");
      if (command.speed !== undefined || command.paused !== undefined) {
        await clock.set({ speed: command.speed, isPaused: command.paused });
      }
      if (target !== null) await clock.jumpTo(target);
      if (minutes > 0) await clock.advance(minutes);
      return status();
    },
    async createAccount(input = {}) {
      if (input.cash !== undefined && !isDecimalText(input.cash)) throw invalid("invalid cash");
      const { account } = createAccount(desk, input);
      await desk.journal.commit();
      return { id: account.id, account_number: account.accountNumber, key_id: account.keyId, secret: account.secret };
    },
    truth(accountNumber) {
      const holders = [...desk.holders.values()];
      const wanted =
        accountNumber === undefined ? holders : holders.filter((h) => h.account.accountNumber === accountNumber);
      return wanted.map((holder) => truthOf(desk, holder));
    },
    addFault(input) {
      if (!FAULT_KINDS.includes(input.kind)) throw invalid(`unknown fault: ${String(input.kind)}`);
      return desk.faults.add(input);
    },
    faults: () => desk.faults.list(),
    clearFaults: (id) => desk.faults.remove(id),
  };
}

/** The HTTP face of the control API. */
export function controlOverHttp(control: ExchangeControl, token: string | undefined) {
  return async (request: IncomingMessage, path: string, query: URLSearchParams, body: unknown): Promise<Reply> => {
    if (token !== undefined && request.headers["x-control-token"] !== token)
      return { status: 401, body: { message: "unauthorized." } };
    const input = (typeof body === "object" && body !== null ? body : {}) as Record<string, never>;
    const action = `${request.method ?? "GET"} ${path}`;
    if (action === "GET /status") return { status: 200, body: control.status() };
    if (action === "POST /clock") return { status: 200, body: await control.clock(input) };
    if (action === "POST /accounts") return { status: 200, body: await control.createAccount(input) };
    if (action === "GET /truth") {
      const truth = control.truth(query.get("account_number") ?? undefined);
      if (query.has("account_number") && truth.length === 0) throw notFound("no such account");
      return { status: 200, body: { accounts: truth } };
    }
    if (action === "GET /faults") return { status: 200, body: { faults: control.faults() } };
    if (action === "POST /faults") return { status: 200, body: control.addFault(input as unknown as FaultInput) };
    if (action === "DELETE /faults") return { status: 200, body: { removed: control.clearFaults() } };
    if (action.startsWith("DELETE /faults/"))
      return { status: 200, body: { removed: control.clearFaults(path.slice("/faults/".length)) } };
    throw new Refusal(404, 40410000, "no such control");
  };
}
