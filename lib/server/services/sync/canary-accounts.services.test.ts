/** What workers do without the queue, while a canary has a share: recovery, streams, protection and the stops of people. */
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Exchange } from "@/lib/exchange/start.ts";
import { openBench } from "@/lib/proof/fixtures/bench.ts";
import {
  allPass,
  buyBracket,
  decide,
  hastyBroker,
  openAccount,
  plannedOrder,
  protectAll,
  truthOf,
  withBroker,
} from "@/lib/proof/fixtures/orders.ts";
import { asCanary, canaryBeats, endSplit, giveShare, parted } from "@/lib/proof/fixtures/split.ts";
import type { Context } from "../../context.ts";
import type { Account } from "../../core/row-types.ts";
import { CANARY_SILENT_MS } from "../../jobs/canary.ts";
import { setAccountKillState } from "../automation/set-kill-state.ts";
import { watchKillStates } from "../automation/watch-kill-states.ts";
import { submitPlan } from "../orders/submit-plan.ts";
import { reconcileAccount } from "./reconcile-account.ts";
import { recoverAccounts } from "./recover-accounts.ts";
import { streamAccounts } from "./stream-accounts.ts";

let exchange: Exchange;
let context: Context;
/** The canary's account, and one of the others. */
let inside: Account;
let outside: Account;
let opened: Account;
openBench((bench) => ({ exchange, context, account: opened } = bench));
beforeEach(async () => {
  const split = parted(opened, await openAccount(context));
  ({ inside, outside } = split);
  await giveShare(split.share);
  await canaryBeats();
});
afterEach(async () => {
  await endSplit();
  await context.db.account.updateMany({ data: { deletedAt: new Date(), status: "INACTIVE", sealedKeys: null } });
});

it("a start recovers the accounts of its own side, and those of a canary that is gone", async () => {
  const unread = async () => {
    const rows = await context.db.account.findMany({
      where: { id: { in: [inside.id, outside.id] }, reconciledAt: null },
    });
    return rows.map(({ id }) => id);
  };
  await asCanary(() => recoverAccounts(context));
  expect(await unread()).toEqual([outside.id]);
  await recoverAccounts(context);
  expect(await unread()).toEqual([]);
  await context.db.account.update({ where: { id: inside.id }, data: { reconciledAt: null } });
  await recoverAccounts(context);
  expect(await unread()).toEqual([inside.id]);
  await canaryBeats(CANARY_SILENT_MS + 1);
  await recoverAccounts(context);
  expect(await unread()).toEqual([]);
});

it("a canary follows the streams of its accounts beside the follower of the others, which takes them when it is gone", async () => {
  const following = new Set<string>();
  const counting = (name: string): Context => ({
    ...context,
    brokers: {
      ...context.brokers,
      forAccount: (account) => ({
        ...hastyBroker(account as Account, 5_000),
        tradeUpdates: () => {
          const key = `${name} ${account.id}`;
          following.add(key);
          return { close: () => void following.delete(key) };
        },
      }),
    },
  });
  const ordinary = await streamAccounts(counting("ordinary"));
  const canary = await asCanary(() => streamAccounts(counting("canary")));
  try {
    expect([...following].sort()).toEqual([`canary ${inside.id}`, `ordinary ${outside.id}`]);
    canary.close();
    await endSplit();
    const both = [inside, outside].map(({ id }) => `ordinary ${id}`).sort();
    await expect.poll(() => [...following].sort()).toEqual(both);
  } finally {
    ordinary.close();
  }
});

it("a canary's bare shares are its own to protect; left bare for ten seconds, an ordinary worker protects them", async () => {
  const broker = hastyBroker(inside, 5_000);
  await buyBracket(exchange, context, inside);
  const [leg] = await context.db.order.findMany({ where: { accountId: inside.id, role: "STOP", status: "NEW" } });
  await broker.cancel(leg!.brokerOrderId);
  await reconcileAccount(context, inside.id);
  const stops = () =>
    truthOf(exchange, inside).orders.filter(({ type, status }) => type === "stop" && status === "new").length;
  const protectIn = (inMs: number) => protectAll({ ...context, now: () => new Date(Date.now() + inMs) });
  await protectIn(0);
  await protectIn(9_000);
  expect(stops()).toBe(0);
  await protectIn(10_500);
  expect(stops()).toBe(1);
});

it("a canary protects no account of the others, however long it is bare", async () => {
  await buyBracket(exchange, context, outside);
  const [leg] = await context.db.order.findMany({ where: { accountId: outside.id, role: "STOP", status: "NEW" } });
  await hastyBroker(outside, 5_000).cancel(leg!.brokerOrderId);
  await reconcileAccount(context, outside.id);
  const stops = () =>
    truthOf(exchange, outside).orders.filter(({ type, status }) => type === "stop" && status === "new").length;
  for (const inMs of [0, 60_000])
    await asCanary(() => protectAll({ ...context, now: () => new Date(Date.now() + inMs) }));
  expect(stops()).toBe(0);
  await protectAll(context);
  expect(stops()).toBe(1);
});

it("a person's stop of a canary's account is enforced by an ordinary worker, too; of the others' a canary enforces none", async () => {
  const cancelled: string[] = [];
  const listening = (account: Account): Context => {
    const real = hastyBroker(account, 5_000);
    const cancel = (id: string) => {
      cancelled.push(account.id);
      return real.cancel(id);
    };
    return withBroker(context, { ...real, cancel });
  };
  const entry = { symbol: "SPY", type: "LIMIT", limitPrice: "50" } as const;
  for (const account of [inside, outside]) {
    const decisionId = await decide(context, account, [plannedOrder(entry)]);
    await submitPlan(context, { decisionId, epoch: 0, regate: allPass });
    await reconcileAccount(context, account.id);
  }
  await setAccountKillState(context, { id: outside.id, killState: "REDUCE_ONLY", reason: "test" });
  let looks = 0;
  const counted: Context = {
    ...listening(outside),
    db: new Proxy(context.db, {
      get(target, name) {
        if (name === "symbolStop") looks += 1;
        return Reflect.get(target, name) as unknown;
      },
    }),
  };
  await asCanary(async () => {
    const canary = watchKillStates(counted, { everyMs: 10 });
    await expect.poll(() => looks).toBeGreaterThan(3);
    await canary.close();
  });
  expect(cancelled).toEqual([]);
  await setAccountKillState(context, { id: outside.id, killState: "NONE", reason: "test" });
  await setAccountKillState(context, { id: inside.id, killState: "REDUCE_ONLY", reason: "test" });
  const ordinary = watchKillStates(listening(inside), { everyMs: 10 });
  await expect.poll(() => cancelled).toEqual([inside.id]);
  await ordinary.close();
});
