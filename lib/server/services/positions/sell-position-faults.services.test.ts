import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { money, text } from "@/lib/domain/money.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import { hastyBroker, withBroker, orderByHand } from "@/lib/proof/fixtures/orders.ts";
import { openSalesByHand } from "@/lib/proof/fixtures/sales-by-hand.ts";
import type { Context } from "../../context.ts";
import type { Account } from "../../core/row-types.ts";
import { withAccountWriter } from "../../core/account-writer.ts";
import { syncOrders } from "../accounts/sync-orders.ts";
import { reconcileAccount } from "../sync/reconcile-account.ts";
import { sellPosition } from "./sell-position.ts";

let exchange: Exchange;
let context: Context;
let account: Account;
const { owner, request, sell, read, fault, sales, heldThere, covered, play } = openSalesByHand(
  (bench) => ({ exchange, context, account } = bench),
);

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
      message: "Your order is still being sent. Check again in a moment: it is not sent twice.",
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
