/** What is done to a running stack, one attack after the other. Each heals by itself once its faults are removed. */
import type { FaultInput } from "@/lib/exchange/faults/kinds.ts";
import type { AccountTruth, ExchangeControl } from "./exchange-control.ts";
import { type Fleet, startCanary, startFleet } from "./fleet.ts";
import type { Stack } from "./stack.ts";

export interface Scene {
  stack: Stack;
  exchange: ExchangeControl;
  /** Chance of this run's seed, in [0, 1). */
  random: () => number;
  /** What stands beside the stack while an attack lasts that asks for it. */
  fleet: Fleet | null;
}

export interface Attack {
  name: string;
  what: string;
  /** Faults that stand while the attack lasts. */
  faults?: readonly FaultInput[];
  /** Done once every few seconds while the attack lasts; answers how often it struck. */
  strike?: (scene: Scene) => Promise<number> | number;
  /** Brought up before the attack and taken down after it. */
  beside?: (stack: Stack) => Promise<Fleet>;
}

const ORDERS = "/v2/orders";
const often = (fault: FaultInput, probability: number): FaultInput => ({ ...fault, count: 0, probability });
const killing = (name: Parameters<Stack["kill"]>[0]) => ({
  strike: ({ stack }: Scene) => {
    stack.kill(name);
    return 1;
  },
});

export const ATTACKS: readonly Attack[] = [
  {
    name: "lost-requests",
    what: "requests to place, replace and cancel orders never arrive",
    faults: (["POST", "PATCH", "DELETE"] as const).map((method) =>
      often({ kind: "drop_before_accept", method, path: ORDERS }, 0.4),
    ),
  },
  {
    name: "lost-answers",
    what: "orders are taken, replaced and cancelled, and the answer is lost",
    faults: (["POST", "PATCH", "DELETE"] as const).map((method) =>
      often({ kind: "drop_after_accept", method, path: ORDERS }, 0.4),
    ),
  },
  {
    name: "late-orders",
    what: "orders are accepted long after their request timed out; cancels are slow or lose against fills",
    faults: [
      often({ kind: "late_accept", method: "POST", path: ORDERS, ms: 12_000 }, 0.3),
      often({ kind: "slow_cancel", ms: 3_000 }, 0.4),
      often({ kind: "cancel_loses" }, 0.3),
    ],
  },
  {
    name: "refusals",
    what: "replacements are refused, at once and later; sales are refused after their stops were cancelled",
    faults: [
      often({ kind: "replace_rejected" }, 0.5),
      often({ kind: "replace_rejected", form: "later" }, 0.5),
      often(
        {
          kind: "status",
          method: "POST",
          path: ORDERS,
          status: 403,
          code: 40310000,
          message: "insufficient qty available",
        },
        0.3,
      ),
    ],
  },
  {
    name: "server-errors",
    what: "500, 502 and 504 before and after the order was taken, and pages of HTML",
    faults: [
      often({ kind: "status", path: "/v2/", status: 502, form: "html" }, 0.2),
      often({ kind: "status_after_accept", path: ORDERS, status: 504 }, 0.3),
      often({ kind: "status", path: "/v2/", status: 500 }, 0.1),
    ],
  },
  {
    name: "throttling",
    what: "429 with and without the time of its end",
    faults: [
      often({ kind: "status", path: "/v2/", status: 429, reset_in_s: 2 }, 0.2),
      often({ kind: "status", path: "/v2/", status: 429 }, 0.1),
    ],
  },
  {
    name: "garbage",
    what: "answers that are empty, truncated, of wrong types or lack fields",
    faults: [
      often({ kind: "garbage_200", path: "/v2/" }, 0.1),
      often({ kind: "truncated_200", path: "/v2/" }, 0.1),
      often({ kind: "wrong_types", path: "/v2/" }, 0.1),
      often({ kind: "missing_fields", path: ORDERS, fields: ["filled_qty", "status"] }, 0.1),
    ],
  },
  {
    name: "streams",
    what: "trade updates are doubled, late, reordered, lost or garbage, and the stream is cut or mute",
    faults: [
      { kind: "duplicate_events", probability: 0.3 },
      { kind: "late_events", ms: 3_000, probability: 0.3 },
      { kind: "reordered_events", size: 3, ms: 1_000, probability: 0.3 },
      { kind: "missing_events", probability: 0.2 },
      often({ kind: "garbage_events" }, 0.1),
    ],
    strike: async ({ exchange }) => {
      await exchange.addFault({ kind: "cut_stream" });
      return 1;
    },
  },
  {
    name: "lags",
    what: "look-ups and lists lag behind, positions are stale, orders fill in parts",
    faults: [
      { kind: "lookup_lag", ms: 4_000, probability: 0.5 },
      { kind: "lookup_lag", form: "lists", ms: 4_000, probability: 0.3 },
      { kind: "partial_fills", share: 0.5, probability: 0.5 },
    ],
    // Positions of a few seconds ago. Older ones would be a broker that contradicts itself for longer than the 30 s in which
    // a difference is waited for: the account is halted then, and a person resumes it.
    strike: async ({ exchange }) => {
      await exchange.addFault({ kind: "stale_positions", probability: 0.2, count: 10 });
      return 0;
    },
  },
  { name: "kill-worker", what: "the worker is killed again and again", ...killing("worker") },
  {
    name: "kill-fleet",
    what: "of four workers and two web processes side by side one is killed again and again, while people call both",
    beside: startFleet,
    strike: ({ fleet, random }) => fleet?.strike(random) ?? 0,
  },
  {
    name: "kill-canary",
    what: "a canary worker that has half of the accounts is killed again and again beside two ordinary ones",
    beside: startCanary,
    strike: ({ fleet, random }) => fleet?.strike(random) ?? 0,
  },
  { name: "kill-exchange", what: "the broker dies and restarts", ...killing("exchange") },
  { name: "kill-postgres", what: "Postgres is killed", ...killing("postgres") },
  { name: "kill-redis", what: "Redis is killed", ...killing("redis") },
  {
    name: "by-hand",
    what: "the owner cancels our protective orders at the broker and sells one share by hand",
    strike: ({ exchange, random }) => byHand(exchange, random),
  },
  {
    name: "corrections",
    what: "the broker takes executions back and corrects their prices",
    strike: ({ exchange, random }) => correctExecution(exchange, random),
  },
];

