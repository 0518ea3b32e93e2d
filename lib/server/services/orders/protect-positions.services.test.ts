import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { money, text } from "@/lib/domain/money.ts";
import { FILLING_MS } from "@/lib/domain/protocol/settings.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import type { Account } from "../../core/row-types.ts";
import type { Context } from "../../context.ts";
import { unprotected } from "../automation/cancel-entries-and-protect.ts";
import { readRowBreaches } from "../invariants/read-breaches.ts";
import { openBench } from "@/lib/proof/fixtures/bench.ts";
import {
  allPass,
  buyBracket,
  decide,
  failedGate,
  hastyBroker,
  orderByHand,
  plannedOrder,
  protectAll,
  truthOf,
  withBroker,
} from "@/lib/proof/fixtures/orders.ts";
import { bareShares } from "./bare-shares.ts";
import { protectPositions } from "./protect-positions.ts";
import { reconcileAccount } from "../sync/reconcile-account.ts";
import { recoverAccount } from "../sync/recover-account.ts";
import { resolveUnknownOrders } from "../sync/resolve-unknown-orders.ts";
import { inTransaction, lockAccount } from "../../core/transaction.ts";
import { recordOrder } from "./record-order.ts";
import { cancelRestingOrders } from "./cancel-resting-orders.ts";
import type { SubmitOptions } from "./submit-leg.ts";
import { submitPlan } from "./submit-plan.ts";
import { syncOrders } from "../accounts/sync-orders.ts";

let exchange: Exchange;
let context: Context;
let account: Account;
openBench((bench) => ({ exchange, context, account } = bench));
beforeEach(async () => {
  await buyBracket(exchange, context, account);
});
afterEach(async () => {
  exchange.control.clearFaults();
  await context.db.account.updateMany({ data: { deletedAt: new Date(), status: "INACTIVE", sealedKeys: null } });
});

const broker = () => hastyBroker(account, 5_000);
const bare = async () => unprotected(await broker().positions(), await broker().openOrders());
const stops = () => truthOf(exchange, account).orders.filter(({ type, status }) => type === "stop" && status === "new");
const owed = () => context.db.owedStop.findMany({ where: { accountId: account.id, paidAt: null } });
const halt = () =>
  context.db.account.update({ where: { id: account.id }, data: { haltedAt: new Date(), haltReason: "test" } });
const epoch = async () => (await context.db.account.findUniqueOrThrow({ where: { id: account.id } })).writerEpoch;

async function sell(regate: SubmitOptions["regate"] = allPass, on = context) {
  const decisionId = await decide(context, account, [plannedOrder({ symbol: "SPY", side: "SELL" })]);
  return submitPlan(on, { decisionId, epoch: await epoch(), regate });
}
/** The legs of the bracket, ended by hand at the broker. */
async function cancelLegs(): Promise<void> {
  const [stop] = await context.db.order.findMany({ where: { accountId: account.id, role: "STOP", status: "NEW" } });
  await broker().cancel(stop?.brokerOrderId ?? "");
}

