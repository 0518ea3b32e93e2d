import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { money, text } from "@/lib/domain/money.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import { allPass, decide, hastyBroker, plannedOrder, withBroker } from "@/lib/proof/fixtures/orders.ts";
import { openSalesByHand } from "@/lib/proof/fixtures/sales-by-hand.ts";
import { makeAccount } from "@/prisma/factories.ts";
import { exampleAccount, examplePolicy } from "@/lib/proof/example-market.ts";
import type { Context } from "../../context.ts";
import type { Account } from "../../core/row-types.ts";
import { loadAccountState } from "../cycles/load-account-state.ts";
import { syncOrders } from "../accounts/sync-orders.ts";
import { setAccountKillState, setSystemKillState } from "../automation/set-kill-state.ts";
import { submitPlan } from "../orders/submit-plan.ts";
import { readSale } from "./read-sale.ts";
import { sellPosition } from "./sell-position.ts";

let exchange: Exchange;
let context: Context;
let account: Account;
const { asSystem, owner, request, sell, read, fault, sales, heldThere, covered, play } = openSalesByHand(
  (bench) => ({ exchange, context, account } = bench),
);

/** The broker has the order, or has filled it already. */
const TAKEN = expect.stringMatching(/^(sent|filled)$/) as string;

describe("a sale by hand", () => {
  it("cancels the stop, sells through T1 and T2, and is followed to the fill with its P&L to the cent", async () => {
    fault({ kind: "halted_symbol" });
    const { requestId, ...sale } = await sell();
    expect(sale).toMatchObject({ state: "sent", symbol: "SPY", message: "The broker has the order to sell 10 SPY." });
    exchange.control.clearFaults();
    await play();
    const done = await read(requestId);
    expect(done).toMatchObject({ state: "filled", requestId });
    expect(heldThere()).toEqual([]);
    const intent = await context.db.intent.findFirstOrThrow({
      where: { planId: requestId },
      include: { verdicts: { orderBy: { phase: "asc" } }, orders: true },
    });
    expect(intent).toMatchObject({ status: "FILLED", purpose: "MANUAL", reason: "sold_by_hand", side: "SELL" });
    expect(intent.verdicts.map(({ phase, passed }) => `${phase} ${passed}`)).toEqual(["T1 true", "T2 true"]);
    expect(intent.orders).toMatchObject([{ origin: "OURS", role: "EXIT", reason: "sold_by_hand", id: done.tradeId }]);
    const trip = await context.db.roundTrip.findFirstOrThrow({ where: { accountId: account.id, symbol: "SPY" } });
    expect(trip.exitReason).toBe("sold_by_hand");
    const fills = await context.db.fill.findMany({
      where: { accountId: account.id, symbol: "SPY" },
      orderBy: { at: "asc" },
    });
    const paid = (side: string) =>
      fills
        .filter((fill) => fill.side === side)
        .reduce((sum, { qty, price }) => sum.plus(money(qty).times(money(price))), money(0));
    const fees = fills.reduce((sum, { fees: each }) => sum.plus(money(each)), money(0));
    expect(text(money(trip.pnl))).toBe(text(paid("SELL").minus(paid("BUY")).minus(fees)));
    expect(done.message).toMatch(/^Sold 10 SPY at \$[\d.,]+\.$/);
    expect(await context.db.owedStop.count({ where: { accountId: account.id, paidAt: null } })).toBe(0);
  });

  it("waits for the fill where the market runs, and answers with it", async () => {
    const asked = sellPosition(owner(), request({ qty: 4 }), { followMs: 20_000 });
    await expect.poll(() => sales().length, { timeout: 15_000 }).toBe(1);
    await exchange.control.clock({ advanceMinutes: 1 });
    expect(await asked).toMatchObject({ state: "filled" });
    // What stays is protected before the answer is given.
    expect(heldThere()).toEqual([["SPY", "6"]]);
    expect(await covered()).toBe("6");
  });

  it("is in the log and in the audit trail, as its owner's act", async () => {
    const { requestId } = await sell({ qty: 4 });
    const audit = await context.db.auditEvent.findMany({
      where: { subjectUserId: account.userId, eventType: "SALE_REQUESTED" },
    });
    expect(audit).toMatchObject([{ actorUserId: account.userId, data: { requestId, symbol: "SPY", qty: "4" } }]);
    const log = await context.db.logEvent.findMany({ where: { accountId: account.id }, orderBy: { id: "asc" } });
    expect(log.map(({ message }) => message)).toEqual(
      expect.arrayContaining(["You asked to sell 4 of 10 SPY by hand", "Sent: order to sell SPY (sold by you)"]),
    );
    await play();
    const bell = await context.db.notification.findMany({ where: { userId: account.userId } });
    expect(bell.map(({ title, text: line }) => `${title} ${line}`).join("\n")).toContain("Sold by you");
  });

  it("of a part leaves the rest under its stop", async () => {
    const stopBefore = (await context.db.position.findFirstOrThrow({ where: { accountId: account.id } })).stopPrice;
    const { requestId } = await sell({ qty: 4 });
    await play();
    await expect
      .poll(async () => (await syncOrders(context, { accountId: account.id }), covered()), { timeout: 20_000 })
      .toBe("6");
    expect(heldThere()).toEqual([["SPY", "6"]]);
    expect(await read(requestId)).toMatchObject({
      state: "filled",
      message: expect.stringMatching(/^Sold 4 SPY at /) as string,
    });
    const stop = await context.db.order.findFirstOrThrow({
      where: { accountId: account.id, role: "STOP", status: { in: ["NEW", "HELD", "ACCEPTED"] } },
    });
    if (stopBefore !== null) expect(text(stop.stopPrice!)).toBe(text(stopBefore));
  });
});

