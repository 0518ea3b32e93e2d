import { randomUUID } from "node:crypto";
import { beforeEach, expect, it } from "vitest";
import type { SideName } from "@/lib/domain/enums.ts";
import { money, text } from "@/lib/domain/money.ts";
import { protectionFor } from "@/lib/domain/protection.ts";
import { testContext } from "@/lib/proof/fixtures/orders.ts";
import { makeAccount, makeUser } from "@/prisma/factories.ts";
import type { Account } from "../../core/row-types.ts";
import { inTransaction } from "../../core/transaction.ts";
import { db } from "../../db.ts";
import { dateOf } from "../../rows.ts";
import { readRowBreaches } from "../invariants/read-breaches.ts";
import { postActivity } from "./post-activity.ts";
import { postFill } from "./post-fill.ts";
import { postSplit } from "./post-split.ts";
import { rebuildPositionBook } from "./rebuild-position-book.ts";

const context = testContext();
const DAY = "2020-01-08";
let account: Account;

beforeEach(async () => {
  await db().marketEvent.deleteMany();
  const { id } = await makeAccount(db(), (await makeUser(db())).id);
  account = await db().account.findUniqueOrThrow({ where: { id } });
});

const announce = (value: number, exDate = DAY) =>
  db().marketEvent.create({
    data: { market: account.market, symbol: "XYZ", exDate: dateOf(exDate), kind: "split", place: 0, value },
  });

async function trade(side: SideName, qty: string, price: string, at: string): Promise<void> {
  const [id, when] = [randomUUID(), new Date(at)];
  const order = await db().order.create({
    data: {
      ...{ accountId: account.id, origin: "EXTERNAL", role: "EXTERNAL", brokerOrderId: id, clientOrderId: id },
      ...{ symbol: "XYZ", side, orderClass: "SIMPLE", type: "MARKET", timeInForce: "day", qty },
      ...{ status: "FILLED", brokerStatus: "filled", filledQty: qty, filledAvgPrice: price, filledAt: when },
      ...{ submittedAt: when, tradedAt: when, brokerUpdatedAt: when, filledValue: money(qty).times(price).toFixed() },
    },
  });
  const known = { accountId: account.id, orderId: order.id, symbol: "XYZ", executionId: `${id}:${qty}` };
  const fill = await db().fill.create({ data: { ...known, side, qty, price, source: "STREAM", at: when } });
  await inTransaction(context, (tx) => postFill(context, tx, fill, order, { isFirstOfOrder: true }));
}

/** Bought on Monday with a stop; the split is on Wednesday. */
async function hold(qty: string): Promise<void> {
  await trade("BUY", qty, "2", "2020-01-06T15:00:00Z");
  const levels = { stopPrice: "1.9", targetPrice: "2.2", currentPrice: "2" };
  await db().position.updateMany({ where: { accountId: account.id }, data: levels });
}

const legsOf = (...qtys: string[]) =>
  qtys.map((qty, n) => ({ id: `s${n}`, type: "SPLIT", symbol: "XYZ", netAmount: "0", qty, date: DAY }));

const plain = (value: { toString(): string } | null | undefined) => text((value ?? 0).toString());

async function books() {
  const where = { accountId: account.id };
  const lots = await db().lot.findMany({ where, include: { closures: true }, orderBy: { sequence: "asc" } });
  const position = await db().position.findFirst({ where });
  const { realizedPnl } = await db().accountFigures.findUniqueOrThrow({ where });
  const [action] = await db().appliedCorporateAction.findMany({ where });
  return {
    lots: lots.map((lot) => `${plain(lot.qtyRemaining)} at ${plain(lot.costPrice)}`),
    realizedPnl: plain(realizedPnl),
    position: position && `${plain(position.qty)} at ${plain(position.avgEntryPrice)}`,
    levels: position && [position.stopPrice, position.targetPrice, position.currentPrice].map(plain),
    action: `${plain(action?.qtyBefore)} became ${plain(action?.qtyAfter)} by ${plain(action?.ratio)}`,
  };
}