describe("a sale whose stops were cancelled for it", () => {
  it("a sale that a gate refuses at the last look gives the shares their stop back at once (V3)", async () => {
    let asked = 0;
    const sent = await sell(() => ((asked += 1) === 1 ? allPass() : [failedGate]));
    expect(sent).toMatchObject([{ status: "DENIED" }]);
    expect(await bare()).toEqual([]);
    expect(stops()).toHaveLength(1);
    expect(await owed()).toEqual([]);
  });

  it("a sale that the broker refuses gives the shares their stop back at once, at its level (V3)", async () => {
    const before = await context.db.position.findFirstOrThrow({ where: { accountId: account.id } });
    const real = broker();
    const refusing = withBroker(context, {
      ...real,
      submit: (order) =>
        order.type === "MARKET"
          ? Promise.resolve({ kind: "rejected" as const, code: "40310000", message: "not now" })
          : real.submit(order),
    });
    expect(await sell(allPass, refusing)).toMatchObject([{ status: "REJECTED" }]);
    expect(await bare()).toEqual([]);
    await reconcileAccount(context, account.id);
    const [stop] = await context.db.order.findMany({
      where: { accountId: account.id, role: "STOP", status: "NEW" },
    });
    expect(text(stop?.stopPrice?.toString() ?? "0")).toBe(text(before.stopPrice?.toString() ?? ""));
    const history = await context.db.owedStop.findMany({ where: { accountId: account.id } });
    expect(history).toMatchObject([{ symbol: "SPY", reason: "momentum_faded" }]);
    expect(history[0]?.paidAt).not.toBeNull();
  });

  it("a sale whose answer is lost leaves no share bare: it is parked, and a stop takes its place (V2)", async () => {
    exchange.control.addFault({ kind: "drop_before_accept", method: "POST", path: "/v2/orders" });
    expect(await sell()).toMatchObject([{ status: "UNKNOWN" }]);
    expect(await owed()).toHaveLength(1);
    expect(await bare()).toHaveLength(1);
    // Younger than any request lives: the order may still be on its way, and nothing is sent beside it.
    await context.db.owedStop.updateMany({ data: { nextTryAt: null } });
    await protectAll(context);
    expect(stops()).toHaveLength(0);
    await context.db.intent.updateMany({
      where: { accountId: account.id, status: "UNKNOWN" },
      data: { submittedAt: new Date(Date.now() - 20_000) },
    });
    await context.db.owedStop.updateMany({ data: { nextTryAt: null } });
    await protectAll(context);
    expect(await bare()).toEqual([]);
    expect(await context.db.intent.count({ where: { accountId: account.id, status: "PARKED", side: "SELL" } })).toBe(1);
    // Turning up after all, it finds no share free.
    const late = await broker().submit({
      clientOrderId: "late",
      symbol: "SPY",
      side: "SELL",
      qty: "10",
      orderClass: "SIMPLE",
      type: "MARKET",
      timeInForce: "day",
      limitPrice: null,
      stopPrice: null,
      takeProfitPrice: null,
      stopLossPrice: null,
    });
    expect(late).toMatchObject({ kind: "rejected", code: "40310000" });
  });

  it("a parked sale that turns up while its stop is on the way keeps the shares, and halts nothing", async () => {
    const price = money((await broker().positions())[0]?.currentPrice ?? "0");
    const limit = {
      type: "LIMIT",
      limitPrice: text(price.times("1.2").toDecimalPlaces(2)),
      timeInForce: "gtc",
    } as const;
    const decisionId = await decide(context, account, [plannedOrder({ symbol: "SPY", side: "SELL", ...limit })]);
    exchange.control.addFault({ kind: "drop_before_accept", method: "POST", path: "/v2/orders" });
    await submitPlan(context, { decisionId, epoch: await epoch(), regate: allPass });
    const sale = await context.db.intent.findFirstOrThrow({ where: { accountId: account.id, status: "UNKNOWN" } });
    await resolveUnknownOrders(context, account.id, { isImpatient: true, settleWindowMs: 0 });
    const saleNow = () => context.db.intent.findUniqueOrThrow({ where: { id: sale.id } });
    expect(await saleNow()).toMatchObject({ status: "PARKED" });
    const real = broker();
    // The request that was lost arrives between the look at the free shares and the stop's own request.
    const overtaken = withBroker(context, {
      ...real,
      submit: async (order) => {
        const { clientOrderId } = sale;
        await real.submit(orderByHand({ clientOrderId, side: "SELL", qty: text(sale.qty), ...limit }));
        const report = await real.orderByClientId(sale.clientOrderId);
        if (report === null) throw new Error("the late sale was not taken");
        await inTransaction(context, async (tx) => recordOrder(context, tx, await lockAccount(tx, account.id), report));
        expect(await saleNow()).toMatchObject({ status: "PARKED" });
        return real.submit(order);
      },
    });
    await context.db.owedStop.updateMany({ data: { nextTryAt: null } });
    await protectAll(overtaken);
    const [protection] = await context.db.intent.findMany({ where: { accountId: account.id, purpose: "PROTECT" } });
    expect(protection).toMatchObject({ status: "REJECTED" });
    await reconcileAccount(context, account.id);
    expect(await saleNow()).toMatchObject({ status: "LIVE" });
    expect(await context.db.account.findUniqueOrThrow({ where: { id: account.id } })).toMatchObject({ haltedAt: null });
    expect(await bareShares(context.db, account.id)).toEqual([]);
  });

  it("a process that ends between cancel and sale is made up for by recovery, in a halted account too (V6)", async () => {
    await cancelRestingOrders(context, account, broker(), "SPY", { reason: "time_stop", planId: null });
    expect(await bare()).toHaveLength(1);
    expect(await owed()).toHaveLength(1);
    await halt();
    await recoverAccount(context, account.id);
    expect(await bare()).toEqual([]);
    expect(await owed()).toEqual([]);
    // The checker knows what a halt lets out; the entry was sent before it.
    const sentHalted = (await readRowBreaches(context, account.id)).filter(({ invariant }) => invariant === "I7");
    expect(sentHalted).toEqual([]);
  });

  it("a sale waits until the cancel of its stop has ended", async () => {
    const real = broker();
    const cancels: Promise<unknown>[] = [];
    const slow = withBroker(context, {
      ...real,
      cancel: (id) => {
        cancels.push(delay(400).then(() => real.cancel(id)));
        return Promise.resolve({ kind: "requested" as const });
      },
    });
    const sent = await sell(allPass, slow);
    await Promise.all(cancels);
    // Shares are free only after the cancel: a sale that did not wait would have found none.
    expect(sent).toMatchObject([{ symbol: "SPY", status: expect.stringMatching(/LIVE|FILLED/) as string }]);
  });
});