describe("one request is one order", () => {
  it("fifty times at once, and again later", async () => {
    const same = request();
    const answers = await Promise.all(Array.from({ length: 50 }, () => sellPosition(owner(), same, { followMs: 0 })));
    expect(new Set(answers.map(({ tradeId }) => tradeId)).size).toBe(1);
    expect(sales()).toHaveLength(1);
    await play();
    expect(await sellPosition(owner(), same, { followMs: 0 })).toMatchObject({ state: "filled" });
    expect(sales()).toHaveLength(1);
    expect(await context.db.manualOrder.count({ where: { accountId: account.id } })).toBe(1);
    expect(
      await context.db.auditEvent.count({ where: { subjectUserId: account.userId, eventType: "SALE_REQUESTED" } }),
    ).toBe(1);
  }, 60_000);

  it("is refused for another account of the owner: a sale is read by its request id alone", async () => {
    const same = request();
    await sellPosition(owner(), same, { followMs: 0 });
    const other = await makeAccount(context.db, account.userId);
    await expect(sellPosition(owner(), { ...same, accountId: other.id }, { followMs: 0 })).rejects.toMatchObject({
      code: "conflict",
      message: "This request id was already used for another order. Please try again.",
    });
  });

  it("asked again while it is being sent it waits for the first, and is read as being sent until then", async () => {
    // The broker takes its time with the sale itself.
    fault({ kind: "delay", ms: 1500, method: "POST", path: "/v2/orders", count: 1 });
    const same = request();
    const first = sellPosition(owner(), same, { followMs: 0 });
    const isSending = () => context.db.intent.count({ where: { planId: same.requestId, status: "SUBMITTING" } });
    await expect.poll(isSending).toBe(1);
    expect(await read(same.requestId)).toMatchObject({
      state: "asking",
      tradeId: null,
      message: "Your order is being sent to the broker, once.",
    });
    const again = await sellPosition(owner(), same, { followMs: 0 });
    expect(again).toMatchObject({ state: TAKEN, tradeId: (await first).tradeId });
    expect(again.tradeId).not.toBeNull();
    expect(sales()).toHaveLength(1);
  });

  it("another order under the same id is refused, and a second one of the symbol while the first is open", async () => {
    fault({ kind: "halted_symbol" });
    const { requestId } = await sell({ qty: 4 });
    await expect(sell({ requestId, qty: 5 })).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("request id") as string,
    });
    await expect(sell({ qty: 4 })).rejects.toMatchObject({
      code: "conflict",
      message: "An order to sell SPY is already open.",
    });
    expect(sales()).toHaveLength(1);
  });
});

