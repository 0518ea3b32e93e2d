import { beforeEach, describe, expect, it } from "vitest";
import type { SideName } from "@/lib/domain/enums.ts";
import { cents, money, sum, text } from "@/lib/domain/money.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import type { Account } from "../../core/row-types.ts";
import type { Broker, BrokerActivity, BrokerPosition } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import { marketData } from "../../providers/market-data-registry.ts";
import { openKeyPair } from "@/lib/proof/fixtures/key-pair.ts";
import { resumeAccount } from "../automation/resume-account.ts";
import { marketMoment } from "../../core/calendar.ts";
import { readBrokerBreaches, readRowBreaches } from "../invariants/read-breaches.ts";
import { openBench } from "@/lib/proof/fixtures/bench.ts";
import {
  ageFills,
  allPass,
  decide,
  hastyBroker,
  plannedOrder,
  truthOf,
  withBroker,
} from "@/lib/proof/fixtures/orders.ts";
import { closeUnknownOrder } from "./close-unknown-order.ts";
import { rebuildPositionBook } from "../ledger/rebuild-position-book.ts";
import { reconcileAccount } from "./reconcile-account.ts";
import { bookWaitingActivity, dismissActivity, listWaitingActivities, previewActivity } from "./settle-activity.ts";
import { submitPlan } from "../orders/submit-plan.ts";
import { previewBrokerBooks, adoptBrokerBooks } from "./adopt-broker-books.ts";
import { inTransaction } from "../../core/transaction.ts";

let exchange: Exchange;
let context: Context;
let account: Account;
let real: Broker;
openBench((bench) => ({ exchange, context, account } = bench), { cash: "1000000", marketData });
beforeEach(async () => {
  real = hastyBroker(account, 5_000);
  await reconcileAccount(context, account.id);
});

let sent = 0;
/** A trade by hand at the exchange; answers the id of its order. */
async function trade(symbol: string, side: SideName, qty: string): Promise<string> {
  sent += 1;
  const prices = { limitPrice: null, stopPrice: null, takeProfitPrice: null, stopLossPrice: null };
  const order = { symbol, side, qty, orderClass: "SIMPLE", type: "MARKET", timeInForce: "day", ...prices } as const;
  const outcome = await real.submit({ clientOrderId: `by-hand-${sent}`, ...order });
  if (outcome.kind !== "accepted") throw new Error(`${side} ${qty} ${symbol}: ${JSON.stringify(outcome)}`);
  await exchange.control.clock({ advanceMinutes: 1 });
  return outcome.order.id;
}

let taken = 0;
/** Symbols that trade and that no other test of this file has had its hands on. */
async function symbols(count: number): Promise<string[]> {
  const { userId, id: accountId, environment, sealedKeys } = account;
  const { keyId, secret } = openKeyPair(sealedKeys ?? "", { userId, accountId, environment });
  const headers = { "APCA-API-KEY-ID": keyId, "APCA-API-SECRET-KEY": secret };
  const answer = await fetch(`${exchange.url}/v2/assets?status=active`, { headers });
  const assets = (await answer.json()) as { symbol: string; tradable: boolean }[];
  const tradable = assets.filter((asset) => asset.tradable && asset.symbol !== "SPY").map(({ symbol }) => symbol);
  taken += count;
  return tradable.slice(taken - count, taken);
}

async function nextSession(): Promise<void> {
  const { today, calendar } = await marketMoment(context, "PRACTICE");
  const next = calendar.find(({ session }) => session > (today?.session ?? ""));
  await exchange.control.clock({ jumpTo: next?.session ?? "" });
  await exchange.control.clock({ advanceMinutes: 6 });
}

/** The broker with these orders and their executions left out of every list: it holds what came of them all the same. */
function silentAbout(hidden: ReadonlySet<string>): Broker {
  return {
    ...real,
    executionsSince: async (since) => (await real.executionsSince(since)).filter(({ orderId }) => !hidden.has(orderId)),
    ordersSince: async (since) => (await real.ordersSince(since)).filter(({ id }) => !hidden.has(id)),
    openOrders: async () => (await real.openOrders()).filter(({ id }) => !hidden.has(id)),
    order: async (id) => (hidden.has(id) ? null : real.order(id)),
    orderByClientId: async (id) => {
      const found = await real.orderByClientId(id);
      return found && hidden.has(found.id) ? null : found;
    },
  };
}

