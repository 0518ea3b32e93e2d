/**
 * Trials of the kill switch on a real exchange: while accounts submit entries as fast as they can, a stop is
 * committed at a random moment, and the exchange's own record says when the last entry arrived. Only tests import it.
 */
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { jobs } from "@/lib/contracts/jobs.ts";
import type { KillStateName } from "@/lib/domain/enums.ts";
import { wallMs } from "@/lib/exchange/arrivals.ts";
import type { FaultInput } from "@/lib/exchange/faults.ts";
import { randomOf, seedOf, type Random } from "@/lib/exchange/market/seeded.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import { startTestExchange } from "@/lib/proof/market/test-exchange.ts";
import {
  allPass,
  CONTROL_TOKEN,
  decide,
  openAccount,
  plannedOrder,
  testContext,
  truthOf,
} from "@/lib/proof/fixtures/orders.ts";
import type { Context } from "@/lib/server/context.ts";
import { env } from "@/lib/server/env.ts";
import { closeQueues, consume, queue } from "@/lib/server/jobs/queue.ts";
import { marketData } from "@/lib/server/providers/market-data-registry.ts";
import { submitPlan } from "@/lib/server/services/orders/submit-plan.ts";
import { createInProcessQueue } from "@/lib/server/jobs/in-process-queue.ts";
import { withAccountWriter } from "../server/core/account-writer.ts";
import type { Account } from "../server/core/row-types.ts";
import { syncOrders } from "../server/services/accounts/sync-orders.ts";
import { isStopped, measure, SCOPES, type KillTrial, type Run } from "./kill-trial-figures.ts";
import { setAccountKillState, setSystemKillState } from "@/lib/server/services/automation/set-kill-state.ts";
import { setSymbolStop } from "@/lib/server/services/automation/set-symbol-stop.ts";
import { setUserKillState } from "@/lib/server/services/automation/set-user-kill-state.ts";
import { watchKillStates } from "@/lib/server/services/automation/watch-kill-states.ts";

const STATES = ["NO_NEW_ENTRIES", "REDUCE_ONLY", "FLATTEN"] as const;
const FAULTS: Record<string, Omit<FaultInput, "method" | "path"> | null> = {
  none: null,
  throttled: { kind: "status", status: 429, headers: { "retry-after": "1" }, count: 0, probability: 0.4 },
  slow: { kind: "delay", ms: 300, count: 0, probability: 0.5 },
  lost: { kind: "drop_after_accept", count: 0, probability: 0.3 },
};
/** The loop continues until this many entries were refused, or one and this much time has passed since the stop. */
const REFUSED_ENOUGH = 3;
const GOES_ON_MS = 2_500;
const PATIENCE_MS = 15_000;
/** Symbols that are stopped beside those on their way. */
const NEXT_SYMBOLS = 4;

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
  const exchange = await startTestExchange({ port: 0, databaseUrl: null, controlToken: CONTROL_TOKEN, paused: true });
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
  const scope = pick(SCOPES);
  const killState = scope === "symbol" ? "REDUCE_ONLY" : pick(STATES);
  const fault = pick(Object.keys(FAULTS));
  const stopAfterMs = random() * 600;

  const base = testContext();
  const sync = (data: unknown) => syncOrders(base, data as { accountId: string });
  const inProcess = createInProcessQueue(async (_, data) => sync(data));
  const hasRedis = !isRedisDown && env().REDIS_URL !== undefined;
  const worker = hasRedis ? consume(jobs.orderStatus, sync) : null;
  const context: Context = { ...base, queue: queue(inProcess) };
  const run = await openRun(exchange, context, scope);
  const spec = FAULTS[fault];
  if (spec) exchange.control.addFault({ method: "POST", path: "/v2/orders", seed, ...spec });

  const watch = watchKillStates(context);
  const follow = followOrders(context, run);
  const loops = run.accounts.map((account) => submitEntries(context, account, run));
  try {
    // A loop that failed would be waited for forever.
    await Promise.race([untilSending(exchange, run), Promise.all(loops)]);
    await delay(stopAfterMs);
    await stop(context, run, killState);
    await untilRefused(run, loops);
    exchange.control.clearFaults();
    const stillWorking = await untilCancelled(exchange, run);
    // The stop may be over before the next entry that it leaves alone is due.
    if (scope !== "system") await untilOthersSent(run);
    run.isOver = true;
    await Promise.all([...loops, follow]);
    const figures = await measure(exchange, context, run);
    return { seed, scope, killState, isRedisDown, fault, refused: run.refused, stillWorking, ...figures };
  } finally {
    run.isOver = true;
    await Promise.allSettled([...loops, follow]);
    await watch.close();
    await Promise.all([inProcess.close(), worker?.close()]);
    exchange.control.clearFaults();
    await forgetStops(base);
  }
}

/** Lifts every stop past the services, and leaves nothing of this trial for another's rounds to look at. */
async function forgetStops({ db }: Context): Promise<void> {
  const free = { killState: "NONE", killReason: null, killSetAt: null } as const;
  await db.systemState.update({ where: { id: 1 }, data: free });
  await db.user.updateMany({ where: { killState: { not: "NONE" } }, data: free });
  await db.symbolStop.deleteMany();
  await db.account.updateMany({ data: { status: "INACTIVE" } });
  await db.order.updateMany({ where: { filledQty: 0 }, data: { status: "CANCELED" } });
}

