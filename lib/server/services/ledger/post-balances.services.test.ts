import { randomUUID } from "node:crypto";
import { beforeEach, expect, it } from "vitest";
import type { SideName } from "@/lib/domain/enums.ts";
import { text } from "@/lib/domain/money.ts";
import { makeAccount, makeUser } from "@/prisma/factories.ts";
import type { BrokerPosition } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import { db } from "../../db.ts";
import { dateOf } from "../../rows.ts";
import { readPerformance } from "../performance/read-performance.ts";
import { listPositions } from "../portfolio/list-positions.ts";
import { summarizePortfolio } from "../portfolio/summarize-portfolio.ts";
import { testContext } from "@/lib/proof/fixtures/orders.ts";
import { postActivity } from "./post-activity.ts";
import { postFill } from "./post-fill.ts";
import { postBalances } from "./post-balances.ts";
import { postMarks } from "./post-marks.ts";
import type { Account } from "../../core/row-types.ts";
import { inTransaction } from "../../core/transaction.ts";

let context: Context<"user">;
let account: Account;

beforeEach(async () => {
  const { id: userId } = await makeUser(db());
  const { id } = await makeAccount(db(), userId, { equity: "0" });
  account = await db().account.findUniqueOrThrow({ where: { id } });
  context = { ...testContext(), actor: { kind: "user", userId, role: "USER", signInId: "test" } };
});

async function trade(side: SideName, qty: string, price: string, at: string, fees = "0"): Promise<void> {
  const [id, when] = [randomUUID(), new Date(at)];
  const order = await db().order.create({
    data: {
      accountId: account.id,
      origin: "EXTERNAL",
      role: "EXTERNAL",
      brokerOrderId: id,
      clientOrderId: id,
      symbol: "SPY",
      side,
      orderClass: "SIMPLE",
      type: "MARKET",
      timeInForce: "day",
      qty,
      status: "FILLED",
      brokerStatus: "filled",
      filledQty: qty,
      filledAvgPrice: price,
      filledAt: when,
      submittedAt: when,
      tradedAt: when,
      brokerUpdatedAt: when,
    },
  });
  const known = { accountId: account.id, orderId: order.id, symbol: "SPY", executionId: `${id}:${qty}` };
  const fill = await db().fill.create({ data: { ...known, side, qty, price, fees, source: "STREAM", at: when } });
  await inTransaction(context, (tx) => postFill(context, tx, fill, order, { isFirstOfOrder: true }));
}

/** 30 shares at 60 as a broker reports them that keeps an average cost of 51.333333333. */
const held: BrokerPosition = {
  symbol: "SPY",
  qty: "30",
  qtyAvailable: "30",
  avgEntryPrice: "51.333333333",
  currentPrice: "60",
  marketValue: "1800",
  unrealizedPnl: "260.00000001",
  unrealizedPnlPercent: "0.168831169",
};

const balances = (equity: string) => ({
  id: "b",
  accountNumber: "A1",
  status: "ACTIVE",
  isBlocked: false,
  cash: "0",
  equity,
  lastEquity: equity,
  buyingPower: "0",
  longMarketValue: "1800",
});

/** The example of engine.md §12 before its last sale: 30 shares of the second lot are left, at 54. */
async function buyTwiceAndSell(): Promise<void> {
  await trade("BUY", "100", "50", "2020-01-06T15:00:00Z");
  await trade("BUY", "50", "54", "2020-01-07T15:00:00Z", "0.15");
  await trade("SELL", "120", "58", "2020-01-08T15:00:00Z", "0.30");
}

it("what a position has gained is its value less its own average cost, whatever average the broker keeps", async () => {
  await buyTwiceAndSell();
  await postBalances(context, account, balances("11800"), [held], "2020-01-09T15:00:00.000Z");
  const [row] = await listPositions(context, {});
  const shown = [row?.quantity, row?.averagePrice, row?.marketValue, row?.unrealizedPnL].map(String);
  expect(shown).toEqual(["30", "54", "1800", "180"]);
  expect(row?.unrealizedPnLPercent).toBeCloseTo(100 * (180 / 1620), 6);
});

