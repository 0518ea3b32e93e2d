import { beforeEach, describe, expect, it } from "vitest";
import type { SideName } from "@/lib/domain/enums.ts";
import { text } from "@/lib/domain/money.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import type { Account } from "../../core/row-types.ts";
import type { Broker, BrokerExecution, BrokerOrder, TradeUpdate } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import { openBench } from "@/lib/proof/fixtures/bench.ts";
import { ageFills, buyBracket, hastyBroker, openAccount, withBroker } from "@/lib/proof/fixtures/orders.ts";
import { inTransaction, lockAccount } from "../../core/transaction.ts";
import { recordExecution } from "../orders/record-execution.ts";
import { recordOrder } from "../orders/record-order.ts";
import { streamAccount } from "./stream-account.ts";
import { reconcileAccount } from "./reconcile-account.ts";

let exchange: Exchange;
let context: Context;
let account: Account;
openBench((bench) => ({ exchange, context, account } = bench));

/** A broker that reports orders and executions as scripted, and everything else as the exchange does. */
interface Script {
  orders: BrokerOrder[];
  executions: BrokerExecution[];
}

async function scripted(script: Script): Promise<Broker> {
  const broker = hastyBroker(account, 5_000);
  const { now } = await broker.clock();
  const held = () => {
    const sum = (side: string) =>
      script.executions.filter((each) => each.side === side).reduce((total, each) => total + Number(each.qty), 0);
    return sum("BUY") - sum("SELL");
  };
  return {
    ...broker,
    clock: async () => ({ ...(await broker.clock()), now: new Date(Date.parse(now) + 60_000).toISOString() }),
    ordersSince: () => Promise.resolve(script.orders),
    openOrders: () => Promise.resolve([]),
    order: (id) => Promise.resolve(script.orders.find((order) => order.id === id) ?? null),
    executionsSince: (since) => Promise.resolve(script.executions.filter(({ at }) => since === null || at > since)),
    positions: () =>
      Promise.resolve(
        held() === 0
          ? []
          : [
              {
                symbol: "SPY",
                qty: String(held()),
                qtyAvailable: String(held()),
                avgEntryPrice: "10",
                currentPrice: "12",
                marketValue: "0",
                unrealizedPnl: "0",
                unrealizedPnlPercent: "0",
              },
            ],
      ),
  };
}

let startMs: number;
beforeEach(async () => {
  startMs = Date.parse((await hastyBroker(account, 5_000).clock()).now);
});
const at = (seconds: number) => new Date(startMs + seconds * 1_000).toISOString();

function order(id: string, side: SideName, filledQty: string, price: string, seconds: number): BrokerOrder {
  return {
    id: `00000000-0000-4000-8000-00000000000${id}`,
    clientOrderId: `by-hand-${id}`,
    symbol: "SPY",
    side,
    orderClass: "SIMPLE",
    type: "MARKET",
    timeInForce: "day",
    qty: "10",
    notional: null,
    limitPrice: null,
    stopPrice: null,
    status: filledQty === "10" ? "FILLED" : "CANCELED",
    brokerStatus: filledQty === "10" ? "filled" : "canceled",
    filledQty,
    filledAvgPrice: filledQty === "0" ? null : price,
    submittedAt: at(seconds),
    updatedAt: at(seconds + 1),
    filledAt: filledQty === "10" ? at(seconds + 1) : null,
    endedAt: filledQty === "10" ? null : at(seconds + 1),
    replacedById: null,
    legs: [],
  };
}
function execution(
  of: BrokerOrder,
  cumulativeQty: string,
  qty: string,
  price: string,
  seconds: number,
): BrokerExecution {
  return { orderId: of.id, cumulativeQty, qty, price, side: of.side, symbol: "SPY", at: at(seconds) };
}

/** Everything the books say of the account, in comparable words. */
async function books() {
  const where = { accountId: account.id };
  const { db } = context;
  const [fills, lots, closures, trips, figures, position, orders] = await Promise.all([
    db.fill.findMany({ where, orderBy: { at: "asc" } }),
    db.lot.findMany({ where, orderBy: { sequence: "asc" } }),
    db.lotClosure.findMany({ where: { lot: where }, orderBy: [{ at: "asc" }, { realizedPnl: "asc" }] }),
    db.roundTrip.findMany({ where, orderBy: { openedAt: "asc" } }),
    db.accountFigures.findUniqueOrThrow({ where }),
    db.position.findFirst({ where }),
    db.order.findMany({ where, orderBy: { submittedAt: "asc" } }),
  ]);
  const plain = (value: { toString(): string } | null) => (value === null ? null : text(value.toString()));
  return {
    fills: fills.map((fill) => `${fill.side} ${plain(fill.qty) ?? ""} at ${plain(fill.price) ?? ""}`),
    lots: lots.map(
      (lot) => `${plain(lot.qtyRemaining) ?? ""} of ${plain(lot.qtyOpened) ?? ""} at ${plain(lot.costPrice) ?? ""}`,
    ),
    closures: closures.map((closure) => `${plain(closure.qty) ?? ""}: ${plain(closure.realizedPnl) ?? ""}`),
    trips: trips.map((trip) => [trip.outcome, plain(trip.pnl), plain(trip.qtyBought), plain(trip.qtySold)]),
    figures: {
      realizedPnl: plain(figures.realizedPnl),
      totalVolume: plain(figures.totalVolume),
      tradeCount: figures.tradeCount,
      trips: [figures.winningTrips, figures.losingTrips, figures.scratchTrips],
    },
    position: position && [plain(position.qty), plain(position.avgEntryPrice)],
    filled: orders.map((row) => [plain(row.filledQty), plain(row.filledAvgPrice), plain(row.filledValue)]),
  };
}

