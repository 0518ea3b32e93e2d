import { setTimeout as delay } from "node:timers/promises";
import { afterEach, expect, it } from "vitest";
import type { Failure } from "@/lib/domain/failures.ts";
import { money, text } from "@/lib/domain/money.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import type { Context } from "../../context.ts";
import { openBench, type Bench } from "@/lib/proof/fixtures/bench.ts";
import {
  allPass,
  buyBracket,
  decide,
  hastyBroker,
  plannedOrder,
  truthOf,
  withBroker,
} from "@/lib/proof/fixtures/orders.ts";
import { asOwnerOf } from "@/lib/proof/fixtures/owner.ts";
import { withAccountWriter } from "../../core/account-writer.ts";
import type { Account } from "../../core/row-types.ts";
import { flattenAccount } from "../automation/flatten-account.ts";
import { marketData } from "../../providers/market-data-registry.ts";
import { closeAccounts } from "../erasure/close-accounts.ts";
import { cancelRestingOrders } from "../orders/cancel-resting-orders.ts";
import { submitPlan } from "../orders/submit-plan.ts";
import { reconcileAccount } from "../sync/reconcile-account.ts";
import { finishClosing } from "./finish-closing.ts";
import { hasNothingToSell } from "./has-nothing-to-sell.ts";
import { removeAccount, startClosing } from "./remove-account.ts";
import { resumeOwnAccount } from "./resume-own-account.ts";

let exchange: Exchange;
let context: Bench["context"];
let account: Account;
openBench((bench) => ({ exchange, context, account } = bench));
afterEach(() => exchange.control.clearFaults());

const asOwner = (on: Context = context) => asOwnerOf(account, on);
const remove = (on: Context = context) => removeAccount(asOwner(on), { id: account.id });
const row = () => context.db.account.findUniqueOrThrow({ where: { id: account.id } });
const broker = () => hastyBroker(account, 5_000);
const orders = (type: string) =>
  truthOf(exchange, account).orders.filter((order) => order.type === type && order.status === "new");
const lastMessage = async () =>
  (await context.db.logEvent.findFirst({ where: { accountId: account.id }, orderBy: { id: "desc" } }))?.message;
/** As the sale of a worker does before it sends. */
const cancelStop = () => cancelRestingOrders(context, account, broker(), "SPY", { reason: "test", planId: null });

/** The price stands below the stop and, for who asks, the market is closed: no stop can be placed and nothing sold. */
async function owedOverNight(): Promise<Context> {
  await buyBracket(exchange, context, account);
  await cancelStop();
  const real = broker();
  const price = money((await real.positions())[0]?.currentPrice ?? "0");
  const stopPrice = text(price.times("1.5").toDecimalPlaces(2));
  await context.db.position.updateMany({ where: { accountId: account.id }, data: { stopPrice } });
  return withBroker(context, { ...real, clock: async () => ({ ...(await real.clock()), isOpen: false }) });
}

/** A sale of all 10 SPY that works at the broker, far above the price. */
async function openSale(): Promise<void> {
  const price = money((await broker().positions())[0]?.currentPrice ?? "0");
  const limitPrice = text(price.times("1.2").toDecimalPlaces(2));
  const sale = plannedOrder({ symbol: "SPY", side: "SELL", type: "LIMIT", limitPrice, timeInForce: "gtc" });
  const decisionId = await decide(context, account, [sale]);
  const { writerEpoch } = await row();
  expect(await submitPlan(context, { decisionId, epoch: writerEpoch, regate: allPass })).toMatchObject([
    { status: "LIVE" },
  ]);
}

it("an account is not deleted while a sale has cancelled its stop: the deletion waits, and the stop is back before (P2)", async () => {
  await buyBracket(exchange, context, account);
  let removal: Promise<unknown> | undefined;
  await withAccountWriter(context, account.id, async () => {
    await cancelStop();
    removal = remove();
    await Promise.race([removal, delay(500)]);
    expect(await row()).toMatchObject({ deletedAt: null });
  });
  expect(await removal).toMatchObject({ state: "deleted" });
  expect(orders("stop")).toHaveLength(1);
  expect(await lastMessage()).toMatch(/^The account was deleted; .*Its protective stops stay at the broker/);
});

it("a stop that is owed is placed before the account is deleted", async () => {
  await buyBracket(exchange, context, account);
  await cancelStop();
  expect(orders("stop")).toEqual([]);
  expect(await remove()).toMatchObject({ state: "deleted" });
  expect(orders("stop")).toHaveLength(1);
  expect(await lastMessage()).not.toContain("No stop rests");
});

