import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import type { tradesApi } from "@/lib/contracts/trades.ts";
import { GATE_CODES } from "@/lib/domain/gates/gates.ts";
import { slippageBps } from "@/lib/domain/metrics.ts";
import { money, sum } from "@/lib/domain/money.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import { db } from "@/lib/server/db.ts";
import { look, openTrader, startMarketDay } from "@/lib/proof/fixtures/cycles.ts";
import { ensureFlags } from "@/lib/server/services/flags/ensure-flags.ts";
import { syncOrders } from "@/lib/server/services/accounts/sync-orders.ts";
import { systemContext } from "@/lib/server/system-context.ts";
import { makeSignIn, makeUser } from "@/prisma/factories.ts";
import * as adminTrade from "../admin/all-trades/[id]/route.ts";
import { callDoor } from "@/lib/proof/call-door.ts";
import * as one from "./[id]/route.ts";
import * as list from "./route.ts";

let exchange: Exchange;
let token: string;
let stranger: string;
let admin: string;

/** An account that decides, buys and is protected by a real exchange; one purchase is sold again. */
beforeAll(async () => {
  exchange = await startMarketDay();
  const context = systemContext("test");
  await ensureFlags(context);
  const { user, accountId } = await openTrader(context);
  token = await makeSignIn(db(), user);
  stranger = await makeSignIn(db(), await makeUser(db()));
  admin = await makeSignIn(db(), await makeUser(db(), { role: "ADMIN" }));
  const follow = async (minutes: number) => {
    await exchange.control.clock({ advanceMinutes: minutes });
    await syncOrders(context, { accountId });
  };
  await look(exchange, context, 7);
  await follow(5);
  // Closed by hand at the broker: its legs first, then what is held.
  const [held] = await db().position.findMany();
  if (!held) throw new Error("nothing was bought");
  const broker = context.brokers.forAccount(await db().account.findUniqueOrThrow({ where: { id: accountId } }));
  const legs = await db().order.findMany({ where: { symbol: held.symbol, parentId: { not: null } } });
  for (const { brokerOrderId } of legs) await broker.cancel(brokerOrderId);
  // The account is not followed in between: its shares would get their stop back.
  await exchange.control.clock({ advanceMinutes: 1 });
  await broker.submit({
    clientOrderId: `by-hand-${randomUUID()}`,
    symbol: held.symbol,
    side: "SELL",
    qty: held.qty.toString(),
    orderClass: "SIMPLE",
    type: "MARKET",
    timeInForce: "day",
    limitPrice: null,
    stopPrice: null,
    takeProfitPrice: null,
    stopLossPrice: null,
  });
  await follow(2);
  await follow(2);
}, 120_000);

afterAll(() => exchange.close());

type Detail = Answer<typeof tradesApi.read>;

const read = (id: string, as = token) => callDoor(one, "GET", { token: as, params: { id } });
const detail = async (id: string) => (await read(id)).json?.data as unknown as Detail;

async function trades(query: string) {
  const { json } = await callDoor(list, "GET", { token, query });
  return (json?.data as unknown as Answer<typeof tradesApi.list>).trades;
}

async function soldTrade(): Promise<Detail> {
  const [sale] = await trades("side=SELL&status=FILLED");
  if (!sale) throw new Error("nothing was sold");
  return detail(sale.id);
}

async function entryOf(symbol: string): Promise<Detail> {
  const [entry] = await trades(`symbol=${symbol}&side=BUY`);
  if (!entry) throw new Error(`no ${symbol} was bought`);
  return detail(entry.id);
}

it("an entry tells the decision, its scores, and the gates at both moments", async () => {
  const { symbol } = await soldTrade();
  const trade = await entryOf(symbol);
  const order = await db().order.findUniqueOrThrow({
    where: { id: trade.id },
    include: { intent: { include: { decision: true } } },
  });
  expect(trade).toMatchObject({
    isOwn: true,
    symbol,
    status: "FILLED",
    order: { origin: "OURS", role: "ENTRY", brokerOrderId: order.brokerOrderId },
    decision: { id: order.intent?.decisionId, policyVersion: order.intent?.decision?.policyVersion },
    rotationPlanId: null,
  });
  expect(trade.decision?.scores?.composite).toBeGreaterThan(0);
  expect(trade.decision?.confidence).toBeGreaterThan(0);
  expect(trade.verdicts.map(({ phase, passed }) => [phase, passed])).toEqual([
    ["T1", true],
    ["T2", true],
  ]);
  for (const { gates } of trade.verdicts) expect(gates.map(({ code }) => code)).toEqual(GATE_CODES);
});

