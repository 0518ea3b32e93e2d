import { randomUUID } from "node:crypto";
import { beforeEach, expect, it } from "vitest";
import { makeAccount, makeUser } from "@/prisma/factories.ts";
import type { Context } from "../../context.ts";
import { db } from "../../db.ts";
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
