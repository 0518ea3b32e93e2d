import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import type { SideName } from "@/lib/domain/enums.ts";
import { makeAccount, makeUser } from "@/prisma/factories.ts";
import { db } from "../../db.ts";
import { countDayTrades } from "./count-day-trades.ts";

/** An account with two fills of its own: one turn from buying to selling on the 19th. */
async function accountWithOneTurn(userId: string): Promise<string> {
  const { id: accountId } = await makeAccount(db(), userId);
  const at = new Date("2020-02-19T20:00:00Z");
  for (const [side, time] of [
    ["BUY", "2020-02-19T15:00:00Z"],
    ["SELL", "2020-02-19T16:00:00Z"],
  ] as const) {
    const order = await db().order.create({
      data: {
        accountId,
        origin: "EXTERNAL",
        role: "EXTERNAL",
        brokerOrderId: randomUUID(),
        clientOrderId: randomUUID(),
        symbol: "AAPL",
        side,
        orderClass: "SIMPLE",
        type: "MARKET",
        timeInForce: "day",
        qty: "1",
        status: "NEW",
        brokerStatus: "new",
        submittedAt: at,
        tradedAt: at,
        brokerUpdatedAt: at,
      },
    });
    const ids = { accountId, orderId: order.id, executionId: randomUUID() };
    await db().fill.create({
      data: { ...ids, symbol: "AAPL", side, qty: "1", price: "1", source: "STREAM", at: new Date(time) },
    });
  }
  await db().accountFigures.update({ where: { accountId }, data: { asOf: at } });
  return accountId;
}

it("day trades of several accounts are not added up: the rule speaks of an account", async () => {
  const { id: userId } = await makeUser(db());
  const ids = [await accountWithOneTurn(userId), await accountWithOneTurn(userId), await accountWithOneTurn(userId)];
  expect(await countDayTrades({ db: db() }, ids)).toBe(1);
});

it("a day trade counts for five sessions, holidays left out, and each turn from buying to selling counts", async () => {
  const { id: accountId } = await makeAccount(db(), (await makeUser(db())).id);
  const at = new Date("2020-02-19T20:00:00Z");
  const order = await db().order.create({
    data: {
      accountId,
      origin: "EXTERNAL",
      role: "EXTERNAL",
      brokerOrderId: randomUUID(),
      clientOrderId: randomUUID(),
      symbol: "AAPL",
      side: "BUY",
      orderClass: "SIMPLE",
      type: "MARKET",
      timeInForce: "day",
      qty: "9",
      status: "NEW",
      brokerStatus: "new",
      submittedAt: at,
      tradedAt: at,
      brokerUpdatedAt: at,
    },
  });
  const fill = (time: string, side: SideName, symbol = "AAPL") => ({
    accountId,
    orderId: order.id,
    executionId: randomUUID(),
    symbol,
    side,
    qty: "1",
    price: "1",
    source: "STREAM" as const,
    at: new Date(time),
  });
  await db().fill.createMany({
    data: [
      // Presidents' Day (17 February) is no session: the 12th is the fifth session back from the 19th, the 11th is not.
      fill("2020-02-11T15:00:00Z", "BUY"),
      fill("2020-02-11T16:00:00Z", "SELL"),
      fill("2020-02-12T15:00:00Z", "BUY"),
      fill("2020-02-12T16:00:00Z", "SELL"),
      fill("2020-02-19T15:00:00Z", "BUY", "MSFT"),
      fill("2020-02-19T16:00:00Z", "SELL", "MSFT"),
      fill("2020-02-19T17:00:00Z", "BUY", "MSFT"),
      fill("2020-02-19T18:00:00Z", "SELL", "MSFT"),
      // Overnight is no day trade.
      fill("2020-02-18T15:00:00Z", "BUY", "TSLA"),
      fill("2020-02-19T15:00:00Z", "SELL", "TSLA"),
    ],
  });
  await db().accountFigures.update({ where: { accountId }, data: { asOf: at } });
  expect(await countDayTrades({ db: db() }, [accountId])).toBe(3);
});
