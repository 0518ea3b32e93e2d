/** Accounts at Alpaca, by keys and by granted access, held against the lists of an exchange in its place. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Exchange } from "@/lib/exchange/start.ts";
import { answerConsent, registerAtStandIn } from "@/lib/proof/fixtures/consent.ts";
import { startTestExchange } from "@/lib/proof/market/test-exchange.ts";
import { db } from "@/lib/server/db.ts";
import type { Context } from "@/lib/server/context.ts";
import { addAccount } from "@/lib/server/services/accounts/add-account.ts";
import { finishConnection } from "@/lib/server/services/accounts/finish-connection.ts";
import { startConnection } from "@/lib/server/services/accounts/start-connection.ts";
import { syncOrders } from "@/lib/server/services/accounts/sync-orders.ts";
import { reconcileAccount } from "@/lib/server/services/sync/reconcile-account.ts";
import { systemContext } from "@/lib/server/system-context.ts";
import { makeSignIn, makeUser } from "@/prisma/factories.ts";
import { compareAlpaca } from "./compare-truth.ts";

let exchange: Exchange;
let byKeys: string;
let byAccess: string;
const context = systemContext("test");

async function someone(): Promise<Context<"user">> {
  const user = await makeUser(db());
  await makeSignIn(db(), user);
  const { id: signInId } = await db().signIn.findFirstOrThrow({ where: { userId: user.id } });
  return { ...context, actor: { kind: "user", userId: user.id, role: "USER", signInId } };
}

beforeAll(async () => {
  exchange = await startTestExchange({ port: 0, livePort: 0, databaseUrl: null, paused: true, seed: 4 });
  await exchange.control.clock({ advanceMinutes: 6 });
  await registerAtStandIn(exchange);
  const [first, second] = [await someone(), await someone()];
  const own = await exchange.control.createAccount({ keys: "alpaca" });
  const terms = { name: "", environment: "PAPER", accountType: "INDIVIDUAL" } as const;
  byKeys = (await addAccount(first, { ...terms, alpacaKey: own.key_id, alpacaSecret: own.secret })).id;
  const granted = await exchange.control.createAccount({ keys: "alpaca" });
  const { authorizeUrl } = await startConnection(second, terms);
  byAccess = (await finishConnection(second, await answerConsent(authorizeUrl, granted.id))).id;
  for (const id of [byKeys, byAccess]) await trade(id);
}, 60_000);
afterAll(() => exchange.close());

const order = {
  symbol: "SPY",
  type: "MARKET",
  timeInForce: "gtc",
  limitPrice: null,
  stopPrice: null,
  takeProfitPrice: null,
  stopLossPrice: null,
} as const;

/** Buys with a bracket, sells some by hand, and leaves an entry resting that is cancelled. */
async function trade(id: string): Promise<void> {
  const broker = context.brokers.forAccount(await db().account.findUniqueOrThrow({ where: { id } }));
  const simple = { ...order, orderClass: "SIMPLE" } as const;
  await broker.submit({ ...simple, clientOrderId: `s-${id}`, side: "BUY", qty: "3" });
  await exchange.control.clock({ advanceMinutes: 2 });
  const currentPrice = Number((await broker.positions())[0]?.currentPrice);
  const bracket = {
    takeProfitPrice: (currentPrice * 1.2).toFixed(2),
    stopLossPrice: (currentPrice * 0.8).toFixed(2),
  };
  const entry = { ...order, ...bracket, orderClass: "BRACKET" } as const;
  await broker.submit({ ...entry, clientOrderId: `b-${id}`, side: "BUY", qty: "5" });
  await exchange.control.clock({ advanceMinutes: 2 });
  const low = (currentPrice * 0.5).toFixed(2);
  const resting = await broker.submit({
    ...simple,
    ...{ type: "LIMIT", limitPrice: low, clientOrderId: `r-${id}`, side: "BUY", qty: "1" },
  });
  if (resting.kind !== "accepted") throw new Error(resting.kind);
  await broker.cancel(resting.order.id);
  await broker.submit({ ...simple, clientOrderId: `x-${id}`, side: "SELL", qty: "2" });
  await exchange.control.clock({ advanceMinutes: 2 });
  await syncOrders(context, { accountId: id });
}

