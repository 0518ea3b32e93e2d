import { beforeEach, describe, expect, it } from "vitest";
import { money, text } from "@/lib/domain/money.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import type { Account } from "../../core/row-types.ts";
import type { Broker, BrokerActivity, BrokerOrder, BrokerPosition } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import { openBench } from "@/lib/proof/fixtures/bench.ts";
import { ageFills, buyBracket, hastyBroker, otherSymbol, withBroker } from "@/lib/proof/fixtures/orders.ts";
import { readRowBreaches } from "../invariants/read-breaches.ts";
import { protectPositions } from "../orders/protect-positions.ts";
import { protectedQuantity } from "../orders/protected-quantity.ts";
import { readCashLedger } from "./read-cash-ledger.ts";
import { quarantineActivity } from "./quarantine-activity.ts";
import { rebuildPositionBook } from "./rebuild-position-book.ts";
import { reconcileAccount } from "../sync/reconcile-account.ts";
import { inTransaction } from "../../core/transaction.ts";

let exchange: Exchange;
let context: Context;
let account: Account;
let real: Broker;
let today: string;
openBench((bench) => ({ exchange, context, account } = bench));
beforeEach(async () => {
  await buyBracket(exchange, context, account);
  await ageFills(context, account);
  real = hastyBroker(account, 5_000);
  today = (await real.clock()).now.slice(0, 10);
  // Everything below was bought before today's corporate action.
  const dayBefore = new Date(Date.parse(today) - 10 * 60 * 60_000);
  const where = { accountId: account.id };
  await context.db.fill.updateMany({ where, data: { at: dayBefore } });
  await context.db.lot.updateMany({ where, data: { openedAt: dayBefore } });
  await context.db.position.updateMany({ where, data: { openedAt: dayBefore } });
  await context.db.roundTrip.updateMany({ where, data: { openedAt: dayBefore } });
});

const action = (change: Partial<BrokerActivity> & Pick<BrokerActivity, "id" | "type">): BrokerActivity => ({
  symbol: "SPY",
  netAmount: "0",
  qty: null,
  date: today,
  ...change,
});

/** The broker after a corporate action: what it then says of positions, orders and activities. */
async function after(
  activities: BrokerActivity[],
  positions: (held: BrokerPosition) => BrokerPosition[],
  orders: (order: BrokerOrder) => BrokerOrder = (order) => order,
): Promise<Broker> {
  const [held] = await real.positions();
  if (!held) throw new Error("nothing is held");
  const deep = (order: BrokerOrder): BrokerOrder => orders({ ...order, legs: order.legs.map(deep) });
  return {
    ...real,
    executionsSince: () => Promise.resolve([]),
    activitiesSince: () => Promise.resolve(activities),
    positions: () => Promise.resolve(positions(held)),
    ordersSince: async (since) => (await real.ordersSince(since)).map(deep),
    openOrders: async () => (await real.openOrders()).map(deep),
    order: async (id) => {
      const found = await real.order(id);
      return found && deep(found);
    },
  };
}
const read = (broker: Broker) => reconcileAccount(withBroker(context, broker), account.id);
const lots = async () =>
  (await context.db.lot.findMany({ where: { accountId: account.id } })).map(
    ({ symbol, qtyRemaining }) => `${text(qtyRemaining.toString())} ${symbol}`,
  );

