import { afterEach, describe, expect, it } from "vitest";
import { text } from "@/lib/domain/money.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import type { Account } from "../../core/row-types.ts";
import type { BrokerActivity, BrokerExecution, BrokerOrder } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import { withAccountWriter } from "../../core/account-writer.ts";
import { postSplit } from "./post-split.ts";
import { openBench } from "@/lib/proof/fixtures/bench.ts";
import {
  ageFills,
  allPass,
  buyBracket as buyBracketOn,
  decide,
  failedGate,
  hastyBroker,
  plannedOrder,
  truthOf,
  withBroker,
  uncoveredOf,
} from "@/lib/proof/fixtures/orders.ts";
import { streamAccount } from "../sync/stream-account.ts";
import { protectedQuantity } from "../orders/protected-quantity.ts";
import { reconcileAccount } from "../sync/reconcile-account.ts";
import { submitPlan } from "../orders/submit-plan.ts";

let exchange: Exchange;
let context: Context;
let account: Account;
openBench((bench) => ({ exchange, context, account } = bench));
afterEach(() => exchange.control.clearFaults());

const submit = (decisionId: string) => submitPlan(context, { decisionId, epoch: 0, regate: allPass });
const minute = (advanceMinutes = 1) => exchange.control.clock({ advanceMinutes });
const truth = () => truthOf(exchange, account);

const buyBracket = (stopRoom = "0.1", targetRoom = "0.1") =>
  buyBracketOn(exchange, context, account, { stopRoom, targetRoom });

const position = () =>
  context.db.position.findUnique({ where: { accountId_symbol: { accountId: account.id, symbol: "SPY" } } });
const trips = () => context.db.roundTrip.findMany({ where: { accountId: account.id } });
const figures = () => context.db.accountFigures.findUniqueOrThrow({ where: { accountId: account.id } });

describe("a bracket", () => {
  it("opens a position with its stop, its target, its memory, and a live stop that covers it", async () => {
    await buyBracket();
    expect(await position()).toMatchObject({ strategy: "MOMENTUM", review: { entryAtr: 2.5, weakReviews: 0 } });
    const rows = await context.db.order.findMany({ where: { accountId: account.id } });
    expect(rows.map(({ role, reason }) => `${role} ${reason ?? ""}`).sort()).toEqual([
      "ENTRY entry_momentum",
      "STOP protective_stop",
      "TARGET profit_target",
    ]);
    expect((await protectedQuantity(context.db, account.id)).get("SPY")?.toFixed()).toBe("10");
    expect(await uncoveredOf(context, account)).toEqual([]);
    expect((await trips())[0]).toMatchObject({
      regime: "risk_on",
      strategy: "MOMENTUM",
      entryReason: "entry_momentum",
      closedAt: null,
    });
  });

  it("whose intent was recorded before intents kept the ATR has it from its decision", async () => {
    await submit(await decide(context, account, [plannedOrder({ symbol: "SPY", qty: "10" })]));
    await context.db.intent.updateMany({ where: { accountId: account.id }, data: { atr: null } });
    await minute();
    await reconcileAccount(context, account.id);
    expect(await position()).toMatchObject({ review: { entryAtr: 2.5 } });
  });

  it("that is stopped out closes the round trip as a loss with the reason protective_stop", async () => {
    await buyBracket("0.0015", "0.5");
    for (let waited = 0; truth().positions.length > 0 && waited < 20_000; waited += 60) await minute(60);
    await reconcileAccount(context, account.id);
    expect(await position()).toBeNull();
    const [trip] = await trips();
    expect(trip).toMatchObject({ exitReason: "protective_stop", outcome: "LOSS" });
    const { realizedPnl, losingTrips, tradeCount, cash, netDeposits } = await figures();
    expect({ losingTrips, tradeCount }).toEqual({ losingTrips: 1, tradeCount: 2 });
    expect(text(realizedPnl.toString())).toBe(text(trip?.pnl.toString() ?? ""));
    const dividends = truth().activities.filter(({ activity_type }) => activity_type === "DIV");
    if (dividends.length === 0) expect(text(cash.toString())).toBe(text(netDeposits.plus(realizedPnl).toString()));
    expect(await context.db.intent.findMany({ where: { accountId: account.id } })).toMatchObject([
      { status: "FILLED" },
    ]);
  });
});

