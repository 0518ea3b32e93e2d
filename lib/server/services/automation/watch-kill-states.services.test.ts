import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Exchange } from "@/lib/exchange/start.ts";
import type { Context } from "../../context.ts";
import { env } from "../../env.ts";
import { openBench } from "@/lib/proof/fixtures/bench.ts";
import { allPass, decide, hastyBroker, openAccount, plannedOrder, truthOf } from "@/lib/proof/fixtures/orders.ts";
import { withAccountWriter } from "../../core/account-writer.ts";
import type { Account } from "../../core/row-types.ts";
import { reconcileAccount } from "../sync/reconcile-account.ts";
import { submitPlan } from "../orders/submit-plan.ts";
import { syncOrders } from "../accounts/sync-orders.ts";
import { flattenAccount } from "./flatten-account.ts";
import { readRecalledSales } from "./read-recalled-sales.ts";
import { setAccountKillState, setSystemKillState } from "./set-kill-state.ts";
import { setUserKillState } from "./set-user-kill-state.ts";
import { watchKillStates, type KillWatch } from "./watch-kill-states.ts";

let exchange: Exchange;
let context: Context;
let account: Account;
let watch: KillWatch | null = null;
openBench((bench) => ({ exchange, context, account } = bench));
beforeEach(async () => {
  await reconcileAccount(context, account.id);
});
afterEach(async () => {
  await watch?.close();
  watch = null;
  exchange.control.clearFaults();
  await switchAutomation(true);
  // Nothing of one test is looked at in the next.
  await context.db.account.updateMany({ data: { deletedAt: new Date(), sealedKeys: null, status: "INACTIVE" } });
  await context.db.systemState.update({
    where: { id: 1 },
    data: { killState: "NONE", killReason: null, killSetAt: null },
  });
});

const truth = () => truthOf(exchange, account);
const submit = async (...orders: Parameters<typeof plannedOrder>[0][]) =>
  submitPlan(context, {
    decisionId: await decide(
      context,
      account,
      orders.map((order, leg) => plannedOrder({ leg, ...order })),
    ),
    epoch: (await context.db.account.findUniqueOrThrow({ where: { id: account.id } })).writerEpoch,
    regate: allPass,
  });
const restingEntry = { symbol: "SPY", type: "LIMIT", limitPrice: "50" } as const;
const working = () => truth().orders.filter(({ status }) => ["new", "accepted", "pending_new"].includes(status));
const eventually = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 15_000, interval: 25 });
async function switchAutomation(enabled: boolean): Promise<void> {
  const flag = { name: "automation_enabled", environment: env().FLAG_ENVIRONMENT };
  await context.db.featureFlag.upsert({
    where: { name_environment: flag },
    create: { ...flag, description: "", enabled },
    update: { enabled },
  });
}
const stop = (killState: Account["killState"]) =>
  setAccountKillState(context, { id: account.id, killState, reason: "test" });

/** 10 SPY with a bracket around them, filled and known here. */
async function hold(): Promise<void> {
  const bracket = {
    symbol: "SPY",
    orderClass: "BRACKET",
    timeInForce: "gtc",
    takeProfitPrice: "4000",
    stopLossPrice: "1",
  } as const;
  expect((await submit(bracket))[0]).toMatchObject({ status: "LIVE" });
  await exchange.control.clock({ advanceMinutes: 1 });
  await reconcileAccount(context, account.id);
  expect(truth().positions).toMatchObject([{ symbol: "SPY", qty: "10" }]);
  await context.db.position.updateMany({ where: { accountId: account.id }, data: { strategy: "MOMENTUM" } });
}

