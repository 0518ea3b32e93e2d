/**
 * Trials of the kill switch on a real exchange: while accounts submit entries as fast as they can, a stop is
 * committed at a random moment, and the exchange's own record says when the last entry arrived. Only tests import it.
 */
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { jobs } from "@/lib/contracts/jobs.ts";
import type { KillStateName } from "@/lib/domain/engine/plan.ts";
import { wallMs } from "@/lib/exchange/arrivals.ts";
import type { FaultInput } from "@/lib/exchange/faults.ts";
import { randomOf, seedOf, type Random } from "@/lib/exchange/market/seeded.ts";
import { startExchange, type Exchange } from "@/lib/exchange/start.ts";
import type { Context } from "../../context.ts";
import { env } from "../../env.ts";
import { closeQueues, consume, queue } from "../../jobs/queue.ts";
import { createHere } from "../../jobs/run-here.ts";
import { marketData } from "../../providers/market-data-registry.ts";
import { withAccountWriter } from "../orders/account-writer.ts";
import { allPass, CONTROL_TOKEN, decide, openAccount, plannedOrder, testContext, truthOf } from "../orders/bench.ts";
import type { Account } from "../orders/row-types.ts";
import { submitPlan } from "../orders/submit-plan.ts";
import { syncOrders } from "../orders/sync-orders.ts";
import { setAccountKillState, setSystemKillState } from "./set-kill-state.ts";
import { watchKillStates } from "./watch-kill-states.ts";

export interface KillTrial {
  seed: number;
  scope: "account" | "system";
  killState: KillStateName;
  isRedisDown: boolean;
  fault: string;
  /** Entries of stopped accounts that arrived before the stop was committed. */
  entriesBefore: number;
  /** Of these, how many had no answer yet when the stop was committed. */
  inFlight: number;
  /** Wall milliseconds from the commit to the last arrival of an entry of a stopped account; 0 for none after it. */
  lastEntryAfterMs: number;
  /** Entries that the stop refused. */
  refused: number;
  /** Entries of the account that was not stopped which arrived after the commit; null where all were. */
  othersAfter: number | null;
  /** Wall milliseconds from commit and answer to the first request to cancel, the slowest of all open entries. */
  slowestCancelMs: number;
  /** Entries that still work at the exchange at the end. */
  stillWorking: number;
}

const STATES = ["NO_NEW_ENTRIES", "REDUCE_ONLY", "FLATTEN"] as const;
const FAULTS: Record<string, Omit<FaultInput, "method" | "path"> | null> = {
  none: null,
  throttled: { kind: "status", status: 429, headers: { "retry-after": "1" }, count: 0, probability: 0.4 },
  slow: { kind: "delay", ms: 300, count: 0, probability: 0.5 },
  lost: { kind: "drop_after_accept", count: 0, probability: 0.3 },
};
/** The loop goes on until this many entries were refused, or one and this much time has passed since the stop. */
const REFUSED_ENOUGH = 3;
const GOES_ON_MS = 2_500;
const PATIENCE_MS = 15_000;

const open = new Set(["new", "accepted", "pending_new", "partially_filled", "held", "pending_cancel"]);

/** Runs the trials one after the other; the same seed makes the same trials. */
export async function runKillTrials({
  trials,
  redisDownShare,
  seed,
  point,
}: {
  trials: number;
  /** 0 … 1: trials whose queue points to a port where nothing listens. */
  redisDownShare: number;
  seed: number;
  /** Points this process to an exchange and to a Redis. */
  point: (services: { exchangeUrl: string; redisUrl: string | undefined }) => void;
}): Promise<KillTrial[]> {
  const exchange = await startExchange({ port: 0, databaseUrl: null, controlToken: CONTROL_TOKEN, paused: true });
  const redisUrl = env().REDIS_URL;
  const deadUrl = `redis://127.0.0.1:${await deadPort()}`;
  const results: KillTrial[] = [];
  try {
    point({ exchangeUrl: exchange.url, redisUrl });
    await exchange.control.clock({ advanceMinutes: 6 });
    for (let index = 0; index < trials; index += 1) {
      const random = randomOf(seedOf(seed, index));
      const isRedisDown = Math.floor((index + 1) * redisDownShare) > Math.floor(index * redisDownShare);
      await closeQueues();
      point({ exchangeUrl: exchange.url, redisUrl: isRedisDown ? deadUrl : redisUrl });
      results.push(await runTrial(exchange, random, { seed: index, isRedisDown }));
    }
  } finally {
    await closeQueues();
    point({ exchangeUrl: exchange.url, redisUrl });
    await exchange.close();
  }
  return results;
}