const haltReason = async () => (await context.db.account.findUniqueOrThrow({ where: { id: account.id } })).haltReason;
const figures = () => context.db.accountFigures.findUniqueOrThrow({ where: { accountId: account.id } });
const audits = (eventType: string) =>
  context.db.auditEvent.findMany({ where: { subjectUserId: account.userId, eventType } });

/** Nothing is broken, and equity is what our own books explain, to the cent (I3, I4, I5, I21, I25). */
async function expectWholeBooks(on: Context, broker: Broker): Promise<void> {
  expect(await readRowBreaches(on, account.id)).toEqual([]);
  expect((await readBrokerBreaches(on, account.id, broker)).breaches).toEqual([]);
  const { equity } = await broker.account();
  const kept = await figures();
  const lots = await on.db.lot.findMany({ where: { accountId: account.id, qtyRemaining: { gt: 0 } } });
  const explained = sum([
    money(kept.netDeposits),
    money(kept.realizedPnl),
    money(kept.dividends),
    money(kept.fees).negated(),
    ...(await broker.positions()).map(({ marketValue }) => money(marketValue)),
    ...lots.map((lot) => money(lot.qtyRemaining).times(money(lot.costPrice)).negated()),
  ]);
  expect(text(cents(explained))).toBe(text(cents(money(equity))));
}

describe("taking over the broker's books", () => {
  it("ends a difference of positions and cash as it was shown, without profit or loss, and the account resumes", async () => {
    const [more = "", fresh = "", less = ""] = await symbols(3);
    await trade(more, "BUY", "10");
    await trade(less, "BUY", "10");
    await reconcileAccount(context, account.id);
    await ageFills(context, account);
    const hidden = new Set([
      await trade(more, "BUY", "5"),
      await trade(fresh, "BUY", "7"),
      await trade(less, "SELL", "4"),
    ]);
    const broker = silentAbout(hidden);
    const on = withBroker(context, broker);
    expect((await reconcileAccount(on, account.id)).haltReason).toMatch(/^Positions differ/);

    const preview = await previewBrokerBooks(on, { accountId: account.id });
    expect(preview.adjustments.map(({ symbol, ours, theirs, side, qty }) => [symbol, ours, theirs, side, qty])).toEqual(
      [
        [more, "10", "15", "BUY", "5"],
        [fresh, "0", "7", "BUY", "7"],
        [less, "10", "6", "SELL", "4"],
      ].sort((a, b) => ((a[0] ?? "") < (b[0] ?? "") ? -1 : 1)),
    );
    const asked = { accountId: account.id, hash: preview.hash };
    await expect(adoptBrokerBooks(on, { ...asked, reason: "" })).rejects.toMatchObject({ code: "invalid_input" });
    await expect(adoptBrokerBooks(on, { ...asked, hash: "000000000000", reason: "checked" })).rejects.toThrow(
      /changed since that preview/,
    );
    const before = await figures();
    const { reconciled } = await adoptBrokerBooks(on, { ...asked, reason: "The broker confirmed it by phone." });
    expect(reconciled).toMatchObject({ differences: [], corrections: 0 });
    await expectWholeBooks(on, broker);
    expect(text((await figures()).realizedPnl.toString())).toBe(text(before.realizedPnl.toString()));
    const truth = truthOf(exchange, account);
    const positions = await context.db.position.findMany({
      where: { accountId: account.id },
      orderBy: { symbol: "asc" },
    });
    expect(positions.map(({ symbol, qty }) => `${symbol} ${text(qty.toString())}`)).toEqual(
      truth.positions.map(({ symbol, qty }) => `${symbol} ${qty}`).sort(),
    );
    const [audit] = await audits("BROKER_BOOKS_TAKEN");
    expect(audit?.data).toMatchObject({ hash: preview.hash, cash: preview.cash, adjustments: preview.adjustments });

    await expect(adoptBrokerBooks(on, { ...asked, reason: "again" })).rejects.toMatchObject({ code: "conflict" });
    expect(await haltReason()).not.toBeNull();
    expect(await resumeAccount(on, { id: account.id, reason: "books agree" })).toMatchObject({ isResumed: true });
    expect(await reconcileAccount(on, account.id)).toMatchObject({ differences: [], corrections: 0, haltReason: null });
  });

  it("books nothing that moved since the preview", async () => {
    const [symbol = ""] = await symbols(1);
    const hidden = new Set([await trade(symbol, "BUY", "5")]);
    const on = withBroker(context, silentAbout(hidden));
    const { hash } = await previewBrokerBooks(on, { accountId: account.id });
    hidden.add(await trade(symbol, "BUY", "1"));
    await expect(adoptBrokerBooks(on, { accountId: account.id, hash, reason: "checked" })).rejects.toThrow(
      /changed since that preview/,
    );
    expect(await context.db.fill.count({ where: { accountId: account.id } })).toBe(0);
  });

  it("is for administrators alone", async () => {
    const actor = { kind: "user", userId: account.userId, role: "USER", signInId: "test" } as const;
    const attempt = previewBrokerBooks({ ...context, actor }, { accountId: account.id });
    await expect(attempt).rejects.toMatchObject({ code: "forbidden" });
  });
});