/** A purchase in two executions, and the sale of all of it with a profit of 20 + 0. */
function boughtAndSold(): Script {
  const buy = order("1", "BUY", "10", "10", 0);
  const sale = order("2", "SELL", "10", "12", 10);
  return {
    orders: [buy, sale],
    executions: [
      execution(buy, "4", "4", "10", 1),
      execution(buy, "10", "6", "10", 2),
      execution(sale, "10", "10", "12", 11),
    ],
  };
}
const read = async (script: Script) => reconcileAccount(withBroker(context, await scripted(script)), account.id);

describe("an execution that the broker corrects", () => {
  it("in its price is corrected here, with lots, round trip and figures, audited and notified (B20)", async () => {
    const script = boughtAndSold();
    await read(script);
    expect((await books()).figures).toMatchObject({ realizedPnl: "20", trips: [1, 0, 0] });
    await ageFills(context, account);
    const [buy] = script.orders;
    if (!buy) throw new Error("no order");
    script.executions[1] = execution(buy, "10", "6", "15", 2);
    script.orders[0] = { ...buy, filledAvgPrice: "13" };
    expect(await read(script)).toMatchObject({ corrections: 1, differences: [], haltReason: null });
    expect(await books()).toMatchObject({
      fills: ["BUY 4 at 10", "BUY 6 at 15", "SELL 10 at 12"],
      closures: ["6: -18", "4: 8"],
      trips: [["LOSS", "-10", "10", "10"]],
      figures: { realizedPnl: "-10", totalVolume: "250", tradeCount: 2, trips: [0, 1, 0] },
      filled: [
        ["10", "13", "130"],
        ["10", "12", "120"],
      ],
    });
    const [audit] = await context.db.auditEvent.findMany({
      where: { subjectUserId: account.userId, eventType: "EXECUTION_CORRECTED" },
    });
    expect(audit?.data).toMatchObject({ before: ["4 at 10", "6 at 10"], after: ["4 at 10", "6 at 15"] });
    const logged = await context.db.logEvent.findMany({ where: { accountId: account.id, level: "warn" } });
    expect(logged.map(({ message }) => message)).toEqual([
      "The broker corrected a purchase of SPY: 4 at $10.00, 6 at $10.00 became 4 at $10.00, 6 at $15.00",
    ]);
    expect(await read(script)).toMatchObject({ corrections: 0, executions: 0 });
  });

  it("after a change of its symbol is corrected in the book that took the shares over", async () => {
    const script = boughtAndSold();
    await read(script);
    await ageFills(context, account);
    const renamed = { where: { accountId: account.id }, data: { symbol: "SPYX" } };
    const { fill, lot, roundTrip } = context.db;
    await Promise.all([fill.updateMany(renamed), lot.updateMany(renamed), roundTrip.updateMany(renamed)]);
    const [buy] = script.orders;
    if (!buy) throw new Error("no order");
    script.executions.splice(1, 1, execution(buy, "7", "3", "15", 2), execution(buy, "10", "3", "15", 3));
    script.orders[0] = { ...buy, filledAvgPrice: "13" };
    expect(await read(script)).toMatchObject({ corrections: 1, differences: [], haltReason: null });
    const { trips, figures } = await books();
    expect(trips).toEqual([["LOSS", "-10", "10", "10"]]);
    expect(figures).toEqual({ realizedPnl: "-10", totalVolume: "250", tradeCount: 2, trips: [0, 1, 0] });
    expect(new Set((await fill.findMany({ where: renamed.where })).map(({ symbol }) => symbol))).toEqual(
      new Set(["SPYX"]),
    );
  });

  it("in its quantity is reported again under another id, and is counted once (B20)", async () => {
    const script = boughtAndSold();
    const [buy] = script.orders;
    if (!buy) throw new Error("no order");
    script.orders = [buy];
    script.executions = script.executions.slice(0, 2);
    await read(script);
    await ageFills(context, account);
    script.orders = [{ ...order("1", "BUY", "9", "10", 0), updatedAt: at(30) }];
    script.executions[1] = execution(buy, "9", "5", "10", 2);
    expect(await read(script)).toMatchObject({ corrections: 1, differences: [], haltReason: null });
    expect(await books()).toMatchObject({
      fills: ["BUY 4 at 10", "BUY 5 at 10"],
      lots: ["4 of 4 at 10", "5 of 5 at 10"],
      position: ["9", "10"],
      figures: { totalVolume: "90", tradeCount: 1 },
      filled: [["9", "10", "90"]],
    });
  });

  it("busted whole leaves the books as if it had never been (B20)", async () => {
    const script = boughtAndSold();
    const [buy, sale] = script.orders;
    if (!buy || !sale) throw new Error("no order");
    await read({ orders: [buy], executions: script.executions.slice(0, 2) });
    const before = await books();
    await read(script);
    await ageFills(context, account);
    const busted = { ...order("2", "SELL", "0", "12", 10), updatedAt: at(40) };
    expect(await read({ orders: [buy, busted], executions: script.executions.slice(0, 2) })).toMatchObject({
      corrections: 1,
      differences: [],
      haltReason: null,
    });
    const after = await books();
    expect(after).toEqual({ ...before, filled: [...before.filled, ["0", null, "0"]] });
  });

  it("is not believed while the order itself says otherwise: a late list takes nothing back (B20)", async () => {
    const script = boughtAndSold();
    await read(script);
    const before = await books();
    await ageFills(context, account);
    const broker = await scripted(script);
    const late = { ...broker, executionsSince: () => Promise.resolve(script.executions.slice(0, 1)) };
    expect(await reconcileAccount(withBroker(context, late), account.id)).toMatchObject({ corrections: 0 });
    expect(await books()).toEqual(before);
  });

  it("is corrected as soon as the stream reports it, however old it is (B20)", async () => {
    const script = boughtAndSold();
    await read(script);
    const [buy] = script.orders;
    if (!buy) throw new Error("no order");
    const broker = await scripted(script);
    let emit: ((update: TradeUpdate) => void) | undefined;
    const following = streamAccount(
      withBroker(context, {
        ...broker,
        tradeUpdates: ({ onUpdate }) => {
          emit = onUpdate;
          return { close: () => undefined };
        },
      }),
      account,
      () => undefined,
    );
    script.executions[1] = execution(buy, "10", "6", "9", 2);
    script.orders[0] = { ...buy, filledAvgPrice: "9.4", updatedAt: at(50) };
    emit?.({ event: "trade_correct", at: at(50), order: script.orders[0], execution: null });
    await expect.poll(async () => (await books()).figures.realizedPnl, { timeout: 10_000 }).toBe("26");
    following.close();
  });

  it("keeps the plan's memory of a position that is still open", async () => {
    await buyBracket(exchange, context, account);
    const where = { accountId_symbol: { accountId: account.id, symbol: "SPY" } };
    await context.db.position.update({ where, data: { stopPrice: "123.45" } });
    const before = await context.db.position.findUniqueOrThrow({ where });
    await ageFills(context, account);
    const broker = hastyBroker(account, 5_000);
    const corrected = {
      ...broker,
      executionsSince: async (since: string | null) =>
        (await broker.executionsSince(since)).map((each) => ({ ...each, price: "100" })),
    };
    expect(await reconcileAccount(withBroker(context, corrected), account.id)).toMatchObject({ corrections: 1 });
    const after = await context.db.position.findUniqueOrThrow({ where });
    expect(text(after.avgEntryPrice.toString())).toBe("100");
    const { strategy, review, openedAt, targetPrice, stopPrice } = before;
    expect(after).toMatchObject({ strategy, review, openedAt, targetPrice, stopPrice });
    const [trip] = await context.db.roundTrip.findMany({ where: { accountId: account.id } });
    expect(trip).toMatchObject({
      strategy: "MOMENTUM",
      regime: "risk_on",
      entryReason: "entry_momentum",
      closedAt: null,
    });
  });
});

