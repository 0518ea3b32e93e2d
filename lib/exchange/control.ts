import { newYorkInstant } from "../domain/time.ts";
import { type AccountInput, createAccount, equityOf } from "./book/accounts.ts";
import { expireOverdue } from "./book/day.ts";
import type { ExchangeState } from "./book/state.ts";
import { averagePrice } from "./book/order-wire.ts";
import { invalid, unprocessable } from "./book/refusal.ts";
import type { AccountState, Order } from "./book/types.ts";
import type { Arrival, ArrivalFilter, Arrivals } from "./arrivals.ts";
import type { Clock } from "./clock.ts";
import type { Fault, FaultInput } from "./faults.ts";
import { dateOf, instantOf } from "./http/dates.ts";
import { readFault } from "./faults/kinds.ts";
import { storm, type StormInput } from "./faults/storm.ts";
import { createVenueActions, type VenueActions } from "./venue-actions.ts";
import { createManualActions, type ManualActions } from "./manual-actions.ts";
import { type OAuthClient, type OAuthToken, registerClient, revokeTokens } from "./oauth/grants.ts";
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
  /** Market time is the wall clock's: it cannot be paused, sped up or moved. */
  isWallClock: boolean;
  /** Seconds of wall time that market time left out since the start: the process stood still or could not keep up. */
  leftOutSeconds: number;
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
  fills: {
    id: string;
    order_id: string;
    symbol: string;
    side: string;
    qty: string;
    price: string;
    cum_qty: string;
    at: string;
  }[];
  activities: Record<string, string>[];
}