function pick<T>(from: readonly T[], random: () => number): T | undefined {
  return from[Math.floor(random() * from.length)];
}

const isOpen = ({ status }: AccountTruth["orders"][number]) => status === "new" || status === "accepted";

/** Cancels the stops of one position past the product, and offers one of its shares far above the market. */
async function byHand(exchange: ExchangeControl, random: () => number): Promise<number> {
  const candidates = (await exchange.truth()).flatMap((account) =>
    account.positions
      .filter(({ qty }) => Number(qty) >= 2)
      .map(({ symbol }) => ({
        account_number: account.account_number,
        symbol,
        stops: account.orders.filter(
          (order) => order.symbol === symbol && order.side === "sell" && order.type === "stop" && isOpen(order),
        ),
      }))
      .filter(({ stops }) => stops.length > 0),
  );
  const chosen = pick(candidates, random);
  if (chosen === undefined) return 0;
  const { account_number, symbol, stops } = chosen;
  for (const { id } of stops) await exchange.cancelOrder(id);
  await exchange.placeOrder({
    account_number,
    symbol,
    side: "sell",
    type: "limit",
    time_in_force: "day",
    qty: "1",
    limit_price: "9999",
  });
  return 1;
}

/** Takes one of the latest executions back, or changes its price by a cent. */
async function correctExecution(exchange: ExchangeControl, random: () => number): Promise<number> {
  const account = pick(
    (await exchange.truth()).filter(({ fills }) => fills.length > 0),
    random,
  );
  const fill = account === undefined ? undefined : pick(account.fills.slice(-5), random);
  if (fill === undefined) return 0;
  // A busted purchase whose shares are sold already would leave a short position: only sales are taken back.
  if (fill.side === "sell" && random() < 0.5) await exchange.bust(fill.id);
  else await exchange.correct(fill.id, (Number(fill.price) + 0.01).toFixed(2));
  return 1;
}
