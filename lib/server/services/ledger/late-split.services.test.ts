import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import type { SideName } from "@/lib/domain/enums.ts";
import { text } from "@/lib/domain/money.ts";
import { testContext } from "@/lib/proof/fixtures/orders.ts";
import { makeAccount, makeUser } from "@/prisma/factories.ts";
import type { Account } from "../../core/row-types.ts";
import { inTransaction } from "../../core/transaction.ts";
import { db } from "../../db.ts";
import { postFill } from "./post-fill.ts";
import { postSplit } from "./post-split.ts";

const context = testContext();
let account: Account;

beforeEach(async () => {
  const { id } = await makeAccount(db(), (await makeUser(db())).id);
  account = await db().account.findUniqueOrThrow({ where: { id } });
});

async function trade(side: SideName, qty: string, price: string, at: string): Promise<void> {
  const [id, when] = [randomUUID(), new Date(at)];
  const order = await db().order.create({
    data: {
      ...{ accountId: account.id, origin: "EXTERNAL", role: "EXTERNAL", brokerOrderId: id, clientOrderId: id },
      ...{ symbol: "SPY", side, orderClass: "SIMPLE", type: "MARKET", timeInForce: "day", qty },
      ...{ status: "FILLED", brokerStatus: "filled", filledQty: qty, filledAvgPrice: price, filledAt: when },
      ...{ submittedAt: when, tradedAt: when, brokerUpdatedAt: when },
    },
  });
  const known = { accountId: account.id, orderId: order.id, symbol: "SPY", executionId: `${id}:${qty}` };
  const fill = await db().fill.create({ data: { ...known, side, qty, price, source: "STREAM", at: when } });
  await inTransaction(context, (tx) => postFill(context, tx, fill, order, { isFirstOfOrder: true }));
}

async function books() {
  const where = { accountId: account.id };
  const lots = await db().lot.findMany({ where, include: { closures: true }, orderBy: { sequence: "asc" } });
  const position = await db().position.findFirstOrThrow({ where });
  const { realizedPnl } = await db().accountFigures.findUniqueOrThrow({ where });
  const [action] = await db().appliedCorporateAction.findMany({ where });
  const plain = (value: { toString(): string } | null | undefined) => text((value ?? 0).toString());
  return {
    lots: lots.map((lot) => `${plain(lot.qtyRemaining)} at ${plain(lot.costPrice)}`),
    sold: lots.flatMap(({ closures }) =>
      closures.map((closure) => `${plain(closure.qty)}: ${plain(closure.realizedPnl)}`),
    ),
    realizedPnl: plain(realizedPnl),
    position: `${plain(position.qty)} at ${plain(position.avgEntryPrice)}, stop ${plain(position.stopPrice)}`,
    action: `${plain(action?.qtyBefore)} became ${plain(action?.qtyAfter)}`,
  };
}

const leg = { id: "s", type: "SPLIT", symbol: "SPY", netAmount: "0", qty: "100", date: "2020-01-08" };

it("a split that is listed after a sale of its day is of all that was held, as if it had come first (M2)", async () => {
  await trade("BUY", "100", "10", "2020-01-06T15:00:00Z");
  await db().position.updateMany({ where: { accountId: account.id }, data: { stopPrice: "9" } });
  await trade("SELL", "50", "5", "2020-01-08T15:00:00Z");
  expect(await postSplit(context, account, [leg])).toBe(true);
  const right = {
    lots: ["150 at 5"],
    sold: ["50: 0"],
    realizedPnl: "0",
    position: "150 at 5, stop 4.5",
    action: "100 became 200",
  };
  expect(await books()).toEqual(right);
  expect(await postSplit(context, account, [leg])).toBe(false);
  expect(await books()).toEqual(right);
});

it("shares that were bought on its day are none of the split's, however late it is listed (M2)", async () => {
  await trade("BUY", "100", "10", "2020-01-06T15:00:00Z");
  await trade("BUY", "30", "5", "2020-01-08T15:00:00Z");
  await trade("SELL", "210", "6", "2020-01-08T16:00:00Z");
  expect(await postSplit(context, account, [leg])).toBe(true);
  expect(await books()).toMatchObject({
    lots: ["0 at 5", "20 at 5"],
    sold: ["200: 200", "10: 10"],
    realizedPnl: "210",
    action: "100 became 200",
  });
});

describe("the level of a stop at rest, once a split is listed", () => {
  /** The stop at the broker, and the position's level that follows it. */
  async function rest(stopPrice: string, at: string): Promise<void> {
    const [id, when] = [randomUUID(), new Date(at)];
    const protecting = { purpose: "PROTECT", reason: "protect_position", orderClass: "SIMPLE", type: "STOP" } as const;
    const { id: intentId } = await db().intent.create({
      data: {
        ...{ accountId: account.id, planId: randomUUID(), leg: 0, clientOrderId: id, ...protecting },
        ...{
          symbol: "SPY",
          side: "SELL",
          timeInForce: "gtc",
          qty: "100",
          stopPrice,
          decisionPrice: stopPrice,
          decidedAt: when,
        },
      },
    });
    await db().order.create({
      data: {
        ...{ accountId: account.id, origin: "OURS", role: "STOP", brokerOrderId: id, clientOrderId: id, intentId },
        ...{ symbol: "SPY", side: "SELL", orderClass: "SIMPLE", type: "STOP", timeInForce: "gtc", qty: "100" },
        ...{ stopPrice, status: "NEW", brokerStatus: "new" },
        ...{ submittedAt: when, tradedAt: when, brokerUpdatedAt: when },
      },
    });
    await db().position.updateMany({ where: { accountId: account.id }, data: { stopPrice } });
  }

  it("stays where its owner moved the stop on the split's morning: it is in its prices already", async () => {
    await trade("BUY", "100", "10", "2020-01-06T15:00:00Z");
    await rest("4.6", "2020-01-08T13:00:00Z");
    expect(await postSplit(context, account, [leg])).toBe(true);
    expect(await books()).toMatchObject({ position: "200 at 5, stop 4.6" });
  });

  it("stays so where shares were sold that day, too", async () => {
    await trade("BUY", "100", "10", "2020-01-06T15:00:00Z");
    await rest("4.6", "2020-01-08T13:00:00Z");
    await trade("SELL", "50", "5", "2020-01-08T15:00:00Z");
    expect(await postSplit(context, account, [leg])).toBe(true);
    expect(await books()).toMatchObject({ position: "150 at 5, stop 4.6" });
  });

  it("is divided where the stop rests since before that day", async () => {
    await trade("BUY", "100", "10", "2020-01-06T15:00:00Z");
    await rest("9.2", "2020-01-07T15:00:00Z");
    expect(await postSplit(context, account, [leg])).toBe(true);
    expect(await books()).toMatchObject({ position: "200 at 5, stop 4.6" });
  });
});
