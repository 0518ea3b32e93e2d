/** A worker that is put to sleep between its mark and its request, and wakes after another took over: docs/faults.md. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { isFreshMark } from "@/lib/domain/protocol/mark.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import type { Account } from "../../core/row-types.ts";
import type { Context } from "../../context.ts";
import { shortLivedArgs } from "@/lib/proof/bundled.ts";
import { decide, openAccount, plannedOrder, startBench, testContext, truthOf } from "@/lib/proof/fixtures/orders.ts";
import { closeAccountWriters, withAccountWriter } from "../../core/account-writer.ts";
import { recoverAccount } from "../sync/recover-account.ts";

let program: string[];
let exchange: Exchange;
let context: Context;
let account: Account;
beforeAll(async () => {
  program = await shortLivedArgs("lib/proof/crash/orders-child.ts");
  exchange = await startBench();
});
afterAll(() => exchange.close());
// The next sleeper's connection is the only one of its kind then.
afterEach(() => closeAccountWriters());
beforeEach(async () => {
  context = testContext();
  account = await openAccount(context);
});

const intent = () => context.db.intent.findFirst({ where: { accountId: account.id } });
const recover = () => recoverAccount(context, account.id, { settleWindowMs: 300, untilSettled: true });

/** A worker asleep behind its mark, whose account another one has taken over and settled; answers how to wake it. */
async function sleeperTakenOver(): Promise<() => Promise<void>> {
  const order = plannedOrder({ symbol: "SPY", type: "LIMIT", limitPrice: "50" });
  const decisionId = await decide(context, account, [order]);
  const env: NodeJS.ProcessEnv = { ...process.env, NODE_ENV: "test", CRASH_AT: "after-mark:1:stop" };
  const sleeper = spawn(process.execPath, [...program, "submit", account.id, decisionId], { env, stdio: "ignore" });
  const ended = once(sleeper, "close");
  await expect.poll(async () => (await intent())?.status, { timeout: 20_000, interval: 20 }).toBe("SUBMITTING");
  sleeper.kill("SIGSTOP");
  // Its connection is closed as dead, and with it the account's lock.
  await context.db.$queryRaw`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'account-writers' and pid <> pg_backend_pid()`;
  expect(await withAccountWriter(context, account.id, recover, { waitMs: 10_000 })).not.toBeNull();
  expect(await intent()).toMatchObject({ status: "PARKED" });
  return async () => {
    // It may have been stopped just before it put itself to sleep: then it takes two.
    const waking = setInterval(() => sleeper.kill("SIGCONT"), 50);
    await ended;
    clearInterval(waking);
  };
}

it.each(["on", "off"])(
  "finds its mark too old and its order closed, and sends nothing, client-id uniqueness %s (W10)",
  async (uniqueness) => {
    if (uniqueness === "off") exchange.control.addFault({ kind: "uniqueness_off" });
    const wake = await sleeperTakenOver();
    const isOld = async () => !isFreshMark(Date.now(), (await intent())?.submittedAt?.getTime() ?? null);
    await expect.poll(isOld, { timeout: 30_000, interval: 50 }).toBe(true);
    await wake();
    expect(truthOf(exchange, account).orders).toEqual([]);
    expect(await withAccountWriter(context, account.id, recover, { waitMs: 10_000 })).not.toBeNull();
    expect(truthOf(exchange, account).orders).toEqual([]);
    expect(await intent()).toMatchObject({ status: "PARKED" });
    exchange.control.clearFaults();
  },
);