/** The account is read anew at once, as a worker does every half a minute. */
const follow = async (id: string) => void (await reconcileAccount(context, id).catch(() => undefined));
async function compared() {
  const { accounts } = await compareAlpaca(context, follow, 20);
  expect(accounts).toHaveLength(2);
  return accounts;
}
const verdicts = async () => (await compared()).map(({ undecided, differences }) => undecided ?? differences);

it("books that agree with the broker's lists are said to agree, whichever way the account was connected, and nothing is sent", async () => {
  const sent = () => exchange.control.arrivals({}).arrivals.length;
  const before = sent();
  const accounts = await compared();
  expect(accounts.map(({ undecided, differences }) => [undecided, differences])).toEqual([
    [null, []],
    [null, []],
  ]);
  for (const { orders, fills, positions, cash, accountNumber } of accounts) {
    expect({ orders, fills, positions }).toEqual({ orders: 6, fills: 3, positions: 1 });
    expect(Number(cash)).toBeLessThan(100_000);
    expect(accountNumber).toMatch(/^Alpaca PAPER …\w{4}$/);
  }
  expect(sent()).toBe(before);
});

it("each difference is named, of the account that it is in", async () => {
  const lot = await db().lot.findFirstOrThrow({ where: { accountId: byAccess, qtyRemaining: { gt: 1 } } });
  const fill = await db().fill.findFirstOrThrow({ where: { accountId: byAccess, side: "SELL" } });
  const known = await db().order.findFirstOrThrow({ where: { accountId: byAccess, clientOrderId: `r-${byAccess}` } });
  await db().lot.update({ where: { id: lot.id }, data: { qtyRemaining: lot.qtyRemaining.minus(1) } });
  await db().fill.update({ where: { id: fill.id }, data: { price: fill.price.plus(1) } });
  await db().order.update({ where: { id: known.id }, data: { brokerStatus: "new" } });
  // Followed and read, but not put right: what reading the books anew mends is no difference.
  const stamp = async (id: string) =>
    void (await db().account.update({ where: { id }, data: { reconciledAt: context.now() } }));
  const { accounts } = await compareAlpaca(context, stamp, 20);
  expect(accounts.map(({ undecided }) => undecided)).toEqual([null, null]);
  expect(accounts[0]?.differences).toEqual([]);
  expect(accounts[1]?.differences).toEqual([
    "SPY lots: here 5, at the broker 6",
    `order SPY BUY r-${byAccess} status: here new, at the broker canceled`,
    expect.stringMatching(/^money moved by fills: here -\d+\.\d\d, at the broker -\d+\.\d\d$/),
  ]);
  await db().lot.update({ where: { id: lot.id }, data: { qtyRemaining: lot.qtyRemaining } });
  await db().fill.update({ where: { id: fill.id }, data: { price: fill.price } });
  await db().order.update({ where: { id: known.id }, data: { brokerStatus: known.brokerStatus } });
  expect(await verdicts()).toEqual([[], []]);
});

it("an account whose access the broker refuses is not judged, and the other one is", async () => {
  const { brokerAccountId } = await db().account.findUniqueOrThrow({ where: { id: byAccess } });
  const { id } = exchange.control.addFault({ kind: "keys_revoked", account: brokerAccountId, status: 401 });
  const stamp = async (account: string) =>
    void (await db().account.update({ where: { id: account }, data: { reconciledAt: context.now() } }));
  const { accounts } = await compareAlpaca(context, stamp, 20);
  exchange.control.clearFaults(id);
  expect(accounts.map(({ undecided }) => undecided)).toEqual([null, expect.any(String)]);
  expect(accounts.flatMap(({ differences }) => differences)).toEqual([]);
});