describe("an exit", () => {
  const exit = (change: object = {}) =>
    decide(context, account, [plannedOrder({ symbol: "SPY", side: "SELL", qty: "10", ...change })]);

  it("cancels the resting legs first, then sells all, and leaves nothing behind", async () => {
    await buyBracket();
    expect((await submit(await exit()))[0]).toMatchObject({ status: "LIVE" });
    await minute();
    await reconcileAccount(context, account.id);
    expect(await position()).toBeNull();
    expect((await trips())[0]).toMatchObject({ exitReason: "momentum_faded" });
    const states = truth()
      .orders.map(({ side, type, status }) => `${side} ${type} ${status}`)
      .sort();
    expect(states).toEqual(["buy market filled", "sell limit canceled", "sell market filled", "sell stop canceled"]);
  });

  it("passes every kill switch and the person's pause", async () => {
    await buyBracket();
    await context.db.account.update({ where: { id: account.id }, data: { killState: "FLATTEN" } });
    await context.db.user.update({ where: { id: account.userId }, data: { automationPausedAt: new Date() } });
    expect((await submit(await exit()))[0]).toMatchObject({ status: "LIVE" });
  });

  it("that may not go out leaves the stop where it is", async () => {
    await buyBracket();
    const decisionId = await exit();
    const [leg] = await submitPlan(context, { decisionId, epoch: 0, regate: () => [failedGate] });
    expect(leg).toMatchObject({ status: "DENIED" });
    await reconcileAccount(context, account.id);
    expect((await protectedQuantity(context.db, account.id)).get("SPY")?.toFixed()).toBe("10");
  });

  it("of a position that its stop closed meanwhile sells nothing", async () => {
    await buyBracket("0.0015", "0.5");
    const decisionId = await exit();
    for (let waited = 0; truth().positions.length > 0 && waited < 20_000; waited += 60) await minute(60);
    const [leg] = await submit(decisionId);
    expect(leg).toMatchObject({ status: "HALTED", reason: "closed by its stop" });
    await reconcileAccount(context, account.id);
    expect((await trips())[0]).toMatchObject({ exitReason: "protective_stop" });
    expect(truth().orders.filter(({ side, type }) => side === "sell" && type === "market")).toEqual([]);
  });

  it("never sells more than is held", async () => {
    await buyBracket();
    await submit(await exit({ qty: "25" }));
    await minute();
    expect(truth().positions).toEqual([]);
    expect(truth().orders.find(({ side, type }) => side === "sell" && type === "market")?.qty).toBe("10");
  });

  it("of a part sells that part, and the rest can be protected anew", async () => {
    await buyBracket();
    await submit(await exit({ purpose: "TRIM", qty: "4", reason: "regime_trim" }));
    await minute();
    expect(await uncoveredOf(context, account)).toEqual([{ symbol: "SPY", qty: "6", protectedQty: "0" }]);
    const { stopPrice, targetPrice } = (await position()) ?? {};
    const protect = {
      purpose: "PROTECT" as const,
      qty: "6",
      orderClass: "OCO" as const,
      type: "LIMIT" as const,
      timeInForce: "gtc" as const,
    };
    const prices = {
      takeProfitPrice: text(targetPrice?.toString() ?? ""),
      stopLossPrice: text(stopPrice?.toString() ?? ""),
      reason: "protect_position" as const,
    };
    const [leg] = await submit(await exit({ ...protect, ...prices }));
    expect(leg).toMatchObject({ status: "LIVE" });
    expect(await uncoveredOf(context, account)).toEqual([]);
  });
});