async function runTrial(
  exchange: Exchange,
  random: Random,
  { seed, isRedisDown }: { seed: number; isRedisDown: boolean },
): Promise<KillTrial> {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const scope = pick(["account", "system"] as const);
  const killState = pick(STATES);
  const fault = pick(Object.keys(FAULTS));
  const stopAfterMs = random() * 600;

  const base = testContext();
  const sync = (data: unknown) => syncOrders(base, data as { accountId: string });
  const here = createHere(async (_, data) => sync(data));
  const hasRedis = !isRedisDown && env().REDIS_URL !== undefined;
  const worker = hasRedis ? consume(jobs.orderStatus, sync) : null;
  const context: Context = { ...base, queue: queue(here) };
  const accounts = [await openAccount(context), await openAccount(context)] as const;
  const stopped = scope === "account" ? [accounts[0]] : [...accounts];
  const spec = FAULTS[fault];
  if (spec) exchange.control.addFault({ method: "POST", path: "/v2/orders", seed, ...spec });

  const watch = watchKillStates(context);
  const state = { committedAt: Infinity, refused: 0, othersSent: 0, isOver: false };
  const numbers = new Set(stopped.map((account) => truthOf(exchange, account).account_number));
  const follow = followOrders(context, accounts, state);
  const loops = accounts.map((account) => submitEntries(context, account, stopped.includes(account), state));
  try {
    await untilSending(exchange, numbers);
    await delay(stopAfterMs);
    if (scope === "account") await setAccountKillState(context, { id: accounts[0].id, killState, reason: "trial" });
    else await setSystemKillState(context, { killState, reason: "trial" });
    state.committedAt = wallMs();
    await Promise.all(loops.slice(0, stopped.length));
    exchange.control.clearFaults();
    const stillWorking = await untilCancelled(exchange, stopped);
    // The stop may be over before the other account's next entry is due.
    if (scope === "account") await untilOthersSent(state);
    state.isOver = true;
    await Promise.all([...loops, follow]);
    const { arrivals } = exchange.control.arrivals({ path: "/v2/orders" });
    const ofStopped = arrivals.filter(({ account_number }) => numbers.has(account_number ?? ""));
    const entries = ofStopped.filter(({ method }) => method === "POST");
    const last = Math.max(0, ...entries.map(({ wall_ms }) => wall_ms - state.committedAt));
    return {
      seed,
      scope,
      killState,
      isRedisDown,
      fault,
      entriesBefore: entries.filter(({ wall_ms }) => wall_ms <= state.committedAt).length,
      inFlight: entries.filter(
        ({ wall_ms, answered_wall_ms }) =>
          wall_ms <= state.committedAt && (answered_wall_ms ?? Infinity) > state.committedAt,
      ).length,
      lastEntryAfterMs: Math.round(last),
      refused: state.refused,
      othersAfter: scope === "system" ? null : othersAfter(exchange, accounts[1], state.committedAt),
      slowestCancelMs: Math.round(slowestCancel(exchange, stopped, ofStopped, state.committedAt)),
      stillWorking,
    };
  } finally {
    state.isOver = true;
    await Promise.allSettled([...loops, follow]);
    await watch.close();
    await Promise.all([here.close(), worker?.close()]);
    exchange.control.clearFaults();
    await base.db.systemState.update({
      where: { id: 1 },
      data: { killState: "NONE", killReason: null, killSetAt: null },
    });
    // What another trial's rounds would look at.
    await base.db.account.updateMany({ data: { status: "INACTIVE" } });
    await base.db.order.updateMany({ where: { filledQty: 0 }, data: { status: "CANCELED" } });
  }
}