/** Bought before the day of the corporate action. */
async function held(symbol: string): Promise<void> {
  await trade(symbol, "BUY", "10");
  await reconcileAccount(context, account.id);
  await nextSession();
  await reconcileAccount(context, account.id);
  await ageFills(context, account);
}
const waitingIds = async () =>
  (await listWaitingActivities(context))
    .filter(({ accountId }) => accountId === account.id)
    .map(({ activityId }) => activityId);
const nothingMore = { source: null, costShares: {} };

/** Lots and round trips, in comparable words. */
async function bookOf(symbol: string) {
  const where = { accountId: account.id, symbol };
  const [lots, trips] = await Promise.all([
    context.db.lot.findMany({ where, orderBy: { sequence: "asc" } }),
    context.db.roundTrip.findMany({ where, orderBy: { openedAt: "asc" } }),
  ]);
  const plain = (value: { toString(): string }) => text(value.toString());
  return {
    lots: lots.map(({ qtyRemaining, costPrice }) => `${plain(qtyRemaining)} at ${plain(costPrice)}`),
    trips: trips.map(({ qtyBought, qtySold, entryValue, exitValue, pnl, outcome }) => ({
      figures: [qtyBought, qtySold, entryValue, exitValue, pnl].map(plain),
      outcome,
    })),
  };
}