it("its timeline goes from the decision to the end of the round trip, in market time and order", async () => {
  const { symbol } = await soldTrade();
  const { timeline } = await entryOf(symbol);
  const kinds = timeline.map(({ kind }) => kind);
  expect(kinds.filter((kind, index) => kind !== kinds[index - 1])).toEqual([
    "decided",
    "gated",
    "submitted",
    "accepted",
    "filled",
    "ended",
    "closed",
  ]);
  const times = timeline.flatMap(({ at }) => at ?? []);
  expect(times).toEqual([...times].sort());
  expect(timeline.find(({ kind }) => kind === "ended")?.detail).toBe("The broker says “filled”");
});

it("slippage and fills are those of the registry's definition, to the cent", async () => {
  const { symbol } = await soldTrade();
  const trade = await entryOf(symbol);
  const { intent, fills, filledQuantity, totalValue, averagePrice, slippage } = trade;
  expect(sum(fills.map(({ quantity }) => money(quantity))).toNumber()).toBe(filledQuantity);
  expect(sum(fills.map(({ value }) => money(value))).toDecimalPlaces(2)).toEqual(money(totalValue).toDecimalPlaces(2));
  const decided = money(intent?.decisionPrice ?? 0);
  expect(slippage?.usd).toBeCloseTo(money(totalValue).minus(decided.times(filledQuantity)).toNumber(), 6);
  expect(slippage?.bps).toBeCloseTo(slippageBps("BUY", decided, money(averagePrice ?? 0)), 6);
});

it("its bracket hangs together, and a leg has no slippage of its own", async () => {
  const { symbol } = await soldTrade();
  const entry = await entryOf(symbol);
  expect(entry.legs.map(({ role }) => role).sort()).toEqual(["STOP", "TARGET"]);
  const stop = entry.legs.find(({ role }) => role === "STOP");
  const leg = await detail(stop?.id ?? "");
  expect(leg.parent?.id).toBe(entry.id);
  expect(leg.legs.map(({ role }) => role)).toEqual(["TARGET"]);
  expect(leg).toMatchObject({ slippage: null, decision: { id: entry.decision?.id } });
  expect(leg.slippageReason).toMatch(/^A resting order/);
});

it("an entry lists the orders that protected its shares, a raised stop as such, and each names its entry", async () => {
  const { symbol } = await soldTrade();
  const entry = await entryOf(symbol);
  const stop = entry.legs.find(({ role }) => role === "STOP");
  const {
    id: _,
    brokerOrderId: __,
    clientOrderId: ___,
    ...row
  } = await db().order.findUniqueOrThrow({
    where: { id: stop?.id ?? "" },
  });
  const at = new Date(row.submittedAt.getTime() + 60_000);
  const like = { ...row, submittedAt: at, parentId: null, status: "CANCELED", brokerStatus: "canceled" } as const;
  const ids = () => ({ brokerOrderId: randomUUID(), clientOrderId: randomUUID() });
  const raised = money(stop?.stopPrice ?? 0).plus(1);
  const target = await db().order.create({
    data: { ...like, ...ids(), role: "TARGET", stopPrice: null, limitPrice: raised.times(2).toFixed(2) },
  });
  const moved = await db().order.create({
    data: { ...like, ...ids(), parentId: target.id, stopPrice: raised.toFixed(2) },
  });

  const { legs } = await detail(entry.id);
  expect(legs.filter(({ id }) => id === moved.id || id === stop?.id)).toMatchObject([
    { id: stop?.id, isRaised: false },
    { id: moved.id, isRaised: true, status: "CANCELLED", stopPrice: raised.toNumber() },
  ]);
  expect(legs.map(({ id }) => id)).toContain(target.id);
  expect(await detail(moved.id)).toMatchObject({ parent: { id: entry.id }, legs: [{ id: target.id }] });
  expect(await detail(target.id)).toMatchObject({ parent: { id: entry.id }, legs: [{ id: moved.id }] });
  expect((await trades(`symbol=${symbol}`)).map(({ id }) => id)).not.toContain(target.id);
  await db().order.deleteMany({ where: { id: { in: [moved.id, target.id] } } });
});

