/** What happens in one episode, drawn from its seed alone. */
import { randomOf, type Random } from "@/lib/exchange/market/seeded.ts";
import type { ExchangeControl } from "@/lib/exchange/control.ts";
import { CRASH_POINTS, type CrashPoint } from "@/lib/server/crash-point.ts";

export type FaultScript = Parameters<ExchangeControl["addFault"]>[0];

export interface WorkerScript {
  /** A crash point as CRASH_AT names it; null: none. */
  crashAt: string | null;
  /** SIGKILL after so many wall milliseconds; null: never. */
  killAfterMs: number | null;
  /** SIGSTOP after `atMs`, or at a crash point where that is null; SIGCONT `forMs` later. */
  sleep: { atMs: number | null; forMs: number } | null;
  /** Follows the trade updates while it works. */
  isFollowing: boolean;
  /** Sends without the account's lock, with the epoch that it finds: a holder that lost its lock and does not know. */
  isLockless: boolean;
}

const FLIPS = ["HALT", "REDUCE_ONLY", "NO_NEW_ENTRIES", "PAUSE", "USER_REDUCE_ONLY", "SYMBOL_STOP"] as const;
export type Flip = (typeof FLIPS)[number];

export interface Turn {
  workers: WorkerScript[];
  faults: FaultScript[];
  flip: { what: Flip; atMs: number } | null;
  /** Ends Postgres like a power cut while the workers are at it. */
  cutsPostgresAtMs: number | null;
  /** A second decision is made before this turn. */
  decidesAnew: boolean;
}

export interface Episode {
  seed: number;
  isUniquenessOff: boolean;
  /** Shares, a bracket and a waiting order are there before it begins, and its plan sells them. */
  isHolding: boolean;
  /** Of market time against wall time. */
  speed: number;
  /** Not found for this long: parked. Scaled down from a minute, as the late acceptance is. */
  settleWindowMs: number;
  /** Quantities that a minute's volume cannot fill. */
  isLarge: boolean;
  turns: Turn[];
}

export interface DrawOptions {
  uniquenessOffShare: number;
  /** Postgres is cut in the first turn: the episode has it for itself. */
  cutsPostgres: boolean;
}

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
const between = (random: Random, low: number, high: number) => Math.round(low + random() * (high - low));

const ORDERS = { method: "POST", path: "/v2/orders" } as const;
const LOOKUP = { method: "GET", path: "/v2/orders:by_client_order_id" } as const;

/** Ways in which a request to place an order goes wrong. */
function orderFault(random: Random, settleWindowMs: number): FaultScript {
  const drawn = random();
  if (drawn < 0.14) return { kind: "drop_before_accept", ...ORDERS };
  if (drawn < 0.34) return { kind: "drop_after_accept", ...ORDERS };
  if (drawn < 0.54) return { kind: "late_accept", ...ORDERS, ms: between(random, 10, 2 * settleWindowMs) };
  if (drawn < 0.62) return { kind: "status", ...ORDERS, status: pick(random, [500, 502, 503, 504]) };
  if (drawn < 0.74) return { kind: "status_after_accept", ...ORDERS, status: pick(random, [500, 504]) };
  if (drawn < 0.84) return { kind: "garbage_200", ...ORDERS };
  if (drawn < 0.92) return { kind: "hang", ...ORDERS, ms: between(random, 50, 600) };
  return { kind: "status", ...ORDERS, status: 429, headers: { "retry-after": "0" } };
}

/** Ways in which reading, cancelling and listening go wrong. */
function otherFault(random: Random): FaultScript {
  const drawn = random();
  if (drawn < 0.16) return { kind: "lookup_lag", ms: between(random, 50, 700) };
  if (drawn < 0.28) return { kind: "drop_before_accept", ...LOOKUP };
  if (drawn < 0.4) return { kind: "status", ...LOOKUP, status: pick(random, [500, 503, 429]) };
  if (drawn < 0.5) return { kind: "garbage_200", ...LOOKUP };
  if (drawn < 0.58) return { kind: "drop_after_accept", method: "DELETE", path: "/v2/orders" };
  if (drawn < 0.64) return { kind: "status", method: "DELETE", path: "/v2/orders", status: 500 };
  if (drawn < 0.7) return { kind: "drop_before_accept", method: "GET", path: "/v2/orders" };
  if (drawn < 0.76) return { kind: "status", method: "GET", path: "/v2/positions", status: 503 };
  if (drawn < 0.82) return { kind: "garbage_200", method: "GET", path: "/v2/account/activities" };
  if (drawn < 0.92) return { kind: "duplicate_events" };
  return { kind: "mute_stream" };
}

/** Where a worker has decided to send and has not sent yet: a worker that wakes there meets what others did meanwhile. */
const ABOUT_TO_SEND = ["after-intent", "after-regate", "after-mark"] as const satisfies CrashPoint[];

function drawWorker(random: Random, isSecond: boolean): WorkerScript {
  const isLockless = isSecond && random() < 0.5;
  const isFollowing = random() < 0.7;
  const script = { crashAt: null, killAfterMs: null, sleep: null, isFollowing, isLockless };
  const forMs = between(random, 100, 900);
  const time = pick(random, [1, 1, 1, 2, 2, 3, 4]);
  if (isLockless && random() < 0.7)
    return {
      ...script,
      crashAt: `${pick(random, ABOUT_TO_SEND)}:${pick(random, [1, 1, 1, 2])}:stop`,
      sleep: { atMs: null, forMs },
    };
  const end = random();
  const point = pick(random, CRASH_POINTS);
  if (end < 0.45) return { ...script, crashAt: `${point}:${time}` };
  if (end < 0.7) return { ...script, killAfterMs: between(random, 5, 700) };
  if (end < 0.8) return { ...script, crashAt: `${point}:${time}:stop`, sleep: { atMs: null, forMs } };
  if (end < 0.85) return { ...script, sleep: { atMs: between(random, 5, 400), forMs } };
  return script;
}

function drawTurn(random: Random, index: number, settleWindowMs: number, options: DrawOptions): Turn {
  const isPair = random() < 0.5;
  const orderFaults = Array.from({ length: between(random, index === 0 ? 1 : 0, 3) }, () =>
    orderFault(random, settleWindowMs),
  );
  const others = Array.from({ length: between(random, 0, 2) }, () => otherFault(random));
  const flip = random() < 0.15;
  const cutAtMs = between(random, 20, 400);
  return {
    workers: isPair ? [drawWorker(random, false), drawWorker(random, true)] : [drawWorker(random, false)],
    faults: [...orderFaults, ...others],
    flip: flip
      ? {
          what: pick(random, FLIPS),
          atMs: between(random, 0, 500),
        }
      : null,
    cutsPostgresAtMs: options.cutsPostgres && index === 0 ? cutAtMs : null,
    decidesAnew: index > 0 && random() < 0.4,
  };
}

export function drawEpisode(seed: number, options: DrawOptions): Episode {
  const random = randomOf(seed);
  const isUniquenessOff = random() < options.uniquenessOffShare;
  const settleWindowMs = pick(random, [120, 250, 500]);
  const turns = random() < 0.75 ? 2 : 1;
  return {
    seed,
    isUniquenessOff,
    isHolding: random() < 0.6,
    speed: pick(random, [60, 300, 1_200]),
    settleWindowMs,
    isLarge: random() < 0.3,
    turns: Array.from({ length: turns }, (_, index) => drawTurn(random, index, settleWindowMs, options)),
  };
}
