import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Exchange } from "@/lib/exchange/start.ts";
import { money, text } from "@/lib/domain/money.ts";
import { newYork } from "@/lib/domain/time.ts";
import { makeUser } from "@/prisma/factories.ts";
import { withPersonal } from "../../audit/personal.ts";
import type { BrokerActivity } from "../../broker/broker.ts";
import type { Actor, Context } from "../../context.ts";
import { openBench } from "@/lib/proof/fixtures/bench.ts";
import { allPass, decide, hastyBroker, plannedOrder, truthOf, withBroker } from "@/lib/proof/fixtures/orders.ts";
import type { Account } from "../../core/row-types.ts";
import { reconcileAccount } from "../sync/reconcile-account.ts";
import { resolveUnknownOrders } from "../sync/resolve-unknown-orders.ts";
import { submitPlan } from "../orders/submit-plan.ts";
import { haltAccount } from "../../core/halt-account.ts";
import { inTransaction } from "../../core/transaction.ts";
import { resolveParked, type Resolution } from "./resolve-parked.ts";
import { resumeAccount } from "./resume-account.ts";

let exchange: Exchange;
let context: Context;
let account: Account;
openBench((bench) => ({ exchange, context, account } = bench));
beforeEach(async () => {
  await reconcileAccount(context, account.id);
});
afterEach(() => exchange.control.clearFaults());

const as = (actor: Actor): Context => ({ ...context, actor });
const owner = (): Actor => ({ kind: "user", userId: account.userId, role: "USER", signInId: "s" });
const row = () => context.db.account.findUniqueOrThrow({ where: { id: account.id } });
const halt = (reason = "something broke") =>
  inTransaction(context, (tx) => haltAccount(context, tx, account.id, reason));
const resume = (input: { reason?: string; resetMark?: boolean } = {}, on = context) =>
  resumeAccount(on, { id: account.id, reason: "looked at it", ...input });
const resolve = (clientOrderId: string, resolution: Resolution, on = context) =>
  resolveParked(on, { clientOrderId, resolution, reason: "looked at it" });
const intents = () => context.db.intent.findMany({ where: { accountId: account.id }, orderBy: { createdAt: "asc" } });
const only = async () => {
  const [intent, ...others] = await intents();
  if (!intent || others.length > 0) throw new Error("expected one intent");
  return intent;
};
const orders = () => truthOf(exchange, account).orders;
const restingEntry = { symbol: "SPY", type: "LIMIT", limitPrice: "50" } as const;
const submit = async (on = context) =>
  submitPlan(on, {
    decisionId: await decide(context, account, [plannedOrder(restingEntry)]),
    epoch: (await row()).writerEpoch,
    regate: allPass,
  });
const lose = (kind: "drop_after_accept" | "drop_before_accept") =>
  exchange.control.addFault({ method: "POST", path: "/v2/orders", kind });
const park = () => resolveUnknownOrders(context, account.id, { isImpatient: true, settleWindowMs: 0 });

