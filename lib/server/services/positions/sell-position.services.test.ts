import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { money, text } from "@/lib/domain/money.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import type { FaultInput } from "@/lib/exchange/faults/kinds.ts";
import { openBench } from "@/lib/proof/fixtures/bench.ts";
import {
  allPass,
  buyBracket,
  decide,
  hastyBroker,
  plannedOrder,
  truthOf,
  withBroker,
  orderByHand,
} from "@/lib/proof/fixtures/orders.ts";
import { makeAccount } from "@/prisma/factories.ts";
import { exampleAccount, examplePolicy } from "@/lib/proof/example-market.ts";
import type { Context } from "../../context.ts";
import type { Account } from "../../core/row-types.ts";
import { withAccountWriter } from "../../core/account-writer.ts";
import { loadAccountState } from "../cycles/load-account-state.ts";
import { syncOrders } from "../accounts/sync-orders.ts";
import { setAccountKillState, setSystemKillState } from "../automation/set-kill-state.ts";
import { protectedQuantity } from "../orders/protected-quantity.ts";
import { submitPlan } from "../orders/submit-plan.ts";
import { reconcileAccount } from "../sync/reconcile-account.ts";
import { readSale } from "./read-sale.ts";
import { sellPosition } from "./sell-position.ts";

let exchange: Exchange;
let context: Context;
let account: Account;
openBench((bench) => ({ exchange, context, account } = bench));
beforeEach(async () => {
  await reconcileAccount(context, account.id);
  await buyBracket(exchange, context, account);
});
afterEach(async () => {
  exchange.control.clearFaults();
  await context.db.account.updateMany({ data: { deletedAt: new Date(), sealedKeys: null, status: "INACTIVE" } });
  await setSystemKillState(asSystem(), { killState: "NONE", reason: "over" });
});

/** As its owner; the market stands still, so an order is not waited for. */
const owner = (base: Context = context): Context<"user"> => ({
  ...base,
  actor: { kind: "user", userId: account.userId, role: "USER", signInId: "test" },
});
const asSystem = (): Context => ({ ...context, actor: { kind: "system", name: "test" } });
const request = (more: object = {}) => ({
  accountId: account.id,
  symbol: "SPY",
  requestId: randomUUID(),
  confirmation: "SELL SPY",
  qty: null,
  ...more,
});
const sell = (more: object = {}, base?: Context) => sellPosition(owner(base), request(more), { followMs: 0 });
const read = (requestId: string) => readSale(owner(), { requestId });
const fault = (input: FaultInput) => exchange.control.addFault({ account: truth().account_number, ...input });
/** The broker has the order, or has filled it already. */
const TAKEN = expect.stringMatching(/^(sent|filled)$/) as string;
const truth = () => truthOf(exchange, account);
const sales = () => truth().orders.filter(({ side, type }) => side === "sell" && type === "market");
const heldThere = () => truth().positions.map(({ symbol, qty }) => [symbol, qty]);
const covered = async () => (await protectedQuantity(context.db, account.id)).get("SPY")?.toFixed() ?? "0";
/** A minute passes, and the worker looks at the account. */
const play = async () => {
  await exchange.control.clock({ advanceMinutes: 1 });
  await syncOrders(context, { accountId: account.id });
};

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
    ["not read yet", { reconciledAt: null }, "account_busy", "has not been read at the broker yet"],
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

/** A broker beside which something happens at each look at the account. */
const atEachLook = (meanwhile: () => Promise<unknown>): Context => {
  const broker = hastyBroker(account, 5_000);
  return withBroker(context, { ...broker, account: async () => (await meanwhile(), broker.account()) });
};

describe("where another process is at work", () => {
  it("says that this request sent nothing, with a code that is neither an outage nor the end of an earlier one", async () => {
    await withAccountWriter(context, account.id, async () => {
      const asked = sellPosition(owner(), request(), { followMs: 0, waitMs: 0 });
      await expect(asked).rejects.toMatchObject({
        code: "account_busy",
        message: "The account is busy: this request sent nothing. Try again in a moment.",
      });
    });
    expect(sales()).toEqual([]);
    expect(await covered()).toBe("10");
  });

  it("says not as an outage, and not as the end of an earlier request, that another sale of the symbol was first", async () => {
    const { id: _, ...bought } = await context.db.intent.findFirstOrThrow({ where: { accountId: account.id } });
    const firstSale = atEachLook(async () => {
      if ((await context.db.intent.count({ where: { accountId: account.id, side: "SELL" } })) > 0) return;
      const other = { decisionId: null, planId: randomUUID(), clientOrderId: randomUUID(), gateVerdictId: null };
      await context.db.intent.create({
        data: { ...bought, ...other, side: "SELL", purpose: "MANUAL", status: "PLANNED" },
      });
    });
    await expect(sell({}, firstSale)).rejects.toMatchObject({
      code: "account_busy",
      message: "This request sold nothing: another order of this symbol and side is in flight. Try again in a moment.",
    });
    expect(await covered()).toBe("10");
  });

  it("does not say that nothing was sold of an order that the other one took over", async () => {
    const same = request();
    const takenOver = atEachLook(() =>
      context.db.intent.updateMany({
        where: { planId: same.requestId, status: "GATED" },
        data: {
          status: "SUBMITTING",
          submitEpoch: 1,
          submittedAt: new Date(),
          submitDeadline: new Date(Date.now() + 60_000),
        },
      }),
    );
    await expect(sellPosition(owner(takenOver), same, { followMs: 0 })).rejects.toMatchObject({
      code: "unavailable",
      message: "Your order is still being sent. Look again in a moment: it is sent once.",
    });
    const logged = await context.db.logEvent.findMany({ where: { accountId: account.id } });
    expect(logged.filter(({ message }) => message.startsWith("Not sold"))).toEqual([]);
  });
});