describe("switches", () => {
  it("passes the strictest kill switch of the system and of the account", async () => {
    await setAccountKillState(context, { id: account.id, killState: "FLATTEN", reason: "test" });
    await setSystemKillState(asSystem(), { killState: "FLATTEN", reason: "test" });
    expect(await sell()).toMatchObject({ state: TAKEN });
    expect(sales()).toHaveLength(1);
  });

  it("passes a pause of the account and of automation", async () => {
    await context.db.account.update({ where: { id: account.id }, data: { status: "PAUSED" } });
    await context.db.user.update({ where: { id: account.userId }, data: { automationPausedAt: new Date() } });
    expect(await sell()).toMatchObject({ state: TAKEN });
  });

  it.each([
    ["halted", { haltedAt: new Date(), haltReason: "Positions differ." }, "conflict", "This account is halted"],
    ["not confirmed", { status: "INACTIVE" }, "conflict", "not confirmed"],
    ["not read yet", { reconciledAt: null }, "account_busy", "The account is read at the broker first"],
  ] as const)("says why nothing leaves an account that is %s, and its stop stays", async (_, data, code, words) => {
    await context.db.account.update({ where: { id: account.id }, data });
    // No outage: a caller that hears of one takes the sale for open.
    const refusal = { code, message: expect.stringContaining(words) as string };
    await expect(sell()).rejects.toMatchObject(refusal);
    expect(sales()).toEqual([]);
    expect(await covered()).toBe("10");
  });

  it("says when the market opens, and its stop stays", async () => {
    const broker = hastyBroker(account, 5_000);
    const closed = { ...broker, clock: async () => ({ ...(await broker.clock()), isOpen: false }) };
    await expect(sell({}, withBroker(context, closed))).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringMatching(/^The market is closed and opens on \w{3} \d/) as string,
    });
    expect(await covered()).toBe("10");
  });
});

describe("what is refused before anything happens", () => {
  it.each([
    ["another person's account", { accountId: randomUUID() }, "not_found", "Account not found."],
    [
      "a stock that is not held",
      { symbol: "AAPL", confirmation: "SELL AAPL" },
      "not_found",
      "This account holds no AAPL.",
    ],
    ["other words", { confirmation: "SPY" }, "invalid_input", "Type SELL SPY to confirm."],
    ["more than is held", { qty: 11 }, "invalid_input", "You hold 10 SPY: enter as many or fewer."],
  ])("%s", async (_, more, code, message) => {
    await expect(sell(more)).rejects.toMatchObject({ code, message });
    expect(sales()).toEqual([]);
    expect(await covered()).toBe("10");
  });

  it("a person's account and its sale are closed to other users", async () => {
    const { requestId } = await sell();
    const stranger = {
      ...owner(),
      actor: { kind: "user", userId: randomUUID(), role: "ADMIN", signInId: "x" },
    } as const;
    await expect(sellPosition(stranger, request())).rejects.toMatchObject({ code: "not_found" });
    await expect(readSale(stranger, { requestId })).rejects.toMatchObject({ code: "not_found" });
  });

  it("what Tradewind did not buy", async () => {
    await context.db.position.updateMany({ where: { accountId: account.id }, data: { strategy: null } });
    await expect(sell()).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("did not buy") as string,
    });
  });

  it("a symbol with an open purchase", async () => {
    const entry = plannedOrder({ symbol: "SPY", type: "LIMIT", limitPrice: "1", qty: "1" });
    const { writerEpoch } = await context.db.account.findUniqueOrThrow({ where: { id: account.id } });
    await submitPlan(context, {
      decisionId: await decide(context, account, [entry]),
      epoch: writerEpoch,
      regate: allPass,
    });
    await expect(sell()).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("to buy SPY") as string,
    });
    expect(await covered()).toBe("10");
  });
});

it("what its owner sold is not bought again in the same session", async () => {
  await sell();
  await play();
  const { now } = await hastyBroker(account, 5_000).clock();
  const { equity, lastEquity, cash, buyingPower } = exampleAccount();
  const state = (at: string) =>
    loadAccountState(context, account.id, { equity, lastEquity, cash, buyingPower }, { at, policy: examplePolicy });
  expect((await state(now)).soldByHand).toEqual(["SPY"]);
  const tomorrow = new Date(Date.parse(now) + 24 * 3_600_000).toISOString();
  expect(await state(tomorrow)).not.toHaveProperty("soldByHand");
});