describe("resuming a halted account", () => {
  it("ends the halt once the books agree, with audit and a line for the person; orders go out again", async () => {
    await halt("Positions differ: SPY 1 here, 0 at the broker");
    expect((await submit())[0]).toMatchObject({ status: "HALTED", reason: "the account is halted" });
    expect(await resume({}, as(owner()))).toEqual({
      isResumed: true,
      highWaterMark: null,
      isDrawdownHaltLifted: false,
    });
    expect(await row()).toMatchObject({ haltedAt: null, haltReason: null });
    const audit = await context.db.auditEvent.findFirstOrThrow({
      where: { eventType: "ACCOUNT_RESUMED", subjectUserId: account.userId },
    });
    expect(audit).toMatchObject({
      actorUserId: account.userId,
      data: {
        accountId: account.id,
        haltReason: "Positions differ: SPY 1 here, 0 at the broker",
      },
    });
    expect(await withPersonal(context.db, [audit])).toMatchObject([{ personal: { reason: "looked at it" } }]);
    expect(
      await context.db.logEvent.count({ where: { accountId: account.id, message: { contains: "resumed" } } }),
    ).toBe(1);
    expect((await submit())[0]).toMatchObject({ status: "LIVE" });
  });

  it("was reported to the owner by mail when it halted, once", async () => {
    await halt("books differ");
    await halt("and something else");
    const mails = await context.db.outbox.findMany({ where: { userId: account.userId } });
    expect(mails.map(({ props }) => (props as { subject: string; paragraphs: string[] }).subject)).toEqual([
      "Your account is halted",
    ]);
    expect(JSON.stringify(mails[0]?.props)).toContain("books differ");
  });

  it("changes nothing in an account that is not halted, and needs a reason", async () => {
    expect(await resume()).toEqual({ isResumed: false, highWaterMark: null, isDrawdownHaltLifted: false });
    await halt();
    await expect(resume({ reason: " " })).rejects.toMatchObject({ code: "invalid_input" });
    expect((await row()).haltedAt).not.toBeNull();
  });

  it("is for its owner and administrators", async () => {
    await halt();
    const { id: userId } = await makeUser(context.db);
    const stranger: Actor = { kind: "user", userId, role: "USER", signInId: "s" };
    await expect(resume({}, as(stranger))).rejects.toMatchObject({ code: "not_found" });
    await expect(resume({}, as({ kind: "anonymous" }))).rejects.toMatchObject({ code: "unauthenticated" });
    expect((await row()).haltedAt).not.toBeNull();
  });

  it("is refused while the broker is still asked about an order, and works once it is known (H7)", async () => {
    lose("drop_before_accept");
    await submit();
    await halt();
    await expect(resume()).rejects.toMatchObject({ code: "conflict" });
    expect((await row()).haltedAt).not.toBeNull();
    await park();
    expect(await resume()).toMatchObject({ isResumed: true });
  });

  it("adopts an order whose answer was lost while it resumes (H7)", async () => {
    lose("drop_after_accept");
    await submit();
    await halt();
    expect(await resume()).toMatchObject({ isResumed: true });
    expect(await only()).toMatchObject({ status: "LIVE" });
  });

  it("is refused while positions differ, by a fresh reading", async () => {
    await halt();
    const broker = hastyBroker(account, 5_000);
    const held = {
      symbol: "SPY",
      qty: "3",
      qtyAvailable: "3",
      avgEntryPrice: "1",
      currentPrice: "1",
      marketValue: "3",
      unrealizedPnl: "0",
      unrealizedPnlPercent: "0",
    };
    const differing = withBroker(context, { ...broker, positions: () => Promise.resolve([held]) });
    await expect(resume({}, differing)).rejects.toThrow("Positions differ: SPY 0 here, 3 at the broker");
    expect(await row()).toMatchObject({ haltReason: "something broke" });
    expect(await resume()).toMatchObject({ isResumed: true });
  });

  it("is refused while the broker cannot be asked", async () => {
    await halt();
    exchange.control.addFault({ method: "GET", path: "/v2/positions", kind: "status", status: 503, count: 0 });
    await expect(resume()).rejects.toMatchObject({ code: "broker_unavailable" });
    expect((await row()).haltedAt).not.toBeNull();
  });

  it("of two people at once one resumes, the other finds it done", async () => {
    await halt();
    const both = await Promise.all([resume(), resume()]);
    expect(both.map(({ isResumed }) => isResumed).sort()).toEqual([false, true]);
    const where = { eventType: "ACCOUNT_RESUMED", subjectUserId: account.userId };
    expect(await context.db.auditEvent.count({ where })).toBe(1);
  });
});

describe("resetting the mark", () => {
  const mark = async () =>
    (await context.db.accountFigures.findUniqueOrThrow({ where: { accountId: account.id } })).highWaterMark.toFixed();

  it("measures drawdown from today's equity and lifts the stop that the drawdown had put on", async () => {
    await context.db.accountFigures.update({ where: { accountId: account.id }, data: { highWaterMark: "130000" } });
    await context.db.account.update({
      where: { id: account.id },
      data: { killState: "REDUCE_ONLY", killSource: "DRAWDOWN", killReason: "23 % below", killSetAt: new Date() },
    });
    expect(await resume({ resetMark: true })).toEqual({
      isResumed: false,
      highWaterMark: "100000",
      isDrawdownHaltLifted: true,
    });
    expect(await mark()).toBe("100000");
    expect(await row()).toMatchObject({ killState: "NONE", killSource: null });
  });

  it("leaves out a deposit that is not booked yet: booking it brings no drawdown", async () => {
    const broker = hastyBroker(account, 5_000);
    const paidIn: BrokerActivity[] = [];
    const afterDeposit = withBroker(context, {
      ...broker,
      account: async () => {
        const { equity, cash, ...others } = await broker.account();
        return { ...others, equity: text(money(equity).plus(5000)), cash: text(money(cash).plus(5000)) };
      },
      activitiesSince: () => Promise.resolve(paidIn),
    });
    await context.db.accountFigures.update({ where: { accountId: account.id }, data: { highWaterMark: "130000" } });
    await context.db.account.update({
      where: { id: account.id },
      data: { killState: "REDUCE_ONLY", killSource: "DRAWDOWN", killReason: "23 % below", killSetAt: new Date() },
    });
    expect(await resume({ resetMark: true }, afterDeposit)).toMatchObject({ highWaterMark: "100000" });
    const date = newYork((await broker.clock()).now).date;
    paidIn.push({ id: "in", type: "CSD", symbol: null, netAmount: "5000", qty: null, date });
    await reconcileAccount(afterDeposit, account.id);
    expect(await mark()).toBe("105000");
  });

  it("leaves a kill state set by an administrator, and a mark whose reset was not requested, as they are", async () => {
    await context.db.accountFigures.update({ where: { accountId: account.id }, data: { highWaterMark: "130000" } });
    await context.db.account.update({
      where: { id: account.id },
      data: { killState: "REDUCE_ONLY", killSource: "ADMIN" },
    });
    await halt();
    expect(await resume()).toEqual({ isResumed: true, highWaterMark: null, isDrawdownHaltLifted: false });
    expect(await mark()).toBe("130000");
    expect(await resume({ resetMark: true })).toMatchObject({ highWaterMark: "100000", isDrawdownHaltLifted: false });
    expect(await row()).toMatchObject({ killState: "REDUCE_ONLY", killSource: "ADMIN" });
  });
});