describe("what may go wrong on the way", () => {
  it("its stop fills meanwhile: nothing is sold twice, and no share is sold short", async () => {
    // Stop or target fills in the moment in which it is cancelled.
    fault({ kind: "cancel_loses" });
    const sale = await sell();
    expect(sale).toMatchObject({ state: "not_sent", message: expect.stringContaining("the stop had sold") as string });
    await play();
    expect(heldThere()).toEqual([]);
    expect(sales()).toEqual([]);
  });

  it("another order of the owner's at the broker holds the shares: it says so, and that they are not sold", async () => {
    const broker = hastyBroker(account, 5_000);
    const price = money((await broker.positions())[0]?.currentPrice ?? "0");
    const limitPrice = text(price.times("1.3").toDecimalPlaces(2));
    // Placed between the cancel of the stop and the look at what is free.
    const overtaken = {
      ...broker,
      cancel: async (id: string) => {
        const cancelled = await broker.cancel(id);
        await broker.submit(
          orderByHand({
            clientOrderId: randomUUID(),
            side: "SELL",
            type: "LIMIT",
            qty: "10",
            limitPrice,
            timeInForce: "day",
          }),
        );
        return cancelled;
      },
    };
    const sale = await sell({}, withBroker(context, overtaken));
    expect(sale).toMatchObject({
      state: "not_sent",
      message:
        "Nothing was sold: another of your orders at the broker holds the shares of SPY. Cancel it there, and try again.",
    });
    expect(heldThere()).toEqual([["SPY", "10"]]);
  });

  it("of a part leaves the rest under the stop that its owner moved at the broker, higher or lower", async () => {
    const broker = hastyBroker(account, 5_000);
    const stopOf = async () => {
      const stop = await context.db.order.findFirstOrThrow({
        where: { accountId: account.id, role: "STOP", status: "NEW" },
      });
      return { id: stop.brokerOrderId, price: money(stop.stopPrice?.toString() ?? "0") };
    };
    for (const share of ["1.02", "0.9"]) {
      const resting = await stopOf();
      const moved = text(resting.price.times(share).toDecimalPlaces(2));
      expect(await broker.replace(resting.id, { stopPrice: moved })).toMatchObject({ kind: "replaced" });
      await reconcileAccount(context, account.id);
      await sell({ qty: money("2") });
      await play();
      expect(text((await stopOf()).price)).toBe(moved);
    }
    expect(heldThere()).toEqual([["SPY", "6"]]);
    expect(await covered()).toBe("6");
  });

  it("a part fills and the broker ends the rest: what stays is protected", async () => {
    fault({ kind: "partial_fills", share: 0.4 });
    const { requestId } = await sell();
    expect(await read(requestId)).toMatchObject({ state: "sent" });
    const [sale] = sales();
    await hastyBroker(account, 5_000).cancel(sale!.id);
    exchange.control.clearFaults();
    await expect
      .poll(async () => (await syncOrders(context, { accountId: account.id }), covered()), { timeout: 20_000 })
      .toBe(heldThere()[0]?.[1]);
    const done = await read(requestId);
    expect(done).toMatchObject({
      state: "ended",
      message: expect.stringContaining("The rest keeps its stop") as string,
    });
    expect(Number(await covered())).toBe(10 - Number(sales()[0]!.filled_qty));
    expect(Number(sales()[0]!.filled_qty)).toBeGreaterThan(0);
  }, 60_000);

  it("the broker refuses: its words are shown, and the shares get their stop again", async () => {
    const broker = hastyBroker(account, 5_000);
    const refusing = {
      ...broker,
      submit: async (order: Parameters<typeof broker.submit>[0]) =>
        order.type === "MARKET"
          ? ({
              kind: "rejected",
              code: "40310000",
              message: "account is restricted to liquidation only by phone",
            } as const)
          : broker.submit(order),
    };
    const sale = await sell({}, withBroker(context, refusing));
    expect(sale).toMatchObject({ state: "not_sent", message: expect.stringContaining("by phone") as string });
    expect(await covered()).toBe("10");
    expect(heldThere()).toEqual([["SPY", "10"]]);
  });

  it("the answer is lost: it is asked for, never sent again, and the order is adopted", async () => {
    const broker = hastyBroker(account, 5_000);
    const deaf = {
      ...broker,
      submit: async (order: Parameters<typeof broker.submit>[0]) => {
        await broker.submit(order);
        return { kind: "unknown", cause: "the connection broke" } as const;
      },
    };
    const same = request();
    expect(await sellPosition(owner(withBroker(context, deaf)), same, { followMs: 0 })).toMatchObject({
      state: "asking",
    });
    expect(await sellPosition(owner(), same, { followMs: 0 })).toMatchObject({ state: "asking" });
    const logged = await context.db.logEvent.findMany({ where: { accountId: account.id } });
    const messages = logged.map(({ message }) => message);
    expect(messages.filter((message) => message.startsWith("Not sold"))).toEqual([]);
    expect(messages).toContainEqual(
      expect.stringMatching(/^No answer yet, so the broker is being asked: order to sell/),
    );
    await expect
      .poll(async () => (await play(), (await read(same.requestId)).state), { timeout: 20_000 })
      .toBe("filled");
    expect(sales()).toHaveLength(1);
    expect(heldThere()).toEqual([]);
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