describe("executions reported in another order than they happened", () => {
  it("make the same books as in market order: first in, first out by market time (B20)", async () => {
    const [first, second, sale] = [
      order("1", "BUY", "10", "10", 0),
      order("2", "BUY", "10", "20", 5),
      order("3", "SELL", "10", "30", 10),
    ];
    const reports: [BrokerOrder, BrokerExecution][] = [
      [first, execution(first, "10", "10", "10", 1)],
      [second, execution(second, "10", "10", "20", 6)],
      [sale, execution(sale, "10", "10", "30", 11)],
    ];
    const hear = async (sequence: number[]) => {
      for (const index of sequence) {
        const [reported, filled] = reports[index] ?? [];
        if (!reported || !filled) throw new Error("no such report");
        await inTransaction(context, async (tx) => {
          const locked = await lockAccount(tx, account.id);
          await recordOrder(context, tx, locked, reported);
          await recordExecution(context, tx, locked, filled, "STREAM");
        });
      }
      return books();
    };
    const inOrder = await hear([0, 1, 2]);
    expect(inOrder).toMatchObject({ closures: ["10: 200"], lots: ["0 of 10 at 10", "10 of 10 at 20"] });
    for (const sequence of [
      [1, 0, 2],
      [1, 2, 0],
    ]) {
      account = await openAccount(context);
      expect(await hear(sequence)).toEqual(inOrder);
    }
  });
});
