import { afterEach, beforeEach, expect, it } from "vitest";
import { money, priceTick, text } from "@/lib/domain/money.ts";
import { BOOKS_READ_MS } from "@/lib/domain/protocol/settings.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import { openBench } from "@/lib/proof/fixtures/bench.ts";
import { buyBracket, hastyBroker, protectAll, truthOf, withBroker } from "@/lib/proof/fixtures/orders.ts";
import type { BrokerPosition } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import type { Account } from "../../core/row-types.ts";
import { reconcileAccount } from "../sync/reconcile-account.ts";

let exchange: Exchange;
let context: Context;
let account: Account;
openBench((bench) => ({ exchange, context, account } = bench));
/** 10 SPY whose legs were cancelled by hand. */
beforeEach(async () => {
  await buyBracket(exchange, context, account);
  const [stop] = await context.db.order.findMany({ where: { accountId: account.id, role: "STOP", status: "NEW" } });
  await hastyBroker(account, 5_000).cancel(stop?.brokerOrderId ?? "");
  await reconcileAccount(context, account.id);
});
afterEach(() =>
  context.db.account.updateMany({ data: { deletedAt: new Date(), status: "INACTIVE", sealedKeys: null } }),
);

const sales = () => truthOf(exchange, account).orders.filter(({ side, type }) => side === "sell" && type === "market");
const stops = () => truthOf(exchange, account).orders.filter(({ type, status }) => type === "stop" && status === "new");
const owed = () => context.db.owedStop.findFirst({ where: { accountId: account.id, paidAt: null } });
/** What is due is due now, and has been bare for so long. */
const bareFor = (ms: number) =>
  context.db.owedStop.updateMany({
    where: { accountId: account.id, paidAt: null },
    data: { nextTryAt: null, bareSince: new Date(Date.now() - ms) },
  });

/** The broker's positions, changed. */
function showing(change: (position: BrokerPosition) => Partial<BrokerPosition>): Context {
  const real = hastyBroker(account, 5_000);
  const positions = async () => (await real.positions()).map((position) => ({ ...position, ...change(position) }));
  return withBroker(context, { ...real, positions });
}

const times = (value: string, by: string) => text(money(value).times(by).toDecimalPlaces(9));
/** The broker's shares after a split of four for one. */
const splitShares = () =>
  showing(({ qty, qtyAvailable, currentPrice, avgEntryPrice }) => ({
    ...{ qty: times(qty, "4"), qtyAvailable: times(qtyAvailable, "4") },
    ...{ currentPrice: times(currentPrice, "0.25"), avgEntryPrice: times(avgEntryPrice, "0.25") },
  }));

it("bare shares that the broker has split wait for their booking, and then get a stop of all new shares in their prices", async () => {
  // A target would be sold at once: the exchange itself has not split the shares.
  await context.db.position.updateMany({ where: { accountId: account.id }, data: { targetPrice: "1" } });
  const split = splitShares();
  await protectAll(split);
  expect(await owed()).toMatchObject({
    attempts: 0,
    lastError: "the broker holds another number of shares than the books: they are read first",
  });
  expect(stops()).toEqual([]);
  const { stopPrice } = await context.db.position.findFirstOrThrow({ where: { accountId: account.id } });
  await bareFor(BOOKS_READ_MS);
  await protectAll(split);
  expect(sales()).toEqual([]);
  const atQuarter = priceTick(money(stopPrice ?? "0").div(4), "down");
  const sent = await context.db.intent.findFirst({ where: { accountId: account.id, purpose: "PROTECT" } });
  expect(money(sent?.stopPrice ?? 0).toFixed()).toBe(atQuarter.toFixed());
  // The exchange itself has not split the shares, and takes no stop of more than there are.
  expect(text(sent?.qty.toString() ?? "0")).toBe("40");
});

it("shares that became fewer in a split keep the stop that covers them all, however many the books still count", async () => {
  await protectAll(context);
  const before = stops();
  expect(before).toMatchObject([{ qty: "10" }]);
  await reconcileAccount(context, account.id);
  // As the stream tells of the restated order.
  const stop = { accountId: account.id, role: "STOP", status: "NEW" } as const;
  expect(await context.db.order.updateMany({ where: stop, data: { qty: "1" } })).toEqual({ count: 1 });
  const fewer = showing(({ currentPrice, avgEntryPrice }) => ({
    ...{ qty: "1", qtyAvailable: "0" },
    ...{ currentPrice: times(currentPrice, "10"), avgEntryPrice: times(avgEntryPrice, "10") },
  }));
  await protectAll(fewer);
  await bareFor(BOOKS_READ_MS);
  await protectAll(fewer);
  expect(await owed()).toMatchObject({ lastError: expect.stringContaining("another number of shares") as string });
  expect(stops()).toEqual(before);
});

it("bare shares whose stop the price has passed in prices of the new shares as well are not sold before the split is booked", async () => {
  const price = money((await hastyBroker(account, 5_000).positions())[0]?.currentPrice ?? "0");
  const stopPrice = text(price.times("1.05").toDecimalPlaces(2));
  await context.db.position.updateMany({ where: { accountId: account.id }, data: { stopPrice } });
  const split = splitShares();
  await protectAll(split);
  await bareFor(BOOKS_READ_MS);
  await protectAll(split);
  expect(sales()).toEqual([]);
  expect(stops()).toEqual([]);
});

it("bare shares through their stop wait for a fill that the books do not have yet, and no longer than those take to be read", async () => {
  const price = money((await hastyBroker(account, 5_000).positions())[0]?.currentPrice ?? "0");
  const stopPrice = text(price.times("1.05").toDecimalPlaces(2));
  await context.db.position.updateMany({ where: { accountId: account.id }, data: { stopPrice } });
  const partly = showing(({ qty }) => ({ qty: text(money(qty).minus(4)), qtyAvailable: text(money(qty).minus(4)) }));
  await protectAll(partly);
  expect(sales()).toEqual([]);
  await bareFor(BOOKS_READ_MS);
  await protectAll(partly);
  expect(sales()).toMatchObject([{ qty: "6" }]);
});

it("a fill that the books do not have yet keeps no stop from being placed", async () => {
  await protectAll(showing(({ qty }) => ({ qty: text(money(qty).minus(4)), qtyAvailable: text(money(qty).minus(4)) })));
  expect(stops()).toMatchObject([{ qty: "6" }]);
});
