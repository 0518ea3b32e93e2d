/** Orders keep the symbol that they were sent with; what was booked of them takes the new one over. */
import { randomUUID } from "node:crypto";
import { beforeEach, expect, it } from "vitest";
import { testContext } from "@/lib/proof/fixtures/orders.ts";
import { makeAccount, makeUser } from "@/prisma/factories.ts";
import type { Context } from "../../context.ts";
import { db } from "../../db.ts";
import { dateOf } from "../../rows.ts";
import { listTrades } from "./list-trades.ts";
import { readTrade } from "./read-trade.ts";

const DAY_MS = 24 * 60 * 60_000;
const START = Date.parse("2022-06-01T15:00:00Z");
const day = (n: number) => new Date(START + n * DAY_MS);

let context: Context<"user">;
let accountId: string;
let [entryId, stopId]: string[] = [];

async function order(more: { symbol: string; side: "BUY" | "SELL"; at: Date } & Record<string, unknown>) {
  const { at, ...rest } = more;
  const id = randomUUID();
  const ids = { accountId, brokerOrderId: id, clientOrderId: id };
  const times = { submittedAt: at, tradedAt: at, brokerUpdatedAt: at };
  const kind = { origin: "EXTERNAL", orderClass: "SIMPLE", timeInForce: "gtc", qty: "10" };
  return (await db().order.create({ data: { ...ids, ...times, ...kind, ...rest } as never })).id;
}
const FILLED = { type: "MARKET", status: "FILLED", brokerStatus: "filled", filledQty: "10", filledAvgPrice: "100" };

async function fill(orderId: string, side: "BUY" | "SELL", at: Date): Promise<void> {
  const known = { accountId, orderId, executionId: `${orderId}:10`, symbol: "META", source: "STREAM" } as const;
  await db().fill.create({ data: { ...known, side, qty: "10", price: "100", at } });
}

/** Bought as FB, with a stop that was replaced while it was FB and one that was placed when it was META, which sold it. */
beforeEach(async () => {
  const { id: userId } = await makeUser(db());
  accountId = (await makeAccount(db(), userId)).id;
  context = { ...testContext(), actor: { kind: "user", userId, role: "USER", signInId: "test" } };
  const filled = { ...FILLED, role: "EXTERNAL", filledValue: "1000" };
  entryId = await order({ ...filled, symbol: "FB", side: "BUY", at: day(0) });
  await fill(entryId, "BUY", day(0));
  const stop = { role: "STOP", side: "SELL", type: "STOP" } as const;
  const ended = { status: "CANCELED", brokerStatus: "canceled", endedAt: day(2) };
  await order({ ...stop, ...ended, symbol: "FB", stopPrice: "90", at: day(1) });
  stopId = await order({ ...filled, ...stop, symbol: "META", stopPrice: "95", at: day(9) });
  await fill(stopId, "SELL", day(10));
  await db().roundTrip.create({
    data: { accountId, symbol: "META", openedAt: day(0), closedAt: day(10), outcome: "WIN", pnl: "12" },
  });
  await db().appliedCorporateAction.create({
    data: {
      ...{ accountId, activityId: "nc", symbol: "META", kind: "NC", ratio: "1", qtyBefore: "10", qtyAfter: "10" },
      exDate: dateOf("2022-06-09"),
    },
  });
});

it("the page of a purchase tells its round trip and every stop, under whichever name they were placed", async () => {
  const { trip, legs } = await readTrade(context, { id: entryId! });
  expect(trip?.closedAt).toEqual(day(10));
  expect(legs.map(({ stopPrice }) => String(stopPrice))).toEqual(["90", "95"]);
  const sale = await readTrade(context, { id: stopId! });
  expect([sale.trip?.openedAt, sale.parent?.id]).toEqual([day(0), entryId]);
});

it("the list tells the purchase's stops, and a search counts the round trip with its trades", async () => {
  const page = { sort: "date", direction: "desc", limit: 50 } as const;
  const { trades, summary } = await listTrades(context, { ...page, symbol: "FB" });
  expect(trades.map(({ protection }) => protection.map(({ stopPrice }) => String(stopPrice)))).toEqual([["90", "95"]]);
  expect([summary.totalTrades, summary.winningTrades]).toEqual([1, 1]);
  expect((await listTrades(context, { ...page, symbol: "AMD" })).summary.winningTrades).toBe(0);
});