it("shares that cannot get their stop now keep the account, by name, until they are sold or protected", async () => {
  const atNight = await owedOverNight();
  await expect(remove(atNight)).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringContaining("not deleted: no stop rests at the broker for 10 SPY") as string,
  });
  expect(await row()).toMatchObject({ deletedAt: null, status: "ACTIVE" });
  expect((await row()).sealedKeys).not.toBeNull();
  await expect(remove(), "its sale is open").rejects.toMatchObject({ code: "conflict" });
  await exchange.control.clock({ advanceMinutes: 1 });
  expect(truthOf(exchange, account).positions).toEqual([]);
  await reconcileAccount(context, account.id);
  expect(await remove()).toMatchObject({ state: "deleted" });
});

it("an erasure goes on, and says which shares no stop protects", async () => {
  await closeAccounts(asOwner(await owedOverNight()), account.userId);
  expect((await row()).deletedAt).not.toBeNull();
  const messages = await context.db.logEvent.findMany({ where: { accountId: account.id } });
  expect(messages.map(({ message }) => message).join("\n")).toContain("No stop rests at the broker for 10 SPY");
});

it("a closing that fails half-way has changed nothing: an administrator's stop is neither lost nor turned into a sale", async () => {
  await buyBracket(exchange, context, account);
  const stop = { killState: "REDUCE_ONLY", killSource: "ADMIN", killReason: "a test", killSetAt: new Date(0) } as const;
  await context.db.account.update({ where: { id: account.id }, data: stop });
  /** Dies as it asks for the time so often. */
  const dying = (at: number): Context => {
    let asked = 0;
    const now = () => {
      asked += 1;
      if (asked === at) throw new Error("the process died");
      return new Date();
    };
    return { ...context, now };
  };
  let deaths = 0;
  for (;;) {
    const isClosing = await startClosing(asOwner(dying(deaths + 1)), await row()).then(
      () => true,
      () => false,
    );
    if (isClosing) break;
    deaths += 1;
    expect(await row()).toMatchObject({ ...stop, closingAt: null, keptKillState: null });
  }
  expect(deaths).toBeGreaterThanOrEqual(2);
  expect(await row()).toMatchObject({ killState: "FLATTEN", keptKillState: "REDUCE_ONLY", keptKillSource: "ADMIN" });
});

it("an account that closes is not deleted beside a sale that is still open", async () => {
  await buyBracket(exchange, context, account);
  await startClosing(asOwner(), await row());
  await openSale();
  await expect(remove()).rejects.toMatchObject({ code: "conflict" });
  expect(await row()).toMatchObject({ deletedAt: null });
});

it("shares whose stop the broker refuses keep the account until its owner confirms that they stay without one", async () => {
  await buyBracket(exchange, context, account);
  await cancelStop();
  const refusing = withBroker(context, {
    ...broker(),
    submit: () => Promise.resolve({ kind: "rejected", code: "40310000", message: "stops of SPY are not taken" }),
  });
  await expect(remove(refusing)).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringContaining("the broker refuses a stop for 10 SPY") as string,
    issues: [{ path: "leaveBare" }],
  });
  expect(await row()).toMatchObject({ deletedAt: null });
  expect(await removeAccount(asOwner(refusing), { id: account.id, leaveBare: "true" })).toMatchObject({
    state: "deleted",
  });
  expect(await lastMessage()).toContain("No stop rests at the broker for 10 SPY: look after these shares there.");
});

it("no confirmation deletes an account whose shares can still get their stop, or are being sold", async () => {
  const confirmed = (on: Context = context) => removeAccount(asOwner(on), { id: account.id, leaveBare: "true" });
  await expect(confirmed(await owedOverNight())).rejects.toMatchObject({ code: "conflict" });
  await expect(confirmed(), "its sale is open").rejects.toMatchObject({ code: "conflict" });
  expect(await row()).toMatchObject({ deletedAt: null });
});

it("a deletion that is refused says how many open purchases it cancelled", async () => {
  await buyBracket(exchange, context, account);
  await openSale();
  const refusal = async () => {
    const error = await remove().catch((cause: unknown) => cause);
    return (error as Failure).message;
  };
  expect(await refusal()).not.toContain("cancelled");
  const entry = { type: "LIMIT", limitPrice: "1", timeInForce: "gtc" } as const;
  const others = (await marketData("PRACTICE").assets()).filter(({ symbol }) => symbol !== "SPY").slice(0, 2);
  const entries = others.map(({ symbol }, leg) => plannedOrder({ leg, symbol, ...entry }));
  const submit = async (orders: typeof entries) =>
    submitPlan(context, {
      decisionId: await decide(context, account, orders),
      epoch: (await row()).writerEpoch,
      regate: allPass,
    });
  expect(await submit(entries)).toMatchObject([{ status: "LIVE" }, { status: "LIVE" }]);
  expect(await refusal()).toMatch(/ Its 2 open purchases were cancelled\.$/);
  await reconcileAccount(context, account.id);
  expect(await submit(entries.slice(0, 1))).toMatchObject([{ status: "LIVE" }]);
  expect(await refusal()).toMatch(/ Its open purchase was cancelled\.$/);
  expect(await row()).toMatchObject({ deletedAt: null });
});