type Arrival = ReturnType<Exchange["control"]["arrivals"]>["arrivals"][number];
type Run = { committedAt: number; refused: number; othersSent: number; isOver: boolean };

/** Entries one after the other, each of another symbol, far away from their fill; as the account's only writer. */
async function submitEntries(context: Context, account: Account, isStopped: boolean, run: Run): Promise<void> {
  const symbols = (await marketData("PRACTICE").assets()).map(({ symbol }) => symbol);
  let refused = 0;
  for (let index = 0; !run.isOver && index < symbols.length; index += 1) {
    const sinceMs = wallMs() - run.committedAt;
    if (isStopped && (refused >= REFUSED_ENOUGH || (refused > 0 && sinceMs > GOES_ON_MS))) return;
    const symbol = symbols[index] ?? "SPY";
    const decisionId = await decide(context, account, [
      plannedOrder({ symbol, qty: "1", type: "LIMIT", limitPrice: "1" }),
    ]);
    const begunAt = wallMs();
    const send = (epoch: number) => submitPlan(context, { decisionId, epoch, regate: allPass });
    const legs = await withAccountWriter(context, account.id, send, { waitMs: 5_000 });
    if (!isStopped && begunAt > run.committedAt) run.othersSent += 1;
    if (!legs?.some(({ reason }) => reason?.startsWith("kill switch"))) continue;
    refused += 1;
    run.refused += 1;
  }
}

/** Orders are followed as the schedule does it: by the queue, or here where the queue is away. */
async function followOrders(context: Context, accounts: readonly Account[], run: Run): Promise<void> {
  while (!run.isOver) {
    await Promise.all(accounts.map(({ id }) => context.queue.enqueue(jobs.orderStatus, { accountId: id })));
    await delay(250);
  }
}

const workingOrders = (exchange: Exchange, account: Account) =>
  truthOf(exchange, account).orders.filter(({ status }) => open.has(status));

/** Waits until each account to be stopped has sent its first entry. */
async function untilSending(exchange: Exchange, accountNumbers: Set<string>): Promise<void> {
  const hasSent = (account_number: string) =>
    exchange.control.arrivals({ account_number, method: "POST" }).arrivals.length > 0;
  while (![...accountNumbers].every(hasSent)) await delay(5);
}

/** Waits until no entry works any more; answers how many still do when patience ends. */
async function untilCancelled(exchange: Exchange, stopped: Account[]): Promise<number> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  for (;;) {
    const working = stopped.flatMap((account) => workingOrders(exchange, account)).length;
    if (working === 0 || performance.now() > giveUpAt) return working;
    await delay(20);
  }
}

/** Waits until the account that was not stopped has submitted an entry that it began after the stop. */
async function untilOthersSent(run: Run): Promise<void> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  while (run.othersSent === 0 && performance.now() < giveUpAt) await delay(20);
}

function othersAfter(exchange: Exchange, account: Account, committedAt: number): number {
  const { account_number } = truthOf(exchange, account);
  const { arrivals } = exchange.control.arrivals({ account_number, method: "POST", since_ms: committedAt });
  return arrivals.length;
}

/** From the later of the commit and the order's own answer to the first request to cancel it. */
function slowestCancel(exchange: Exchange, stopped: Account[], arrivals: Arrival[], committedAt: number): number {
  const waits = stopped
    .flatMap((account) => truthOf(exchange, account).orders)
    .map(({ id, client_order_id }) => {
      const sent = arrivals.find(
        ({ method, client_order_id: sentId }) => method === "POST" && sentId === client_order_id,
      );
      const cancel = arrivals.find(({ method, path }) => method === "DELETE" && path === `/v2/orders/${id}`);
      const from = Math.max(committedAt, sent?.answered_wall_ms ?? sent?.served_wall_ms ?? committedAt);
      return cancel ? cancel.wall_ms - from : Infinity;
    });
  return Math.max(0, ...waits);
}

/** A port where nothing listens. */
async function deadPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