/** The control API in process; the HTTP side under /_control does the same. */
export interface ExchangeControl {
  status(): ExchangeStatus;
  clock(command: ClockCommand): Promise<ExchangeStatus>;
  createAccount(input?: AccountInput): Promise<NewAccount>;
  truth(accountNumber?: string): Truth[];
  addFault(input: FaultInput): Fault;
  faults(): Fault[];
  /** All of them, or one by id; returns how many went. */
  clearFaults(id?: string): number;
  /** All of a list, or none when one of them is wrong; `after_ms` and `after_minutes` say when each begins. */
  schedule(inputs: readonly FaultInput[]): Fault[];
  /** A random schedule from a seed. */
  storm(wishes: StormInput): Fault[];
  /** Every POST, PATCH, PUT and DELETE that arrived, oldest first, as far as remembered. */
  arrivals(filter?: ArrivalFilter): { arrivals: Arrival[]; forgotten: number };
  /** What is done to accounts past the product. */
  manualActions: ManualActions;
  /** What venue, broker and companies do to symbols, accounts and executions. */
  venueActions: VenueActions;
  /** Applications that may ask people for access, and access that is taken back. */
  oauth: {
    registerClient(input: Parameters<typeof registerClient>[1]): Promise<OAuthClient>;
    /** The access that applications have, with the tokens themselves. */
    tokens(): OAuthToken[];
    /** One token, or all of an account; answers how many. */
    revoke(which: Parameters<typeof revokeTokens>[1]): Promise<number>;
  };
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

function truthOf(state: ExchangeState, accountState: AccountState): Truth {
  return {
    id: accountState.account.id,
    account_number: accountState.account.accountNumber,
    cash: accountState.account.cash.toFixed(),
    equity: equityOf(state, accountState).toFixed(),
    deposit: accountState.account.deposit.toFixed(),
    positions: [...accountState.positions.values()].map((position) => ({
      symbol: position.symbol,
      qty: position.qty.toFixed(),
      avg_entry_price: position.cost.div(position.qty).toDecimalPlaces(9).toFixed(),
    })),
    orders: accountState.orders.map(truthOrder),
    fills: accountState.fills.map((fill) => ({
      id: fill.id,
      order_id: fill.orderId,
      symbol: fill.symbol,
      side: fill.side,
      qty: fill.qty.toFixed(),
      price: fill.price.toFixed(),
      cum_qty: fill.cumQty.toFixed(),
      at: fill.at,
    })),
    activities: accountState.activities.map((activity) => activity.wire),
  };
}

export interface ControlOptions {
  state: ExchangeState;
  clock: Clock;
  arrivals: Arrivals;
  skipClosed: boolean;
  isWallClock: boolean;
  startsAtMs: number;
}

function statusOf({ state, clock, skipClosed, isWallClock, startsAtMs }: ControlOptions): ExchangeStatus {
  const { speed, isPaused } = clock.state();
  const { nowMs, isOpen } = state.view.moment();
  const { kind, name, seed, lastSession } = state.market;
  return {
    market: kind,
    name,
    seed,
    speed,
    isPaused,
    now: new Date(nowMs).toISOString(),
    isOpen,
    skipClosed,
    isWallClock,
    leftOutSeconds: Math.round(clock.leftOutMs() / 100) / 10,
    lastSession,
    leadUntil: nowMs < startsAtMs ? new Date(startsAtMs).toISOString() : null,
  };
}

function jumpTarget({ state, clock }: ControlOptions, jumpTo: string): number {
  const date = dateOf(jumpTo);
  const target = date === null ? instantOf(jumpTo) : Date.parse(newYorkInstant(date, 9, 30));
  if (target === null) throw invalid("jumpTo must be a date or an instant");
  if (target < clock.nowMs()) throw invalid("market time does not run backwards");
  const { lastSession } = state.market;
  if (lastSession !== null && target > state.sessions.hours(lastSession).closesAtMs)
    throw invalid("the tape ends before that");
  return target;
}

async function commandClock(options: ControlOptions, command: ClockCommand): Promise<ExchangeStatus> {
  const { state, clock, isWallClock } = options;
  if (isWallClock && Object.values(command).some((value) => value !== undefined))
    throw unprocessable("the market follows the wall clock: it is not paused, sped up or moved by hand");
  const target = command.jumpTo === undefined ? null : jumpTarget(options, command.jumpTo);
  if (command.speed !== undefined && !(command.speed > 0 && command.speed <= 100_000)) throw invalid("invalid speed");
  const minutes = command.advanceMinutes ?? 0;
  if (!(minutes >= 0) || !Number.isFinite(minutes)) throw invalid("invalid advanceMinutes");
  if (command.speed !== undefined || command.paused !== undefined) {
    await clock.set({ speed: command.speed, isPaused: command.paused });
    // A market that was paused stays so, even if it is killed in the next moment.
    await state.journal.commit();
  }
  if (target !== null) await clock.jumpTo(target);
  if (minutes > 0) await clock.advance(minutes);
  return statusOf(options);
}

export function createControl(options: ControlOptions): ExchangeControl {
  const { state, arrivals } = options;

  function schedule(inputs: readonly FaultInput[]): Fault[] {
    for (const input of inputs) readFault(input);
    return inputs.map((input) => state.faults.add(input));
  }

  return {
    status: () => statusOf(options),
    clock: (command) => commandClock(options, command),
    async createAccount(input = {}) {
      if (input.cash !== undefined && !isDecimalText(input.cash)) throw invalid("invalid cash");
      if (input.live === true && input.keys !== "alpaca") throw invalid("accounts of real money have Alpaca's keys");
      const { account } = createAccount(state, input);
      await state.journal.commit();
      return { id: account.id, account_number: account.accountNumber, key_id: account.keyId, secret: account.secret };
    },
    truth(accountNumber) {
      const accounts = [...state.accounts.values()];
      const wanted =
        accountNumber === undefined
          ? accounts
          : accounts.filter(({ account }) => account.accountNumber === accountNumber);
      for (const accountState of wanted) expireOverdue(state, accountState);
      return wanted.map((accountState) => truthOf(state, accountState));
    },
    addFault: (input) => state.faults.add(input),
    faults: () => state.faults.list(),
    clearFaults: (id) => state.faults.remove(id),
    schedule,
    storm: (wishes) => schedule(storm(wishes)),
    arrivals: (filter) => ({ arrivals: arrivals.list(filter), forgotten: arrivals.forgotten() }),
    manualActions: createManualActions(state),
    venueActions: createVenueActions(state),
    oauth: {
      async registerClient(input) {
        const client = registerClient(state, input);
        await state.journal.commit();
        return client;
      },
      tokens: () => [...state.oauth.tokens.values()],
      async revoke(which) {
        const count = revokeTokens(state, which);
        await state.journal.commit();
        return count;
      },
    },
  };
}