describe("an activity that waited for a person", () => {
  it("a spin-off shares the cost as the broker does, is booked once, and outlives a rebuilding of the book", async () => {
    const [parent = "", child = ""] = await symbols(2);
    await held(parent);
    const spin = { kind: "spin_off", symbol: parent, newSymbol: child, ratio: "0.5", costShare: "0.2" } as const;
    await exchange.control.venueActions.applyCorporateAction(spin);
    expect((await reconcileAccount(context, account.id)).haltReason).toMatch(/cannot be booked automatically: SPIN/);
    const choice = { accountId: account.id, activityIds: await waitingIds(), ...nothingMore };
    await expect(previewActivity(context, choice)).rejects.toThrow(/--source/);
    const { hash, incoming } = await previewActivity(context, { ...choice, source: parent });
    expect(incoming.map(({ symbol, qty, costShare }) => [symbol, qty, money(costShare).toFixed(6)])).toEqual([
      [child, "5", "0.200000"],
    ]);
    const given = { ...choice, source: parent, hash, reason: "as the issuer's form says" };
    const { reconciled } = await bookWaitingActivity(context, given);
    expect(reconciled.differences).toEqual([]);
    await expectWholeBooks(context, real);
    for (const { symbol, qty, avg_entry_price } of truthOf(exchange, account).positions) {
      const position = await context.db.position.findFirstOrThrow({ where: { accountId: account.id, symbol } });
      expect(text(position.qty.toString())).toBe(qty);
      expect(text(cents(money(position.avgEntryPrice)))).toBe(text(cents(money(avg_entry_price))));
    }
    const [before, born] = [await bookOf(parent), await bookOf(child)];
    for (const symbol of [parent, child])
      await inTransaction(context, (tx) => rebuildPositionBook(context, tx, account.id, symbol));
    expect([await bookOf(parent), await bookOf(child)]).toEqual([before, born]);
    await expectWholeBooks(context, real);
    expect(await waitingIds()).toEqual([]);
    await expect(bookWaitingActivity(context, given)).rejects.toMatchObject({ code: "not_found" });
    expect(await audits("ACTIVITY_BOOKED")).toHaveLength(1);
    expect(await resumeAccount(context, { id: account.id, reason: "booked" })).toMatchObject({ isResumed: true });
    await trade(child, "SELL", "5");
    await trade(parent, "SELL", "10");
    expect(await reconcileAccount(context, account.id)).toMatchObject({ differences: [], haltReason: null });
    await expectWholeBooks(context, real);
  });

  it("a removal without money realises the loss", async () => {
    const [symbol = ""] = await symbols(1);
    await held(symbol);
    await exchange.control.venueActions.applyCorporateAction({ kind: "cash_merger", symbol, cash: "0" });
    await reconcileAccount(context, account.id);
    const choice = { accountId: account.id, activityIds: await waitingIds(), ...nothingMore };
    const { hash, removed, costHeld } = await previewActivity(context, choice);
    expect(removed).toEqual({ qty: "10", proceeds: "0" });
    await bookWaitingActivity(context, { ...choice, hash, reason: "worthless" });
    await expectWholeBooks(context, real);
    expect(text((await figures()).realizedPnl.toString())).toBe(text(money(costHeld).negated()));
    expect((await bookOf(symbol)).trips).toMatchObject([{ outcome: "LOSS" }]);
    expect(await resumeAccount(context, { id: account.id, reason: "booked" })).toMatchObject({ isResumed: true });
  });

  it("a merger of three legs and money sells what is left of the cost", async () => {
    const [old = "", first = "", second = ""] = await symbols(3);
    await held(old);
    const { now } = await real.clock();
    const leg = (id: string, symbol: string, qty: string, netAmount = "0"): BrokerActivity => ({
      id: `${account.id}-${id}`,
      type: "MA",
      symbol,
      qty,
      netAmount,
      date: now.slice(0, 10),
    });
    const [position] = await real.positions();
    if (!position) throw new Error("nothing is held");
    const balances = await real.account();
    const cash = money(balances.cash).plus(50).toFixed();
    const now10 = (symbol: string, qty: string): BrokerPosition => ({ ...position, symbol, qty, marketValue: "100" });
    const broker: Broker = {
      ...real,
      activitiesSince: () => Promise.resolve([leg("1", old, "-10", "50"), leg("2", first, "4"), leg("3", second, "2")]),
      positions: () => Promise.resolve([now10(first, "4"), now10(second, "2")]),
      account: () => Promise.resolve({ ...balances, cash, equity: money(cash).plus(200).toFixed() }),
    };
    const on = withBroker(context, broker);
    await reconcileAccount(on, account.id);
    const choice = {
      accountId: account.id,
      activityIds: await waitingIds(),
      source: null,
      costShares: { [first]: "0.6", [second]: "0.3" },
    };
    expect(choice.activityIds).toHaveLength(3);
    const { hash, costHeld } = await previewActivity(on, choice);
    const { reconciled } = await bookWaitingActivity(on, { ...choice, hash, reason: "by the terms" });
    expect(reconciled.differences).toEqual([]);
    await expectWholeBooks(on, broker);
    const realised = money(50).minus(money(costHeld).times("0.1"));
    expect(text(cents(money((await figures()).realizedPnl)))).toBe(text(cents(realised)));
  });

  it("is dismissed with a reason and stays so; the difference is ended another way", async () => {
    const [parent = "", child = ""] = await symbols(2);
    await held(parent);
    const spin = { kind: "spin_off", symbol: parent, newSymbol: child, ratio: "1" } as const;
    await exchange.control.venueActions.applyCorporateAction(spin);
    await reconcileAccount(context, account.id);
    const accountId = account.id;
    const activityIds = await waitingIds();
    await expect(previewBrokerBooks(context, { accountId })).rejects.toThrow(/book or dismiss it first/);
    await dismissActivity(context, { accountId, activityIds, reason: "booked as a difference" });
    const { hash } = await previewBrokerBooks(context, { accountId });
    await adoptBrokerBooks(context, { accountId, hash, reason: "spin-off without cost" });
    await resumeAccount(context, { id: accountId, reason: "books agree" });
    expect(await reconcileAccount(context, accountId)).toMatchObject({ differences: [], haltReason: null });
    expect(await waitingIds()).toEqual([]);
    await expectWholeBooks(context, real);
    expect(await audits("ACTIVITY_DISMISSED")).toHaveLength(1);
  });
});