it("an account that its owner keeps while its end is on the way is not deleted, and nothing is said of an end", async () => {
  await buyBracket(exchange, context, account);
  await removeAccount(asOwner(), { id: account.id, closePositions: "true" });
  await withAccountWriter(context, account.id, (epoch) => flattenAccount(context, account.id, epoch));
  await exchange.control.clock({ advanceMinutes: 1 });
  await reconcileAccount(context, account.id);
  expect(await hasNothingToSell(context, account.id)).toBe(true);
  let kept = 0;
  const late = withBroker(context, {
    ...broker(),
    openOrders: async () => {
      if (kept === 0) await resumeOwnAccount(asOwner(), { id: account.id });
      kept += 1;
      return broker().openOrders();
    },
  });
  await finishClosing(late, account.id);
  expect(await row()).toMatchObject({ deletedAt: null, closingAt: null, status: "ACTIVE" });
  expect((await row()).sealedKeys).not.toBeNull();
  expect(kept).toBe(1);
  expect(context.lines.map(({ event }) => event)).not.toContain("account.deleted");
});

it("an open sale keeps no account whose keys the broker refuses, and its shares are named", async () => {
  await buyBracket(exchange, context, account);
  await openSale();
  exchange.control.addFault({ kind: "keys_revoked" });
  expect(await remove()).toMatchObject({ state: "deleted" });
  expect(await lastMessage()).toContain("No stop rests at the broker for 10 SPY: look after these shares there.");
});

it("one page of a proxy's is no refusal of the keys: the account and its open sale stay", async () => {
  await buyBracket(exchange, context, account);
  await openSale();
  exchange.control.addFault({ kind: "status", status: 403, method: "GET", path: "/v2/orders", count: 1 });
  await expect(remove()).rejects.toMatchObject({ code: "broker_unavailable" });
  expect(await row()).toMatchObject({ deletedAt: null });
});

it("shares that the broker no longer holds keep no account from being deleted", async () => {
  await buyBracket(exchange, context, account);
  await cancelStop();
  const sold = await broker().submit({
    ...{ clientOrderId: "by-hand", symbol: "SPY", side: "SELL", qty: "10", orderClass: "SIMPLE", type: "MARKET" },
    ...{ timeInForce: "day", limitPrice: null, stopPrice: null, takeProfitPrice: null, stopLossPrice: null },
  });
  expect(sold.kind).toBe("accepted");
  await exchange.control.clock({ advanceMinutes: 1 });
  expect(truthOf(exchange, account).positions).toEqual([]);
  expect(await remove()).toMatchObject({ state: "deleted" });
});

it("a practice account whose market is gone is deleted and erased, as one whose keys open nothing", async () => {
  await buyBracket(exchange, context, account);
  const { brokers } = context;
  const unset = () => {
    throw Object.assign(new Error("There is no practice market here."), { code: "unavailable" });
  };
  const without: Context = {
    ...context,
    brokers: { ...brokers, hasPracticeMarket: false, forAccount: unset },
  };
  await expect(removeAccount(asOwner(without), { id: account.id, closePositions: "true" })).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringContaining("no longer has a practice market") as string,
  });
  await closeAccounts(asOwner(without), account.userId);
  expect(await row()).toMatchObject({ sealedKeys: null, status: "INACTIVE" });
  expect(await lastMessage()).toBe("The account was deleted: its keys are erased, its history stays.");
});

it("what was dead-lettered of an account goes with it: it cannot be resumed", async () => {
  const dead = { startedAt: new Date(), deadAt: new Date(), unfinished: 3 };
  const keys = ["invariants", "order-status"].map((job) => ({ key: `${job}:${account.id}`, job }));
  await context.db.jobRun.deleteMany({ where: { key: { in: keys.map(({ key }) => key) } } });
  const other = { key: `order-status:${crypto.randomUUID()}`, job: "order-status" };
  await context.db.jobRun.createMany({ data: [...keys, other].map((run) => ({ ...run, ...dead })) });
  await remove();
  expect(await context.db.jobRun.findMany({ where: { deadAt: { not: null } } })).toMatchObject([other]);
});