describe("a split with a stop and a target at the broker", () => {
  it.each([
    ["4 for 1", 4],
    ["1 for 10", 0.1],
  ])(
    "of %s is taken in before anything is compared; nothing is surplus, and every share stays covered (M2)",
    async (_, ratio) => {
      const added = String(10 * ratio - 10);
      const split = [action({ id: "s", type: "SPLIT", qty: added })];
      const qtyAfter = String(10 * ratio);
      const scaled = (price: string | null) => price && money(price).div(ratio).toDecimalPlaces(2).toFixed();
      const broker = await after(
        split,
        (held) => [{ ...held, qty: qtyAfter, qtyAvailable: "0" }],
        (order) =>
          order.side === "BUY"
            ? order
            : {
                ...order,
                qty: qtyAfter,
                stopPrice: scaled(order.stopPrice),
                limitPrice: scaled(order.limitPrice),
                updatedAt: new Date(Date.parse(order.updatedAt) + 1_000).toISOString(),
              },
      );
      const before = await context.db.position.findFirstOrThrow({ where: { accountId: account.id } });
      for (let again = 0; again < 2; again += 1)
        expect(await read(broker)).toMatchObject({
          differences: [],
          haltReason: null,
          corrections: 0,
        });
      expect(await lots()).toEqual([`${qtyAfter} SPY`]);
      expect((await protectedQuantity(context.db, account.id)).get("SPY")?.toFixed()).toBe(qtyAfter);
      const position = await context.db.position.findFirstOrThrow({ where: { accountId: account.id } });
      expect(text(position.stopPrice?.toString() ?? "")).toBe(
        text(
          money(before.stopPrice ?? 0)
            .div(ratio)
            .toDecimalPlaces(9),
        ),
      );
      // The book made anew from its fills is the same book.
      await inTransaction(context, (tx) => rebuildPositionBook(context, tx, account.id, "SPY"));
      expect(await lots()).toEqual([`${qtyAfter} SPY`]);
      expect(await context.db.position.findFirstOrThrow({ where: { accountId: account.id } })).toMatchObject({
        qty: position.qty,
        avgEntryPrice: position.avgEntryPrice,
        stopPrice: position.stopPrice,
      });
    },
  );
});