describe("a working order that the broker does not know", () => {
  async function resting() {
    const order = plannedOrder({
      symbol: "SPY",
      type: "LIMIT",
      timeInForce: "gtc",
      limitPrice: "1",
      decisionPrice: "1",
    });
    const decisionId = await decide(context, account, [order]);
    const [leg] = await submitPlan(context, { decisionId, epoch: 0, regate: allPass });
    if (leg?.status !== "LIVE") throw new Error(`the order is ${leg?.status ?? "lost"}: ${leg?.reason ?? ""}`);
    const row = await context.db.order.findFirstOrThrow({ where: { accountId: account.id } });
    return { row, on: withBroker(context, silentAbout(new Set([row.brokerOrderId]))) };
  }
  const close = (on: Context, clientOrderId: string) =>
    closeUnknownOrder(on, { accountId: account.id, clientOrderId, reason: "checked" }, { betweenReadingsMs: 10 });
  const age = (id: string) =>
    context.db.order.update({ where: { id }, data: { createdAt: new Date(Date.now() - 3_600_000) } });

  const missingFor = (id: string, minutes: number) =>
    context.db.order.update({
      where: { id, missingSince: { not: null } },
      data: { missingSince: new Date(Date.now() - minutes * 60_000) },
    });

  it("is closed as cancelled, and the account resumes", async () => {
    const { row, on } = await resting();
    await expect(close(on, row.clientOrderId)).rejects.toThrow(/younger than ten minutes/);
    await age(row.id);
    // One reading that misses an order of long ago says nothing; nor do two with one between that names it.
    expect((await reconcileAccount(on, account.id)).haltReason).toBeNull();
    await missingFor(row.id, 11);
    await reconcileAccount(context, account.id);
    expect((await reconcileAccount(on, account.id)).haltReason).toBeNull();
    await missingFor(row.id, 11);
    expect((await reconcileAccount(on, account.id)).haltReason).toMatch(/does not know our orders/);
    expect(await close(on, row.clientOrderId)).toEqual({ closed: [row.clientOrderId] });
    expect(await context.db.order.findUnique({ where: { id: row.id } })).toMatchObject({ status: "CANCELED" });
    expect(await context.db.intent.findUnique({ where: { id: row.intentId ?? "" } })).toMatchObject({
      status: "CANCELED",
    });
    expect(await readRowBreaches(on, account.id)).toEqual([]);
    expect(await audits("ORDER_CLOSED_UNKNOWN")).toHaveLength(1);
    expect(await resumeAccount(on, { id: account.id, reason: "closed" })).toMatchObject({ isResumed: true });
    // The broker reports it after all: the report counts.
    await reconcileAccount(context, account.id);
    expect(await context.db.order.findUnique({ where: { id: row.id } })).toMatchObject({ status: "NEW" });
    expect(await context.db.intent.findUnique({ where: { id: row.intentId ?? "" } })).toMatchObject({ status: "LIVE" });
  });

  it("that the broker knows, or that may have filled, is not closed", async () => {
    const { row, on } = await resting();
    await age(row.id);
    await expect(close(context, row.clientOrderId)).rejects.toThrow(/The broker knows the order/);
    const [held] = await silentPositions();
    const filled = withBroker(context, { ...on.brokers.forAccount(account), positions: () => Promise.resolve([held]) });
    await expect(close(filled, row.clientOrderId)).rejects.toThrow(/Positions differ/);
    expect(await context.db.order.findUnique({ where: { id: row.id } })).toMatchObject({ status: "NEW" });
  });

  /** As the broker would list what the order bought. */
  async function silentPositions(): Promise<[BrokerPosition]> {
    const price = { avgEntryPrice: "1", currentPrice: "1", marketValue: "10" };
    const gain = { unrealizedPnl: "0", unrealizedPnlPercent: "0" };
    return Promise.resolve([{ symbol: "SPY", qty: "10", qtyAvailable: "10", ...price, ...gain }]);
  }
});