it("an account with a past at the broker begins here with its first reading: the past is in the total, and in no day", async () => {
  // Paid in 10,000 and traded with it before it was connected.
  const paidIn = { id: "1", type: "CSD", symbol: null, netAmount: "10000", qty: null, date: "2020-01-02" };
  await postActivity(context, account, paidIn);
  await buyTwiceAndSell();
  const { realizedPnl } = await db().accountFigures.findUniqueOrThrow({ where: { accountId: account.id } });
  // 100 · (58 − 50) + 20 · (58 − 54) less fees of 0.30 and of 20/50 of 0.15.
  expect(text(realizedPnl.toString())).toBe("879.64");
  // Cash: 10,000 − 5,000 − 2,700 − 0.15 + 6,960 − 0.30.
  const equity = "11059.55";
  await postBalances(context, account, { ...balances(equity), cash: "9259.55" }, [held], "2020-01-09T15:00:00.000Z");
  expect(await db().cashFlow.count({ where: { accountId: account.id, type: "OPENING" } })).toBe(0);
  const first = await summarizePortfolio(context, {});
  expect([first.pnlDay, first.pnlWeek, first.pnlMonth, first.pnlTotal].map(String)).toEqual(["0", "0", "0", "1059.55"]);

  await db().account.update({ where: { id: account.id }, data: { activityWatermark: new Date() } });
  await postBalances(context, account, balances("11049.55"), [held], "2020-01-09T16:00:00.000Z");
  const { pnlDay, pnlTotal } = await summarizePortfolio(context, {});
  expect([pnlDay, pnlTotal].map(String)).toEqual(["-10", "1049.55"]);
  const performance = await readPerformance(context, {});
  const figure = (id: string) => performance.figures.find((each) => each.id === id)?.value;
  expect(figure("periodPnl")).toBe(-10);
  expect(figure("timeWeightedReturn")).toBeCloseTo(-10 / 11059.55, 12);
});

it("a first reading explains itself from our own lots: nothing is paid in that was only averaged otherwise", async () => {
  await buyTwiceAndSell();
  // Nothing is known of a deposit: what trading does not explain was in the account before.
  await postBalances(context, account, balances("11059.55"), [held], "2020-01-09T15:00:00.000Z");
  const { netDeposits } = await db().accountFigures.findUniqueOrThrow({ where: { accountId: account.id } });
  expect(text(netDeposits.toString())).toBe("10000");
  const { statement } = await readPerformance(context, {});
  expect(Object.fromEntries(Object.entries(statement ?? {}).map(([key, value]) => [key, String(value)]))).toEqual({
    deposits: "10000",
    realized: "879.64",
    unrealized: "179.91",
    dividends: "0",
    fees: "0",
    unread: "0",
    equity: "11059.55",
    hasOtherAssets: "false",
  });
});

it("money that the broker lists late was in the closes since, and is no gain of the days after", async () => {
  const close = (session: string, equity: string) => ({
    accountId: account.id,
    at: new Date(`${session}T21:00:00Z`),
    sessionDate: dateOf(session),
    isClose: true,
    equity,
    netDeposits: "10000",
  });
  await db().equityPoint.createMany({
    data: [close("2020-01-06", "10000"), close("2020-01-07", "15010"), close("2020-01-08", "15030")],
  });
  await db().accountFigures.update({
    where: { accountId: account.id },
    data: { equity: "15035", lastEquity: "15030", netDeposits: "10000", asOf: new Date("2020-01-09T18:00:00Z") },
  });
  const late = { id: "late", type: "CSD", symbol: null, netAmount: "5000", qty: null, date: "2020-01-07" };
  await postActivity(context, account, late);
  const week = async () => {
    const { pnlDay, pnlWeek, pnlTotal } = await summarizePortfolio(context, {});
    const { figures } = await readPerformance(context, {});
    return [String(pnlDay), String(pnlWeek), String(pnlTotal), figures.find(({ id }) => id === "maxDrawdown")?.value];
  };
  expect(await week()).toEqual(["5", "35", "35", 0]);
  // The broker takes a part of it back, as of the same date.
  await postActivity(context, account, { ...late, netAmount: "4990" });
  expect((await week()).slice(0, 3)).toEqual(["5", "45", "45"]);
});

it("a deposit is in the high-water mark once, in whatever order the balance, the marks and its activity are read", async () => {
  const inCash = (equity: string) => ({ ...balances(equity), cash: equity, longMarketValue: "0" });
  const figures = () => db().accountFigures.findUniqueOrThrow({ where: { accountId: account.id } });
  const read = (equity: string, minute: string) =>
    postBalances(context, account, inCash(equity), [], `2020-01-09T15:${minute}:00.000Z`);
  const mark = async () => text((await figures()).highWaterMark.toString());
  await read("10000", "00");
  await db().account.update({ where: { id: account.id }, data: { activityWatermark: new Date() } });
  // The balance has it, the list of activities does not.
  await read("15000", "01");
  expect(await mark()).toBe("10000");
  const { version } = await figures();
  const marked = { accountId: account.id, version, balances: inCash("15000"), positions: [], held: [] };
  await postMarks(context, [marked], "2020-01-09T15:02:00.000Z");
  expect(await mark()).toBe("10000");
  const deposit = { id: "in", type: "CSD", symbol: null, netAmount: "5000", qty: null, date: "2020-01-09" };
  await postActivity(context, account, deposit);
  expect(await mark()).toBe("15000");
  await read("15000", "03");
  await postMarks(context, [{ ...marked, version: (await figures()).version }], "2020-01-09T15:04:00.000Z");
  expect(await mark()).toBe("15000");
  // What is earned beyond it raises the mark as ever.
  const gained = { ...inCash("15000"), equity: "15100" };
  await postMarks(
    context,
    [{ ...marked, version: (await figures()).version, balances: gained }],
    "2020-01-09T15:05:00.000Z",
  );
  expect(await mark()).toBe("15100");
});