describe("entries that still work", () => {
  it.each(["NO_NEW_ENTRIES", "REDUCE_ONLY", "FLATTEN"] as const)(
    "are cancelled under %s, reported once, stops stay",
    async (killState) => {
      await hold();
      await submit({ ...restingEntry, symbol: "SPY" });
      const before = working().length;
      expect(before).toBe(3);
      watch = watchKillStates(context, { everyMs: 50 });
      if (killState === "FLATTEN")
        exchange.control.addFault({ method: "POST", path: "/v2/orders", kind: "status", status: 422, count: 0 });
      await stop(killState);
      await eventually(() => {
        expect(working().filter(({ side }) => side === "buy")).toEqual([]);
      });
      if (killState !== "FLATTEN")
        expect(
          working()
            .map(({ type }) => type)
            .sort(),
        ).toEqual(["limit", "stop"]);
      await watch.close();
      const lines = await context.db.logEvent.findMany({
        where: { accountId: account.id, message: { contains: "cancel open entry" } },
      });
      expect(lines).toHaveLength(1);
    },
  );

  it("are cancelled in every account when the system is stopped, and in an account that halts", async () => {
    await submit(restingEntry);
    const other = account;
    account = await openAccount(context);
    await submit(restingEntry);
    watch = watchKillStates(context, { everyMs: 50 });
    await context.db.account.update({ where: { id: other.id }, data: { haltedAt: new Date(), haltReason: "test" } });
    await eventually(() => {
      expect(truthOf(exchange, other).orders.map(({ status }) => status)).toEqual(["canceled"]);
    });
    expect(working()).toHaveLength(1);
    await setSystemKillState(context, { killState: "NO_NEW_ENTRIES" });
    await eventually(() => {
      expect(working()).toEqual([]);
    });
  });

  it.each(["account", "automation"])("are cancelled while the %s is paused; stops stay", async (what) => {
    await hold();
    await submit(restingEntry);
    watch = watchKillStates(context, { everyMs: 50 });
    if (what === "account") await context.db.account.update({ where: { id: account.id }, data: { status: "PAUSED" } });
    else await context.db.user.update({ where: { id: account.userId }, data: { automationPausedAt: new Date() } });
    await eventually(() => {
      expect(
        working()
          .map(({ side, type }) => `${side} ${type}`)
          .sort(),
      ).toEqual(["sell limit", "sell stop"]);
    });
  });

  it("are cancelled while automation is switched off for everyone; stops stay, and nothing more is bought", async () => {
    await hold();
    await submit(restingEntry);
    watch = watchKillStates(context, { everyMs: 50 });
    await switchAutomation(false);
    await eventually(() => {
      expect(
        working()
          .map(({ side, type }) => `${side} ${type}`)
          .sort(),
      ).toEqual(["sell limit", "sell stop"]);
    });
    await reconcileAccount(context, account.id);
    expect((await submit(restingEntry))[0]).toMatchObject({
      status: "HALTED",
      reason: "automation is switched off for everyone",
    });
    await switchAutomation(true);
    expect((await submit(restingEntry))[0]).toMatchObject({ status: "LIVE" });
  });

  it("are asked back although their answer was lost: found first, then cancelled (H6)", async () => {
    exchange.control.addFault({ method: "POST", path: "/v2/orders", kind: "drop_after_accept" });
    expect((await submit(restingEntry))[0]).toMatchObject({ status: "UNKNOWN" });
    watch = watchKillStates(context, { everyMs: 50 });
    await stop("NO_NEW_ENTRIES");
    await eventually(() => {
      expect(truth().orders.map(({ status }) => status)).toEqual(["canceled"]);
    });
  });

  it("are asked back again while the broker does not take the cancelling", async () => {
    await submit(restingEntry);
    const outage = exchange.control.addFault({
      method: "DELETE",
      path: "/v2/orders",
      kind: "status",
      status: 503,
      count: 3,
    });
    watch = watchKillStates(context, { everyMs: 50 });
    await stop("REDUCE_ONLY");
    await eventually(() => {
      expect(working()).toEqual([]);
    });
    expect(outage.struck).toBe(3);
  });

  it("of one account do not wait for another account's broker", async () => {
    const slow = account;
    await submit(restingEntry);
    account = await openAccount(context);
    await submit(restingEntry);
    const { account_number } = truthOf(exchange, slow);
    exchange.control.addFault({
      method: "DELETE",
      path: "/v2/orders",
      account: account_number,
      kind: "delay",
      ms: 3_000,
    });
    watch = watchKillStates(context, { everyMs: 50 });
    await setSystemKillState(context, { killState: "REDUCE_ONLY" });
    await eventually(() => {
      expect(working()).toEqual([]);
    });
    const asked = (of: Account) =>
      exchange.control.arrivals({ account_number: truthOf(exchange, of).account_number, method: "DELETE" }).arrivals[0];
    await eventually(() => {
      expect(asked(slow)?.answered_wall_ms).toBeGreaterThan(asked(account)?.wall_ms ?? Infinity);
    });
  });
});

