import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Exchange } from "@/lib/exchange/start.ts";
import { programArgs } from "@/lib/proof/bundled.ts";
import { startTestExchange } from "@/lib/proof/market/test-exchange.ts";
import { makeUser } from "@/prisma/factories.ts";
import { db } from "@/lib/server/db.ts";
import { forgetEnv } from "@/lib/server/env.ts";
import { addPracticeAccount } from "@/lib/server/services/accounts/add-practice-account.ts";
import { systemContext } from "@/lib/server/system-context.ts";
import { syncOrders } from "../../server/services/accounts/sync-orders.ts";
import { practiceStatus } from "../../server/providers/practice-control.ts";
import { comparePractice } from "./compare-truth.ts";

let exchange: Exchange;
let accountId: string;
const context = systemContext("test");

beforeAll(async () => {
  exchange = await startTestExchange({ port: 0, controlToken: "test-control-token", databaseUrl: null, seed: 4 });
  process.env.EXCHANGE_URL = exchange.url;
  forgetEnv();
  const user = await makeUser(db());
  const actor = { kind: "user", userId: user.id, role: "USER", signInId: "test" } as const;
  accountId = (await addPracticeAccount({ ...context, actor })).id;
  await syncOrders(context, { accountId });
}, 60_000);
afterAll(() => exchange.close());

/** Readings beside a busy worker, seconds each: `npm run prove -- reconcile` takes a hundred. */
const READINGS = Number(process.env.RECONCILE_READINGS ?? 6);

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const verdict = async (follow?: (id: string) => Promise<void>, at = context) =>
  (await comparePractice(at, follow)).accounts.flatMap((row) => row.undecided ?? row.differences);

/** Waiting for a follower that never comes takes a minute: two seconds by this clock. */
function hurried() {
  const begun = Date.now();
  return { ...context, now: () => new Date(begun + 30 * (Date.now() - begun)) };
}

/** A worker that follows the account and sends orders in bursts, whether the clock is paused or not. */
function busyWorker() {
  let isStopped = false;
  let sent = 0;
  const sending = (async () => {
    const account = await db().account.findUniqueOrThrow({ where: { id: accountId } });
    const broker = context.brokers.forAccount(account);
    while (!isStopped) {
      for (let nth = 0; nth < 4 && !isStopped; nth += 1) {
        sent += 1;
        await broker.submit({
          clientOrderId: `busy-${sent}`,
          symbol: "SPY",
          side: sent % 2 === 1 ? "BUY" : "SELL",
          qty: "1",
          orderClass: "SIMPLE",
          type: "MARKET",
          timeInForce: "gtc",
          limitPrice: null,
          stopPrice: null,
          takeProfitPrice: null,
          stopLossPrice: null,
        });
        await sleep(120);
      }
      // Long enough for books and truth to come to rest now and then.
      await sleep(6_000);
    }
  })();
  const following = (async () => {
    while (!isStopped) {
      // What fails is tried again, as the queue does it.
      await syncOrders(context, { accountId }).catch(() => undefined);
      await sleep(500);
    }
  })();
  return {
    sent: () => sent,
    async stop() {
      isStopped = true;
      await Promise.all([sending, following]);
    },
  };
}

it(
  "while the worker keeps sending with the clock paused, no reading raises a false alarm",
  async () => {
    // The market's own faults delay what the worker learns.
    exchange.control.addFault({ kind: "delay", path: "/v2/account/activities", ms: 150, count: 0 });
    exchange.control.addFault({
      kind: "status",
      path: "/v2/orders",
      method: "GET",
      status: 503,
      probability: 0.1,
      count: 0,
    });
    const worker = busyWorker();
    try {
      for (let reading = 0; reading < READINGS; reading += 1) expect(await verdict(), `reading ${reading}`).toEqual([]);
    } finally {
      await worker.stop();
      exchange.control.clearFaults();
    }
    expect(worker.sent()).toBeGreaterThan(READINGS / 2);
    expect(exchange.control.status().isPaused).toBe(false);
    console.log(`${READINGS} readings beside ${worker.sent()} orders`);
  },
  READINGS * 15_000,
);

it("a true difference is reported, and an account without a follower is not judged", async () => {
  const follow = (id: string) => syncOrders(context, { accountId: id });
  const account = await db().account.findUniqueOrThrow({ where: { id: accountId } });
  const bought = await context.brokers.forAccount(account).submit({
    clientOrderId: "kept",
    symbol: "SPY",
    side: "BUY",
    qty: "5",
    orderClass: "SIMPLE",
    type: "MARKET",
    timeInForce: "gtc",
    limitPrice: null,
    stopPrice: null,
    takeProfitPrice: null,
    stopLossPrice: null,
  });
  expect(bought.kind).toBe("accepted");
  await expect.poll(() => verdict(follow), { timeout: 60_000, interval: 100 }).toEqual([]);
  const lot = await db().lot.findFirstOrThrow({ where: { accountId, qtyRemaining: { gt: 1 } } });
  await db().lot.update({ where: { id: lot.id }, data: { qtyRemaining: lot.qtyRemaining.minus(1) } });
  expect((await verdict(follow)).join()).toMatch(/SPY lots: here \d+, at the broker \d+/);
  expect(await verdict(undefined, hurried())).toEqual(["the worker has not followed this account for a minute"]);
}, 240_000);

it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "a comparison that is ended by %s leaves the practice market's clock running, as it was found",
  async (signal) => {
    const args = await programArgs("workers/cli/reconcile.ts");
    // No worker follows the account: the comparison waits for a minute, with the clock paused.
    const child = spawn(process.execPath, args, { env: process.env, stdio: "ignore" });
    const ended = once(child, "close");
    try {
      await expect.poll(async () => (await practiceStatus()).isPaused, { timeout: 30_000 }).toBe(true);
      child.kill(signal);
      expect(await ended).toEqual([2, null]);
      expect((await practiceStatus()).isPaused).toBe(false);
    } finally {
      child.kill("SIGKILL");
    }
  },
);