describe("reconciliation", () => {
  it("is idempotent: the second reading books nothing", async () => {
    await buyBracket();
    const before = await context.db.fill.count({ where: { accountId: account.id } });
    expect(await reconcileAccount(context, account.id)).toMatchObject({ executions: 0, flows: 0, orders: 0 });
    expect(await context.db.fill.count({ where: { accountId: account.id } })).toBe(before);
  });

  it("imports an order that is not ours as external, with its fill (B24)", async () => {
    const request = {
      symbol: "SPY",
      side: "BUY",
      qty: "2",
      orderClass: "SIMPLE",
      type: "MARKET",
      timeInForce: "day",
    } as const;
    const rest = { limitPrice: null, stopPrice: null, takeProfitPrice: null, stopLossPrice: null };
    await hastyBroker(account, 5_000).submit({ ...request, ...rest, clientOrderId: "by-hand" });
    await minute();
    const report = await reconcileAccount(context, account.id);
    expect(report).toMatchObject({ executions: 1, differences: [], haltReason: null });
    expect(await context.db.order.findMany({ where: { accountId: account.id } })).toMatchObject([
      { origin: "EXTERNAL", role: "EXTERNAL" },
    ]);
    expect(await position()).toMatchObject({ strategy: null });
  });

  it("counts the opening deposit as money from outside", async () => {
    await reconcileAccount(context, account.id);
    const { netDeposits, equity } = await figures();
    expect(text(netDeposits.toString())).toBe("100000");
    expect(text(equity.toString())).toBe("100000");
  });

  it("halts the account with both quantities named when positions differ, and mends nothing", async () => {
    await buyBracket();
    await context.db.lot.updateMany({ where: { accountId: account.id }, data: { qtyRemaining: 7 } });
    await ageFills(context, account);
    const report = await reconcileAccount(context, account.id);
    expect(report.differences).toEqual([{ symbol: "SPY", ours: "7", theirs: "10" }]);
    expect(report.haltReason).toBe("Positions differ: SPY 7 here, 10 at the broker");
    expect(await context.db.lot.count({ where: { accountId: account.id, qtyRemaining: 7 } })).toBe(1);
  });

  it("a late fill is no difference: it is read again before the account is halted", async () => {
    await buyBracket();
    await submit(await decide(context, account, [plannedOrder({ symbol: "SPY", side: "SELL", qty: "10" })]));
    await minute();
    const broker = hastyBroker(account, 5_000);
    let asked = 0;
    const executionsSince = (since: string | null) =>
      asked++ === 0 ? Promise.resolve([]) : broker.executionsSince(since);
    const report = await reconcileAccount(withBroker(context, { ...broker, executionsSince }), account.id);
    expect(report).toMatchObject({ executions: 1, differences: [], haltReason: null });
  });

  it("a split multiplies the shares held before its date, once, and moves the plan's prices", async () => {
    await buyBracket();
    const before = await position();
    const split = (id: string): BrokerActivity => ({
      id,
      type: "SPLIT",
      symbol: "SPY",
      netAmount: "0",
      qty: "30",
      date: "2030-01-02",
    });
    expect(await postSplit(context, account, [split("s1")])).toBe(true);
    expect(await postSplit(context, account, [split("s1")])).toBe(false);
    const after = await position();
    expect(text(after?.qty.toString() ?? "")).toBe("40");
    expect(text(after?.stopPrice?.toString() ?? "")).toBe(text(before?.stopPrice?.div(4).toString() ?? ""));
    expect(after?.review).toMatchObject({ entryAtr: 0.625 });
    const [lot] = await context.db.lot.findMany({ where: { accountId: account.id } });
    expect(text(lot?.qtyRemaining.toString() ?? "")).toBe("40");
  });
});