describe("flattening", () => {
  it("cancels the resting legs, sells what is held through T1 and T2, once, and stays flat", async () => {
    await hold();
    watch = watchKillStates(context, { everyMs: 50 });
    await stop("FLATTEN");
    await eventually(() => {
      expect(truth().orders.filter(({ side, type }) => side === "sell" && type === "market")).toHaveLength(1);
    });
    await exchange.control.clock({ advanceMinutes: 1 });
    await eventually(async () => {
      await syncOrders(context, { accountId: account.id });
      expect(await context.db.position.count({ where: { accountId: account.id } })).toBe(0);
    });
    expect(truth().positions).toEqual([]);
    expect(working()).toEqual([]);
    const sale = await context.db.intent.findFirstOrThrow({
      where: { accountId: account.id, purpose: "FLATTEN" },
      include: { verdicts: { orderBy: { phase: "asc" } } },
    });
    expect(sale).toMatchObject({ status: "FILLED", side: "SELL", reason: "kill_flatten" });
    expect(sale.verdicts.map(({ phase, passed }) => `${phase} ${passed}`)).toEqual(["T1 true", "T2 true"]);
    expect((await submit(restingEntry))[0]).toMatchObject({ reason: "kill switch of the account: flatten" });
    expect(truth().orders.filter(({ side, type }) => side === "sell" && type === "market")).toHaveLength(1);
  });

  it("twice at once sells once", async () => {
    await hold();
    await stop("FLATTEN");
    await Promise.all(
      [1, 2, 3].map(() =>
        withAccountWriter(context, account.id, (epoch) => flattenAccount(context, account.id, epoch), {
          waitMs: 10_000,
        }),
      ),
    );
    expect(truth().orders.filter(({ side, type }) => side === "sell" && type === "market")).toHaveLength(1);
  });

  it("sells nothing while the market is closed, while the account is halted, and what the engine did not buy", async () => {
    await hold();
    await context.db.position.updateMany({ where: { accountId: account.id }, data: { strategy: null } });
    await stop("FLATTEN");
    const flatten = () => withAccountWriter(context, account.id, (epoch) => flattenAccount(context, account.id, epoch));
    expect(await flatten()).toEqual([]);
    await context.db.position.updateMany({ where: { accountId: account.id }, data: { strategy: "MOMENTUM" } });
    await context.db.account.update({ where: { id: account.id }, data: { haltedAt: new Date(), haltReason: "test" } });
    expect(await flatten()).toEqual([]);
    await context.db.account.update({ where: { id: account.id }, data: { haltedAt: null, haltReason: null } });
    const broker = hastyBroker(account, 5_000);
    const closed = { ...broker, clock: async () => ({ ...(await broker.clock()), isOpen: false }) };
    const atNight = { ...context, brokers: { ...context.brokers, forAccount: () => closed } };
    expect(await withAccountWriter(context, account.id, (epoch) => flattenAccount(atNight, account.id, epoch))).toEqual(
      [],
    );
    expect(
      working()
        .map(({ type }) => type)
        .sort(),
    ).toEqual(["limit", "stop"]);
    expect(await flatten()).toMatchObject([{ symbol: "SPY", status: "LIVE" }]);
  });

  it.each(["account", "user", "system"] as const)(
    "an open sale is asked back once the stop of the %s is lifted, reported once, and its shares have their stop again",
    async (level) => {
      await hold();
      const set = (killState: Account["killState"]) => {
        const change = { killState, reason: "test" };
        if (level === "system") return setSystemKillState(context, change);
        if (level === "user") return setUserKillState(context, { userId: account.userId, ...change });
        return setAccountKillState(context, { id: account.id, ...change });
      };
      await set("FLATTEN");
      await exchange.control.venueActions.setSymbol("SPY", { isHalted: true });
      const flatten = () =>
        withAccountWriter(context, account.id, (epoch) => flattenAccount(context, account.id, epoch));
      expect(await flatten()).toMatchObject([{ symbol: "SPY", status: "LIVE" }]);
      watch = watchKillStates(context, { everyMs: 50 });
      await syncOrders(context, { accountId: account.id });
      expect(working()).toMatchObject([{ side: "sell", type: "market" }]);
      await set("NONE");
      await eventually(() => {
        expect(working().filter(({ type }) => type === "market")).toEqual([]);
      });
      await syncOrders(context, { accountId: account.id });
      expect(working().map(({ type }) => type)).toContain("stop");
      await exchange.control.venueActions.setSymbol("SPY", { isHalted: false });
      await exchange.control.clock({ advanceMinutes: 2 });
      expect(truth().positions).toMatchObject([{ symbol: "SPY", qty: "10" }]);
      const lines = await context.db.logEvent.findMany({
        where: { accountId: account.id, message: { startsWith: "Selling everything was taken back" } },
      });
      expect(lines).toHaveLength(1);
    },
  );

  it("an open sale is left alone while another level still has everything sold", async () => {
    await hold();
    await setSystemKillState(context, { killState: "FLATTEN", reason: "test" });
    await stop("FLATTEN");
    await exchange.control.venueActions.setSymbol("SPY", { isHalted: true });
    await withAccountWriter(context, account.id, (epoch) => flattenAccount(context, account.id, epoch));
    await stop("NONE");
    expect(await readRecalledSales(context)).toEqual([]);
    await setSystemKillState(context, { killState: "NONE", reason: "test" });
    expect(await readRecalledSales(context)).toMatchObject([
      { account: { id: account.id }, sales: [{ symbol: "SPY" }] },
    ]);
    await exchange.control.venueActions.setSymbol("SPY", { isHalted: false });
  });
});