it("purchase and sale share a round trip, and each names the other's lots with the same P&L", async () => {
  const sale = await soldTrade();
  const entry = await entryOf(sale.symbol);
  expect(sale).toMatchObject({ order: { origin: "EXTERNAL" }, intent: null, decision: null });
  for (const trade of [sale, entry]) {
    expect(trade.trip?.trades.map(({ id }) => id)).toEqual([entry.id, sale.id]);
    expect(trade.trip?.closedAt).not.toBeNull();
    expect(trade.realizedPnl).toBe(trade.trip?.pnl);
  }
  expect(sale.lots.map(({ tradeId }) => tradeId)).toEqual(sale.lots.map(() => entry.id));
  expect(entry.lots.map(({ tradeId }) => tradeId)).toEqual(entry.lots.map(() => sale.id));
  const figures = await db().accountFigures.findFirstOrThrow();
  expect(money(sale.realizedPnl)).toEqual(money(figures.realizedPnl));
});

it("the list has each closed trip's P&L at the one trade that closed it, and an entry's protective orders as its page has them", async () => {
  const rows = await trades("limit=200");
  const trips = await db().roundTrip.findMany({ where: { closedAt: { not: null } } });
  expect(trips.length).toBeGreaterThan(0);
  const closing = rows.filter(({ tripPnl }) => tripPnl !== null);
  expect(closing.map(({ side }) => side)).toEqual(trips.map(() => "SELL"));
  expect(sum(closing.map(({ tripPnl }) => money(tripPnl ?? 0)))).toEqual(sum(trips.map(({ pnl }) => money(pnl))));
  const entries = rows.filter(({ side, filledQuantity }) => side === "BUY" && filledQuantity > 0);
  expect(entries.some(({ protection }) => protection.length > 0)).toBe(true);
  for (const { id, protection } of entries) expect(protection).toEqual((await detail(id)).legs);
  for (const { protection } of rows.filter(({ side }) => side === "SELL")) expect(protection).toEqual([]);
});

it("two sales in a trip's last moment share no P&L: the one that filled last has it", async () => {
  const sale = await soldTrade();
  const row = await db().order.findUniqueOrThrow({ where: { id: sale.id }, include: { fills: true } });
  const { fills, id: _, ...order } = row;
  const names = () => ({ brokerOrderId: randomUUID(), clientOrderId: randomUUID() });
  const second = await db().order.create({ data: { ...order, ...names() } });
  const { id: __, ...fill } = fills.at(-1)!;
  await db().fill.create({ data: { ...fill, orderId: second.id, executionId: randomUUID() } });
  const told = (await trades(`symbol=${sale.symbol}&side=SELL`)).map(({ id, tripPnl }) => [id, tripPnl !== null]);
  expect(Object.fromEntries(told)).toEqual({ [sale.id]: false, [second.id]: true });
  await db().order.delete({ where: { id: second.id } });
});

it("no user sees another's trade; an administrator sees any user's at a route of their own", async () => {
  const { id } = await soldTrade();
  for (const answer of [await read(id, stranger), await read(id, admin), await read(randomUUID())]) {
    expect(answer).toMatchObject({ status: 404, json: { error: "Trade not found." } });
  }
  expect(await read("1")).toMatchObject({ status: 400 });
  expect(await callDoor(one, "GET", { params: { id } })).toMatchObject({ status: 401 });
  expect(await callDoor(adminTrade, "GET", { token, params: { id } })).toMatchObject({ status: 403 });
  expect(await callDoor(adminTrade, "GET", { token: admin, params: { id } })).toMatchObject({
    status: 200,
    json: { data: { id, isOwn: false } },
  });
});