describe("trade updates", () => {
  it("book a fill without a reading", async () => {
    const changes: string[] = [];
    const following = streamAccount(context, account, (id) => changes.push(id));
    await expect.poll(() => changes.length, { timeout: 10_000 }).toBeGreaterThan(0);
    await submit(await decide(context, account, [plannedOrder({ symbol: "SPY", qty: "3" })]));
    await minute();
    await expect.poll(() => context.db.fill.count({ where: { accountId: account.id } }), { timeout: 10_000 }).toBe(1);
    following.close();
    expect(await context.db.fill.findMany({ where: { accountId: account.id } })).toMatchObject([{ source: "STREAM" }]);
    expect(await context.db.intent.findMany({ where: { accountId: account.id } })).toMatchObject([
      { status: "FILLED" },
    ]);
  });

  it("doubled and in any order change nothing twice and take nothing back (B20)", async () => {
    await reconcileAccount(context, account.id);
    const broker = hastyBroker(account, 5_000);
    let listeners: Parameters<typeof broker.tradeUpdates>[0] | undefined;
    const scripted = withBroker(context, {
      ...broker,
      tradeUpdates: (handlers) => {
        listeners = handlers;
        return { close: () => undefined };
      },
    });
    let changes = 0;
    streamAccount(scripted, account, () => (changes += 1));
    const { now } = await broker.clock();
    const at = (seconds: number) => new Date(Date.parse(now) + seconds * 1_000).toISOString();
    const order = (filledQty: string, seconds: number): BrokerOrder => ({
      id: "e7a9b2f0-0000-4000-8000-000000000001",
      clientOrderId: "stream-test",
      symbol: "SPY",
      side: "BUY",
      orderClass: "SIMPLE",
      type: "MARKET",
      timeInForce: "day",
      qty: "9",
      notional: null,
      limitPrice: null,
      stopPrice: null,
      status: filledQty === "9" ? "FILLED" : filledQty === "0" ? "NEW" : "PARTIALLY_FILLED",
      brokerStatus: filledQty === "9" ? "filled" : filledQty === "0" ? "new" : "partially_filled",
      filledQty,
      filledAvgPrice: filledQty === "0" ? null : "10",
      submittedAt: at(0),
      updatedAt: at(seconds),
      filledAt: filledQty === "9" ? at(seconds) : null,
      endedAt: null,
      replacedById: null,
      legs: [],
    });
    const fill = (cumulativeQty: string, qty: string, seconds: number): BrokerExecution => ({
      orderId: order("0", 0).id,
      cumulativeQty,
      qty,
      price: "10",
      side: "BUY",
      symbol: "SPY",
      at: at(seconds),
    });
    const updates = [
      { event: "new", at: at(1), order: order("0", 1), execution: null },
      { event: "partial_fill", at: at(2), order: order("4", 2), execution: fill("4", "4", 2) },
      { event: "partial_fill", at: at(3), order: order("6", 3), execution: fill("6.000", "2", 3) },
      { event: "fill", at: at(4), order: order("9", 4), execution: fill("9", "3", 4) },
    ];
    for (const index of [3, 1, 3, 0, 2, 1, 2, 0, 3]) listeners?.onUpdate(updates[index] as (typeof updates)[number]);
    await expect.poll(() => context.db.fill.count({ where: { accountId: account.id } }), { timeout: 10_000 }).toBe(3);
    await expect.poll(() => changes, { timeout: 10_000 }).toBe(3);
    const [row] = await context.db.order.findMany({ where: { accountId: account.id } });
    expect(row).toMatchObject({ status: "FILLED", brokerStatus: "filled" });
    expect(text(row?.filledQty.toString() ?? "")).toBe("9");
    expect(text((await position())?.qty.toString() ?? "")).toBe("9");
    expect(await figures()).toMatchObject({ tradeCount: 1 });
  });
});

describe("trade updates of an order whose answer is still out", () => {
  it("wait for the answer, and are booked once after it", async () => {
    let isReady = false;
    const following = streamAccount(context, account, () => (isReady = true));
    await expect.poll(() => isReady, { timeout: 10_000 }).toBe(true);
    const real = hastyBroker(account, 5_000);
    let heardMeanwhile: number | undefined;
    const slow = withBroker(context, {
      ...real,
      submit: async (request) => {
        const outcome = await real.submit(request);
        await minute();
        expect(truth().fills).toHaveLength(1);
        // Long enough for the stream to have told; what it told waits.
        await expect.poll(async () => (await real.executionsSince(null)).length, { timeout: 10_000 }).toBe(1);
        heardMeanwhile = await context.db.order.count({ where: { accountId: account.id } });
        return outcome;
      },
    });
    const decisionId = await decide(context, account, [plannedOrder({ symbol: "SPY", qty: "3" })]);
    await submitPlan(slow, { decisionId, epoch: 0, regate: allPass });
    expect(heardMeanwhile).toBe(0);
    await expect.poll(() => context.db.fill.count({ where: { accountId: account.id } }), { timeout: 10_000 }).toBe(1);
    following.close();
    expect(await context.db.order.findMany({ where: { accountId: account.id } })).toMatchObject([
      { origin: "OURS", status: "FILLED" },
    ]);
  });
});

describe("the single writer", () => {
  it("lets one in at a time and fences off the one before", async () => {
    const epochs: number[] = [];
    await withAccountWriter(context, account.id, async (epoch) => {
      epochs.push(epoch);
      expect(await withAccountWriter(context, account.id, (inner) => Promise.resolve(inner))).toBeNull();
    });
    await withAccountWriter(context, account.id, (epoch) => Promise.resolve(epochs.push(epoch)));
    expect(epochs).toEqual([1, 2]);
    const decisionId = await decide(context, account, [plannedOrder({ symbol: "SPY" })]);
    const [leg] = await submitPlan(context, { decisionId, epoch: 1, regate: allPass });
    expect(leg).toMatchObject({ status: "HALTED", reason: "another writer took over the account" });
    expect(truth().orders).toEqual([]);
  });
});
