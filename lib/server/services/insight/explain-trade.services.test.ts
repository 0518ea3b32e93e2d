import { randomUUID } from "node:crypto";
import { beforeEach, expect, it } from "vitest";
import { makeAccount, makeUser } from "@/prisma/factories.ts";
import type { Context } from "../../context.ts";
import { db } from "../../db.ts";
import { dateOf } from "../../rows.ts";
import { ownTrading } from "../symbols/own-trading.ts";
import { readTrade } from "../trades/read-trade.ts";
import { tradeInWords } from "./explain-trade.ts";

let context: Context<"user">;
let accountId: string;

beforeEach(async () => {
  const user = await makeUser(db());
  accountId = (await makeAccount(db(), user.id)).id;
  context = { actor: { kind: "user", userId: user.id, role: "USER", signInId: "test" }, db: db() } as Context<"user">;
});

const told = async (id: string) =>
  (await tradeInWords(context, id)).map(({ parts }) => parts.map(({ text }) => text).join(""));

async function bought(fillTimes: readonly string[]): Promise<string> {
  const sentAt = new Date("2020-02-06T15:00:00Z");
  const filledQty = String(50 * fillTimes.length);
  const { id } = await db().order.create({
    data: {
      ...{ accountId, symbol: "XX", origin: "EXTERNAL", role: "EXTERNAL", side: "BUY", type: "LIMIT" },
      ...{ brokerOrderId: randomUUID(), clientOrderId: randomUUID(), orderClass: "SIMPLE", timeInForce: "day" },
      ...{ qty: "100", filledQty, filledAvgPrice: fillTimes.length === 0 ? null : "52", status: "PARTIALLY_FILLED" },
      ...{ brokerStatus: "partially_filled", submittedAt: sentAt, tradedAt: sentAt, brokerUpdatedAt: sentAt },
    },
  });
  const fill = { accountId, orderId: id, symbol: "XX", side: "BUY", qty: "50", price: "52", source: "STREAM" } as const;
  await db().fill.createMany({
    data: fillTimes.map((at) => ({ ...fill, executionId: randomUUID(), at: new Date(at) })),
  });
  return id;
}

it("a purchase is told at the time of its last fill, and one that has none at the time of sending", async () => {
  const filled = await bought(["2020-02-06T15:05:00Z", "2020-02-06T19:31:00Z"]);
  expect((await told(filled))[0]).toBe("Bought 100 shares of XX at $52.00 on Thu 6 Feb 2020 14:31 ET.");
  const waiting = await bought([]);
  expect((await told(waiting))[0]).toBe(
    "The order of Thu 6 Feb 2020 10:00 ET to buy 100 shares of XX has not filled yet.",
  );
});

/** An entry with stops that rested one after the other, the last until now, over a split on 10 February. */
async function withStops(ratio: string, prices: readonly [string, string]): Promise<string> {
  const sentAt = new Date("2020-02-06T15:00:00Z");
  const movedAt = new Date("2020-02-11T15:00:00Z");
  const stored = (submittedAt: Date) => ({
    ...({ accountId, symbol: "XX", origin: "OURS", orderClass: "BRACKET", timeInForce: "gtc", qty: "100" } as const),
    ...{ brokerOrderId: randomUUID(), clientOrderId: randomUUID() },
    ...{ submittedAt, tradedAt: submittedAt, brokerUpdatedAt: submittedAt },
  });
  const intent = await db().intent.create({
    data: {
      ...{ accountId, planId: randomUUID(), leg: 0, clientOrderId: randomUUID(), purpose: "ENTRY" },
      ...{ reason: "entry_momentum", strategy: "MOMENTUM", symbol: "XX", side: "BUY", type: "LIMIT" },
      ...{ timeInForce: "day", qty: "100", decisionPrice: "52", stopLossPrice: prices[0], decidedAt: sentAt },
    },
  });
  const { id } = await db().order.create({
    data: {
      ...stored(sentAt),
      ...{ role: "ENTRY", side: "BUY", type: "LIMIT", status: "FILLED", brokerStatus: "filled", intentId: intent.id },
      ...{ filledQty: "100", filledAvgPrice: "52", filledValue: "5200", filledAt: sentAt },
    },
  });
  const stop = { role: "STOP", side: "SELL", type: "STOP", parentId: id, intentId: intent.id } as const;
  const ended = { status: "REPLACED", brokerStatus: "replaced", endedAt: new Date("2020-02-07T15:00:00Z") } as const;
  await db().order.create({ data: { ...stored(sentAt), ...stop, ...ended, stopPrice: prices[0] } });
  await db().order.create({
    data: { ...stored(movedAt), ...stop, status: "NEW", brokerStatus: "new", stopPrice: prices[1] },
  });
  const split = { accountId, symbol: "XX", kind: "SPLIT", ratio, exDate: dateOf("2020-02-10") };
  // A broker lists what it adds and what it removes.
  await db().appliedCorporateAction.createMany({
    data: ["in", "out"].map((activityId) => ({ ...split, activityId, qtyBefore: "100", qtyAfter: "100" })),
  });
  return id;
}

it.each([
  ["0.1", ["50", "500"], null],
  ["0.1", ["50", "510"], "Its stop was raised to $510.00."],
  ["4", ["98", "24.5"], null],
  ["4", ["98", "25"], "Its stop was raised to $25.00."],
] as const)(
  "over a split of %s, stops at %j are raised where they are higher for the same shares",
  async (ratio, prices, raised) => {
    const id = await withStops(ratio, prices);
    const sentences = await told(id);
    expect(sentences.find((text) => text.startsWith("Its stop")) ?? null).toBe(raised);
    const stops = (await readTrade(context, { id })).legs.map(({ isRaised }) => isRaised);
    expect(stops).toEqual([false, raised !== null]);
    const levels = (await ownTrading(context, [accountId], "XX")).levels.map(({ isRaised }) => isRaised);
    expect(levels).toEqual([raised !== null, false]);
  },
);