describe("a symbol that changes or goes", () => {
  it("under a new name keeps its lots, its round trip and its memory (M4)", async () => {
    const legs = [
      action({ id: "n1", type: "NC", qty: "-10" }),
      action({ id: "n2", type: "NC", qty: "10", symbol: "SPYX" }),
    ];
    const broker = await after(legs, (held) => [{ ...held, symbol: "SPYX" }]);
    const before = await context.db.position.findFirstOrThrow({ where: { accountId: account.id } });
    for (let again = 0; again < 2; again += 1)
      expect(await read(broker)).toMatchObject({ differences: [], haltReason: null });
    expect(await lots()).toEqual(["10 SPYX"]);
    const { stopPrice, targetPrice, review, strategy } = before;
    expect(await context.db.position.findMany({ where: { accountId: account.id } })).toMatchObject([
      { symbol: "SPYX", stopPrice, targetPrice, review, strategy },
    ]);
    expect(await context.db.roundTrip.findMany({ where: { accountId: account.id } })).toMatchObject([
      { symbol: "SPYX", closedAt: null, strategy: "MOMENTUM" },
    ]);
  });

  it("takes the stop that rests for it along, and no invariant is broken by the name that was decided (M4)", async () => {
    const [stop] = await context.db.order.findMany({ where: { accountId: account.id, role: "STOP" } });
    await real.cancel(stop!.brokerOrderId);
    await exchange.control.clock({ advanceMinutes: 1 });
    await reconcileAccount(context, account.id);
    expect(await protectPositions(context, account.id, account.writerEpoch, { symbols: ["SPY"] })).toMatchObject([
      { status: "LIVE" },
    ]);
    const protective = { accountId: account.id, side: "SELL", parentId: null, endedAt: null } as const;
    expect(await context.db.order.count({ where: { ...protective, symbol: "SPY" } })).toBe(1);
    const legs = [
      action({ id: "n1", type: "NC", qty: "-10" }),
      action({ id: "n2", type: "NC", qty: "10", symbol: "SPYX" }),
    ];
    const renamed = (order: BrokerOrder): BrokerOrder =>
      order.side === "BUY"
        ? order
        : { ...order, symbol: "SPYX", updatedAt: new Date(Date.parse(order.updatedAt) + 1_000).toISOString() };
    const broker = await after(legs, (held) => [{ ...held, symbol: "SPYX" }], renamed);
    for (let again = 0; again < 2; again += 1)
      expect(await read(broker)).toMatchObject({ differences: [], haltReason: null });
    expect(await context.db.order.count({ where: { ...protective, symbol: "SPYX" } })).toBe(1);
    const breaches = await readRowBreaches(context, account.id);
    expect(breaches.filter(({ invariant }) => invariant === "I1" || invariant === "I3")).toEqual([]);
  });

  /** Five shares of another company, bought the day before as well. */
  async function holdAnother(): Promise<string> {
    const symbol = await otherSymbol(exchange);
    const prices = { limitPrice: null, stopPrice: null, takeProfitPrice: null, stopLossPrice: null };
    const order = { symbol, side: "BUY", qty: "5", orderClass: "SIMPLE", type: "MARKET", timeInForce: "day" } as const;
    await real.submit({ clientOrderId: `by-hand-${account.id}`, ...order, ...prices });
    await exchange.control.clock({ advanceMinutes: 1 });
    await reconcileAccount(context, account.id);
    await ageFills(context, account);
    const at = new Date(Date.parse(today) - 9 * 60 * 60_000);
    const where = { accountId: account.id, symbol };
    await context.db.fill.updateMany({ where, data: { at } });
    await context.db.lot.updateMany({ where, data: { openedAt: at } });
    await context.db.position.updateMany({ where, data: { openedAt: at } });
    await context.db.roundTrip.updateMany({ where, data: { openedAt: at } });
    return symbol;
  }

  it("beside another of the same day is booked as one of two, by the broker's groups (M4)", async () => {
    const other = await holdAnother();
    const legs = (symbol: string, qty: string, group: string) => [
      action({ id: `${group}-1`, type: "NC", qty: `-${qty}`, symbol, group }),
      action({ id: `${group}-2`, type: "NC", qty, symbol: `${symbol}X`, group }),
    ];
    const activities = [...legs("SPY", "10", "g1"), ...legs(other, "5", "g2")];
    const broker = await after(activities, (held) => [
      { ...held, symbol: "SPYX", qty: "10" },
      { ...held, symbol: `${other}X`, qty: "5" },
    ]);
    for (let again = 0; again < 2; again += 1)
      expect(await read(broker)).toMatchObject({ differences: [], haltReason: null });
    expect((await lots()).sort()).toEqual(["10 SPYX", `5 ${other}X`].sort());
  });

  it("for cash beside another of the same day is sold by itself, also where the broker names no groups (M4)", async () => {
    const other = await holdAnother();
    const { cash } = await readCashLedger(context.db, account.id);
    const broker = await after(
      [
        action({ id: "c1", type: "MA", qty: "-10", netAmount: "6000" }),
        action({ id: "c2", type: "MA", qty: "-5", netAmount: "500", symbol: other }),
      ],
      () => [],
    );
    for (let again = 0; again < 2; again += 1)
      expect(await read(broker)).toMatchObject({ differences: [], haltReason: null });
    expect(text((await readCashLedger(context.db, account.id)).cash)).toBe(text(cash.plus(6_500)));
  });

  it("that was set aside and is booked by rule after all waits for no person any more (M4)", async () => {
    const other = await holdAnother();
    const legs = [
      action({ id: "w1", type: "MA", qty: "-10", netAmount: "6000" }),
      action({ id: "w2", type: "MA", qty: "-5", netAmount: "500", symbol: other }),
    ];
    // As a version did that took the two for one matter.
    await inTransaction(context, async (tx) => {
      for (const leg of legs) await quarantineActivity(context, tx, account, leg);
    });
    const waiting = () => context.db.quarantinedActivity.findMany({ where: { accountId: account.id } });
    expect(await waiting()).toMatchObject([{ settlement: null }, { settlement: null }]);
    expect(await read(await after(legs, () => []))).toMatchObject({ differences: [] });
    expect(await waiting()).toMatchObject([
      { settlement: "BOOKED", settledAt: expect.any(Date) as Date },
      { settlement: "BOOKED", settledAt: expect.any(Date) as Date },
    ]);
    const told = await context.db.logEvent.findMany({
      where: { accountId: account.id, message: { contains: "set aside" } },
    });
    expect(told.map(({ message }) => message).sort()).toEqual(
      [`MA of ${other}`, "MA of SPY"]
        .map((what) => `What the broker reported and was set aside is booked now: ${what}`)
        .sort(),
    );
  });

  it("in a merger for shares becomes so many of the other, at the same cost (M4)", async () => {
    const legs = [
      action({ id: "m1", type: "MA", qty: "-10" }),
      action({ id: "m2", type: "MA", qty: "4", symbol: "NEWCO" }),
    ];
    const cost = async () => {
      const [lot] = await context.db.lot.findMany({ where: { accountId: account.id } });
      return money(lot?.qtyRemaining ?? 0)
        .times(money(lot?.costPrice ?? 0))
        .toDecimalPlaces(2)
        .toFixed();
    };
    const before = await cost();
    expect(await read(await after(legs, (held) => [{ ...held, symbol: "NEWCO", qty: "4" }]))).toMatchObject({
      differences: [],
      haltReason: null,
    });
    expect(await lots()).toEqual(["4 NEWCO"]);
    expect(await cost()).toBe(before);
  });

  it("in a merger for cash is sold for what was paid, and cash stays conserved (M4)", async () => {
    const { cash } = await readCashLedger(context.db, account.id);
    const leg = action({ id: "c1", type: "MA", qty: "-10", netAmount: "6000" });
    const broker = await after([leg], () => []);
    for (let again = 0; again < 2; again += 1)
      expect(await read(broker)).toMatchObject({ differences: [], haltReason: null });
    expect(text((await readCashLedger(context.db, account.id)).cash)).toBe(text(cash.plus(6_000)));
    const [trip] = await context.db.roundTrip.findMany({ where: { accountId: account.id } });
    expect(trip?.closedAt).not.toBeNull();
    expect(text(trip?.exitValue.toString() ?? "")).toBe("6000");
  });

  it("a spin-off is set aside for a person, and halts the account, because shares moved (M4)", async () => {
    const spun = action({ id: "x1", type: "SPIN", qty: "2", symbol: "SPUN" });
    const broker = await after([spun], (held) => [held, { ...held, symbol: "SPUN", qty: "2" }]);
    for (let again = 0; again < 2; again += 1) await read(broker);
    expect(await context.db.quarantinedActivity.findMany({ where: { accountId: account.id } })).toMatchObject([
      { activityId: "x1", type: "SPIN", symbol: "SPUN" },
    ]);
    expect((await read(broker)).haltReason).toMatch(/cannot be booked automatically: SPIN of SPUN/);
    expect(await lots()).toEqual(["10 SPY"]);
  });

  it("cash for a fraction is income; money of an unknown kind is booked and set aside, and halts no account (M4)", async () => {
    const { cash } = await readCashLedger(context.db, account.id);
    const paid = [
      action({ id: "f1", type: "CIL", netAmount: "3.21" }),
      action({ id: "f2", type: "MISC", netAmount: "5", symbol: null }),
    ];
    const broker = await after(paid, (held) => [held]);
    for (let again = 0; again < 2; again += 1) expect(await read(broker)).toMatchObject({ haltReason: null });
    expect(text((await readCashLedger(context.db, account.id)).cash)).toBe(text(cash.plus("8.21")));
    const figures = await context.db.accountFigures.findUniqueOrThrow({ where: { accountId: account.id } });
    expect(text(figures.dividends.toString())).toBe("3.21");
    expect(await context.db.quarantinedActivity.findMany({ where: { accountId: account.id } })).toMatchObject([
      { activityId: "f2" },
    ]);
  });
});