describe("bare shares", () => {
  it("whose legs were cancelled by hand are protected by the next round; what a person's order reserves is left to it, and notified once (V4)", async () => {
    await cancelLegs();
    const sale = { clientOrderId: "by-hand", symbol: "SPY", side: "SELL", qty: "1", orderClass: "SIMPLE" } as const;
    const price = money((await broker().positions())[0]?.currentPrice ?? "0");
    const limitPrice = text(price.times("1.2").toDecimalPlaces(2));
    const none = { stopPrice: null, takeProfitPrice: null, stopLossPrice: null };
    await broker().submit({ ...sale, type: "LIMIT", timeInForce: "gtc", limitPrice, ...none });
    await syncOrders(context, { accountId: account.id });
    expect(await bare()).toEqual([{ symbol: "SPY", qty: "10", protectedQty: "9" }]);
    expect(stops()).toMatchObject([{ qty: "9" }]);
    expect(await bareShares(context.db, account.id)).toEqual([]);
    await syncOrders(context, { accountId: account.id });
    await protectAll(context);
    expect(stops()).toHaveLength(1);
    const notifications = await context.db.notification.findMany({
      where: { userId: account.userId, dedupeKey: { contains: "external-sale" } },
    });
    expect(notifications).toHaveLength(1);
  });

  it("that a person's order gave free again get their stop back with the others (V4)", async () => {
    await cancelLegs();
    const none = { stopPrice: null, takeProfitPrice: null, stopLossPrice: null };
    const sale = { clientOrderId: "by-hand", symbol: "SPY", side: "SELL", qty: "1", orderClass: "SIMPLE" } as const;
    await broker().submit({ ...sale, type: "LIMIT", timeInForce: "day", limitPrice: "9999", ...none });
    await syncOrders(context, { accountId: account.id });
    expect(stops()).toMatchObject([{ qty: "9" }]);
    const external = await context.db.order.findFirstOrThrow({ where: { accountId: account.id, origin: "EXTERNAL" } });
    await broker().cancel(external.brokerOrderId);
    await syncOrders(context, { accountId: account.id });
    await protectAll(context);
    expect(stops()).toMatchObject([{ qty: "10" }]);
    expect(await bareShares(context.db, account.id)).toEqual([]);
  });

  it("are sold at market at once when the price is through the stop, halted or not", async () => {
    await cancelLegs();
    const price = money((await broker().positions())[0]?.currentPrice ?? "0");
    const stopPrice = text(price.times("1.05").toDecimalPlaces(2));
    await context.db.position.updateMany({ where: { accountId: account.id }, data: { stopPrice } });
    await halt();
    await syncOrders(context, { accountId: account.id });
    await exchange.control.clock({ advanceMinutes: 1 });
    expect(truthOf(exchange, account).positions).toEqual([]);
    const [sale] = await context.db.intent.findMany({ where: { accountId: account.id, side: "SELL" } });
    expect(sale).toMatchObject({ type: "MARKET", reason: "protective_stop" });
  });

  it("under a leg that waits for the rest of its entry count as bare", async () => {
    expect(await bareShares(context.db, account.id)).toEqual([]);
    const [entry] = await context.db.order.findMany({ where: { accountId: account.id, role: "ENTRY" } });
    await context.db.order.update({ where: { id: entry?.id ?? "" }, data: { status: "PARTIALLY_FILLED" } });
    const found = await bareShares(context.db, account.id);
    expect(found.map(({ position, bare: shares }) => `${position.symbol} ${text(shares)}`)).toEqual(["SPY 10"]);
  });

  it("of an entry that fills bit by bit have their stop twenty seconds after the first of them, however many follow", async () => {
    const [entry] = await context.db.order.findMany({ where: { accountId: account.id, role: "ENTRY" } });
    const [fill] = await context.db.fill.findMany({ where: { orderId: entry?.id ?? "" } });
    await context.db.order.update({ where: { id: entry?.id ?? "" }, data: { status: "PARTIALLY_FILLED" } });
    const first = new Date(Date.now() - 15_000);
    await context.db.fill.update({ where: { id: fill?.id ?? "" }, data: { createdAt: first } });
    const { id: _, ...later } = fill!;
    await context.db.fill.create({ data: { ...later, executionId: "later", createdAt: new Date() } });
    await protectPositions(context, account.id, await epoch());
    const [waiting] = await owed();
    expect(waiting).toMatchObject({ lastError: "its entry is filling", attempts: 0 });
    expect(waiting?.nextTryAt?.getTime()).toBeGreaterThan(first.getTime() + FILLING_MS - 1_000);
    expect(waiting?.nextTryAt?.getTime()).toBeLessThan(first.getTime() + FILLING_MS + 5_000);
  });

  it("that can only be sold are looked at every ten seconds while the market is closed", async () => {
    await cancelLegs();
    const price = money((await broker().positions())[0]?.currentPrice ?? "0");
    const stopPrice = text(price.times("1.05").toDecimalPlaces(2));
    await reconcileAccount(context, account.id);
    await context.db.position.updateMany({ where: { accountId: account.id }, data: { stopPrice } });
    const real = broker();
    const closed = withBroker(context, { ...real, clock: async () => ({ ...(await real.clock()), isOpen: false }) });
    await protectPositions(closed, account.id, await epoch());
    await context.db.owedStop.updateMany({ where: { accountId: account.id }, data: { attempts: 9, nextTryAt: null } });
    const at = Date.now();
    await protectPositions(closed, account.id, await epoch());
    const [waiting] = await owed();
    expect(waiting?.lastError).toBe("the price is through the stop and the market is closed");
    expect((waiting?.nextTryAt?.getTime() ?? 0) - at).toBeLessThan(20_000);
  });

  it("beside a sale that does not come to its end are protected with the rest of it", async () => {
    const price = money((await broker().positions())[0]?.currentPrice ?? "0");
    const limitPrice = text(price.times("1.2").toDecimalPlaces(2));
    const order = plannedOrder({
      symbol: "SPY",
      side: "SELL",
      qty: "4",
      type: "LIMIT",
      limitPrice,
      timeInForce: "gtc",
    });
    const decisionId = await decide(context, account, [order]);
    expect(await submitPlan(context, { decisionId, epoch: await epoch(), regate: allPass })).toMatchObject([
      { status: "LIVE" },
    ]);
    // Six of ten shares are not for sale; the other four may be sold for a while.
    expect(stops()).toEqual([]);
    expect(await owed()).toMatchObject([{ lastError: "a sale of the symbol is open" }]);
    await context.db.intent.updateMany({
      where: { accountId: account.id, status: "LIVE" },
      data: { submittedAt: new Date(Date.now() - FILLING_MS) },
    });
    await context.db.owedStop.updateMany({ data: { nextTryAt: null } });
    await protectAll(context);
    expect(stops()).toMatchObject([{ qty: "10" }]);
    expect(await bare()).toEqual([]);
    expect(await owed()).toEqual([]);
  });

  it("a sale whose answer was lost is not parked while the broker may reserve shares for it", async () => {
    await cancelLegs();
    await reconcileAccount(context, account.id);
    const real = broker();
    // Taken, and neither a lookup nor a list shows it.
    const silent = withBroker(context, {
      ...real,
      submit: (order) => real.submit(order).then(() => ({ kind: "unknown" as const, cause: "no answer" })),
    });
    const price = money((await broker().positions())[0]?.currentPrice ?? "0");
    const limitPrice = text(price.times("1.2").toDecimalPlaces(2));
    const order = plannedOrder({
      symbol: "SPY",
      side: "SELL",
      qty: "4",
      type: "LIMIT",
      limitPrice,
      timeInForce: "gtc",
    });
    const decisionId = await decide(context, account, [order]);
    await submitPlan(silent, { decisionId, epoch: await epoch(), regate: allPass });
    await context.db.intent.updateMany({
      where: { accountId: account.id, status: "UNKNOWN" },
      data: { submittedAt: new Date(Date.now() - 20_000) },
    });
    await protectAll(context);
    expect(await owed()).toMatchObject([{ lastError: "a sale of the symbol has no answer yet" }]);
    expect(await context.db.intent.count({ where: { accountId: account.id, status: "UNKNOWN" } })).toBe(1);
  });

  it("are a breach of I26 after half a minute of open market", async () => {
    await cancelLegs();
    await reconcileAccount(context, account.id);
    const wordless = async () =>
      (await readRowBreaches(context, account.id)).filter(({ invariant }) => invariant === "I26");
    const data = { accountId: account.id, symbol: "SPY", qty: "10", reason: "test" };
    await context.db.owedStop.create({ data: { ...data, bareSince: new Date(Date.now() - 29_000) } });
    expect(await wordless()).toEqual([]);
    await context.db.owedStop.updateMany({
      where: { accountId: account.id },
      data: { bareSince: new Date(Date.now() - 31_000) },
    });
    expect(await wordless()).toMatchObject([{ subject: "SPY" }]);
    await syncOrders(context, { accountId: account.id });
    expect(await bare()).toEqual([]);
    expect(await wordless()).toEqual([]);
  });
});