describe("a parked order", () => {
  it("that the broker never had can only be expired, and not before its session is long over", async () => {
    lose("drop_before_accept");
    await submit();
    await park();
    const { clientOrderId } = await only();
    await expect(resolve(clientOrderId, "adopt")).rejects.toMatchObject({ code: "conflict" });
    await expect(resolve(clientOrderId, "give_up")).rejects.toThrow("may still arrive");
    const hourLater = { ...as(owner()), now: () => new Date(Date.now() + 3_600_000) };
    await expect(resolve(clientOrderId, "give_up", hourLater)).rejects.toThrow("may still arrive");
    const { nextOpen } = await context.brokers.forAccount(account).clock();
    await exchange.control.clock({ jumpTo: nextOpen });
    await expect(resolve(clientOrderId, "give_up")).rejects.toThrow("may still arrive");
    expect(await resolve(clientOrderId, "give_up", hourLater)).toEqual({
      clientOrderId,
      status: "EXPIRED",
      order: "none",
    });
    expect(await only()).toMatchObject({ status: "EXPIRED", lastError: "resolved by a person: looked at it" });
    const audit = await context.db.auditEvent.findFirstOrThrow({
      where: { eventType: "ORDER_RESOLVED", subjectUserId: account.userId },
    });
    expect(audit.data).toMatchObject({ clientOrderId, resolution: "give_up", order: "none" });
    await expect(resolve(clientOrderId, "give_up")).rejects.toMatchObject({ code: "conflict" });
  });

  /** The broker took ten for twenty: the order at the broker is not the one that was decided. */
  async function differs(): Promise<string> {
    const broker = hastyBroker(account, 5_000);
    await submit(withBroker(context, { ...broker, submit: (order) => broker.submit({ ...order, qty: "20" }) }));
    const { clientOrderId, status, nextAskAt } = await only();
    expect({ status, nextAskAt }).toEqual({ status: "PARKED", nextAskAt: null });
    expect((await row()).haltReason).toContain("did not decide");
    return clientOrderId;
  }

  it("that differs at the broker keeps the account halted until a person adopts it as an external one", async () => {
    const clientOrderId = await differs();
    await expect(resume()).rejects.toThrow(`Resolve first: ${clientOrderId}`);
    expect(await resolve(clientOrderId, "adopt")).toEqual({ clientOrderId, status: "CANCELED", order: "external" });
    expect(orders().map(({ status }) => status)).toEqual(["new"]);
    const order = await context.db.order.findFirstOrThrow({ where: { accountId: account.id } });
    expect(order).toMatchObject({ origin: "EXTERNAL", intentId: null });
    expect(await resume()).toMatchObject({ isResumed: true });
    await reconcileAccount(context, account.id);
    expect((await row()).haltedAt).toBeNull();
  });

  it("that differs at the broker is cancelled there when it is closed", async () => {
    const clientOrderId = await differs();
    expect(await resolve(clientOrderId, "give_up")).toEqual({ clientOrderId, status: "CANCELED", order: "external" });
    expect(orders().map(({ status }) => status)).toEqual(["canceled"]);
    expect(await resume()).toMatchObject({ isResumed: true });
  });

  it("that turned up beside another one of its symbol and side is resolved by giving one of them up", async () => {
    lose("drop_after_accept");
    await submit();
    const { clientOrderId } = await only();
    // Closed as never accepted, and another one was sent since.
    await context.db.intent.updateMany({ where: { clientOrderId }, data: { status: "EXPIRED", nextAskAt: null } });
    expect((await submit())[0]).toMatchObject({ status: "LIVE" });
    await reconcileAccount(context, account.id);
    expect((await row()).haltReason).toContain("two live orders");
    await expect(resolve(clientOrderId, "adopt")).rejects.toMatchObject({ code: "conflict" });
    expect(await resolve(clientOrderId, "give_up")).toEqual({ clientOrderId, status: "CANCELED", order: "ours" });
    expect(
      orders()
        .map(({ status }) => status)
        .sort(),
    ).toEqual(["canceled", "new"]);
    expect(await resume()).toMatchObject({ isResumed: true });
  });

  it("is resolved by its owner or an administrator alone", async () => {
    lose("drop_before_accept");
    await submit();
    await park();
    const { clientOrderId } = await only();
    const { id: userId } = await makeUser(context.db);
    const stranger: Actor = { kind: "user", userId, role: "USER", signInId: "s" };
    await expect(resolve(clientOrderId, "give_up", as(stranger))).rejects.toMatchObject({ code: "not_found" });
    await expect(resolve("tw-no-such-order", "give_up")).rejects.toMatchObject({ code: "not_found" });
    expect(await only()).toMatchObject({ status: "PARKED" });
  });
});