/** Two people with an account each; where a person is stopped, with two accounts of that person. */
async function openRun(exchange: Exchange, context: Context, scope: KillTrial["scope"]): Promise<Run> {
  const first = await openAccount(context);
  const same = scope === "user" ? [await openAccount(context, "100000", first)] : [];
  const accounts = [first, ...same, await openAccount(context)];
  const stopped = { account: [first], user: [first, ...same], system: accounts, symbol: accounts }[scope];
  return {
    scope,
    accounts,
    stopped,
    numbers: new Set(stopped.map((account) => truthOf(exchange, account).account_number)),
    symbols: (await marketData("PRACTICE").assets()).map(({ symbol }) => symbol),
    at: new Map(),
    committedAt: Infinity,
    symbolsStoppedAt: new Map(),
    refused: 0,
    othersSent: 0,
    isOver: false,
  };
}

async function stop(context: Context, run: Run, killState: KillStateName): Promise<void> {
  const [{ id, userId }] = run.accounts as [Account];
  const reason = "trial";
  if (run.scope === "account") await setAccountKillState(context, { id, killState, reason });
  else if (run.scope === "user") await setUserKillState(context, { userId, killState, reason });
  else if (run.scope === "system") await setSystemKillState(context, { killState, reason });
  else
    for (const symbol of symbolsToStop(run)) {
      await setSymbolStop(context, { market: "PRACTICE", symbol, killState: "REDUCE_ONLY", reason });
      run.symbolsStoppedAt.set(symbol, wallMs());
    }
  run.committedAt = wallMs();
}

/** Those that are being bought right now, and the next ones of whichever account is ahead. */
function symbolsToStop({ at, symbols }: Run): string[] {
  const places = [...at.values()];
  return symbols.slice(Math.min(...places), Math.max(...places) + 1 + NEXT_SYMBOLS);
}

/** Entries one after the other, each of another symbol, far away from their fill; as the account's only writer. */
async function submitEntries(context: Context, account: Account, run: Run): Promise<void> {
  const endsByItself = run.scope !== "symbol" && run.stopped.includes(account);
  let refused = 0;
  for (let index = 0; !run.isOver && index < run.symbols.length; index += 1) {
    const sinceMs = wallMs() - run.committedAt;
    if (endsByItself && (refused >= REFUSED_ENOUGH || (refused > 0 && sinceMs > GOES_ON_MS))) return;
    const symbol = run.symbols[index] ?? "SPY";
    run.at.set(account.id, index);
    const decisionId = await decide(context, account, [
      plannedOrder({ symbol, qty: "1", type: "LIMIT", limitPrice: "1" }),
    ]);
    const begunAt = wallMs();
    const send = (epoch: number) => submitPlan(context, { decisionId, epoch, regate: allPass });
    const legs = await withAccountWriter(context, account.id, send, { waitMs: 5_000 });
    if (!isStopped(run, account, symbol) && begunAt > run.committedAt) run.othersSent += 1;
    if (!legs?.some(({ reason }) => reason?.startsWith("kill switch"))) continue;
    refused += 1;
    run.refused += 1;
  }
}

/** Orders are followed as the schedule does it: by the queue, or here where the queue is unavailable. */
async function followOrders(context: Context, run: Run): Promise<void> {
  while (!run.isOver) {
    await Promise.all(run.accounts.map(({ id }) => context.queue.enqueue(jobs.orderStatus, { accountId: id })));
    await delay(250);
  }
}

/** Waits until each account to be stopped has sent its first entry. */
async function untilSending(exchange: Exchange, { numbers }: Run): Promise<void> {
  const hasSent = (account_number: string) =>
    exchange.control.arrivals({ account_number, method: "POST" }).arrivals.length > 0;
  while (![...numbers].every(hasSent)) await delay(5);
}

/** Stopped accounts end by themselves once enough was refused; of stopped symbols, one refusal each is waited for. */
async function untilRefused(run: Run, loops: Promise<void>[]): Promise<void> {
  if (run.scope !== "symbol") {
    await Promise.all(loops.filter((_, index) => run.stopped.includes(run.accounts[index]!)));
    return;
  }
  const giveUpAt = performance.now() + PATIENCE_MS;
  while (run.refused < run.accounts.length && performance.now() < giveUpAt) await delay(20);
}

/** What still works at the exchange of what is stopped. */
const workingOrders = (exchange: Exchange, run: Run) =>
  run.stopped.flatMap((account) =>
    truthOf(exchange, account).orders.filter(
      ({ status, symbol }) => open.has(status) && isStopped(run, account, symbol),
    ),
  );

/** Whether an entry that came before the stop waits to be served still: the order that it becomes is yet to be asked back. */
const hasUnserved = (exchange: Exchange, { numbers, committedAt }: Run): boolean =>
  exchange.control
    .arrivals({ path: "/v2/orders" })
    .arrivals.some(
      ({ method, account_number, wall_ms, served_wall_ms, answered_wall_ms }) =>
        method === "POST" &&
        wall_ms <= committedAt &&
        served_wall_ms === null &&
        answered_wall_ms === null &&
        numbers.has(account_number ?? ""),
    );

/** Waits until no entry is open; answers how many still do when the time is up. */
async function untilCancelled(exchange: Exchange, run: Run): Promise<number> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  for (;;) {
    const working = workingOrders(exchange, run).length;
    if ((working === 0 && !hasUnserved(exchange, run)) || performance.now() > giveUpAt) return working;
    await delay(20);
  }
}

/** Waits until an entry that the stop leaves alone, and that began after it, was submitted. */
async function untilOthersSent(run: Run): Promise<void> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  while (run.othersSent === 0 && performance.now() < giveUpAt) await delay(20);
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