it("a split whose fraction the broker pays for keeps cost and levels in the prices of the market, and sells nothing", async () => {
  await announce(0.1);
  await hold("15");
  expect(await postSplit(context, account, legsOf("-15", "1"))).toBe(true);
  const right = {
    lots: ["1 at 20"],
    realizedPnl: "-10",
    position: "1 at 20",
    levels: ["19", "22", "20"],
    action: "15 became 1.5 by 0.1",
  };
  expect(await books()).toEqual(right);
  const breaches = async () =>
    (await readRowBreaches(context, account.id)).filter(({ invariant }) => invariant !== "I24");
  expect(await breaches()).toEqual([]);
  const [stop, target] = [money("19"), money("22")];
  expect(protectionFor({ stop, target, last: money("20"), isOpen: true }).kind).toBe("pair");
  // What the broker pays for the half makes up for what it cost.
  await postActivity(context, account, { ...legsOf("0")[0]!, id: "c", type: "CIL", netAmount: "10", qty: null });
  const { dividends } = await db().accountFigures.findUniqueOrThrow({ where: { accountId: account.id } });
  expect(plain(dividends)).toBe("10");
  expect(await postSplit(context, account, legsOf("-15", "1"))).toBe(false);
  await inTransaction(context, (tx) => rebuildPositionBook(context, tx, account.id, "XYZ"));
  expect(await books()).toEqual(right);
  await trade("SELL", "1", "20", "2020-01-09T15:00:00Z");
  const trip = await db().roundTrip.findFirstOrThrow({ where: { accountId: account.id } });
  expect([plain(trip.pnl), plain(trip.entryValue), plain(trip.exitValue)]).toEqual(["-10", "30", "20"]);
  expect(await breaches()).toEqual([]);
});

it("a holding of less than one new share leaves as a whole", async () => {
  await announce(0.1, "2020-01-06");
  await hold("5");
  expect(await postSplit(context, account, legsOf("-5"))).toBe(true);
  expect(await books()).toMatchObject({ lots: ["0 at 20"], realizedPnl: "-10", position: null });
});

it("a fraction that the broker rounds up cost nothing, and prices change by the market's ratio", async () => {
  await announce(0.1);
  await hold("15");
  expect(await postSplit(context, account, legsOf("-15", "2"))).toBe(true);
  const right = { lots: ["2 at 15"], realizedPnl: "0", position: "2 at 15", action: "15 became 2 by 0.1" };
  expect(await books()).toMatchObject({ ...right, levels: ["19", "22", "20"] });
  await inTransaction(context, (tx) => rebuildPositionBook(context, tx, account.id, "XYZ"));
  expect(await books()).toMatchObject({ ...right, levels: ["19", "22", "20"] });
});

it("a rounded split that is listed after a sale of its day comes first, with its fraction", async () => {
  await announce(0.1);
  await hold("25");
  await trade("SELL", "1", "20", "2020-01-08T15:00:00Z");
  expect(await postSplit(context, account, legsOf("-25", "2"))).toBe(true);
  expect(await books()).toMatchObject({
    lots: ["1 at 20"],
    realizedPnl: "-10",
    levels: ["19", "22", expect.anything()],
    action: "25 became 2.5 by 0.1",
  });
});

it.each([
  ["an exact ratio", 1 / 3, "300", ["-300", "100"], "100 at 6", "0.333333333"],
  ["shares that are no rounding of the announced ratio", 0.5, "15", ["-15", "1"], "1 at 30", "0.066666667"],
  ["fractions of shares that the broker keeps", 0.1, "15", ["-15", "1.5"], "1.5 at 20", "0.1"],
])("the broker's shares count where there is %s", async (_, announced, qty, legs, lot, ratio) => {
  await announce(announced);
  await hold(qty);
  expect(await postSplit(context, account, legsOf(...legs))).toBe(true);
  const { lots, realizedPnl, action } = await books();
  expect([lots, realizedPnl, action.split(" by ")[1]]).toEqual([[lot], "0", ratio]);
});
