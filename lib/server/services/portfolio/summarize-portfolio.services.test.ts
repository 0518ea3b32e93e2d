import { randomUUID } from "node:crypto";
import { beforeEach, expect, it } from "vitest";
import { makeAccount, makeUser } from "@/prisma/factories.ts";
import type { Context } from "../../context.ts";
import { db, type Prisma } from "../../db.ts";
import { dateOf } from "../../rows.ts";
import { drawEquity } from "./draw-equity.ts";
import { listPositions } from "./list-positions.ts";
import { summarizePortfolio } from "./summarize-portfolio.ts";

let context: Context<"user">;
let accountId: string;

const point = (session: string, equity: string, netDeposits: string, isClose = true) => ({
  accountId,
  at: new Date(`${session}T21:00:00.000Z`),
  sessionDate: dateOf(session),
  isClose,
  equity,
  netDeposits,
});

beforeEach(async () => {
  const user = await makeUser(db());
  accountId = (await makeAccount(db(), user.id)).id;
  context = { actor: { kind: "user", userId: user.id, role: "USER", signInId: "test" }, db: db() } as Context<"user">;
});

it("P&L of a period is the change of equity less the money that came in or went out", async () => {
  await db().equityPoint.createMany({
    data: [
      point("2020-01-31", "10000", "10000"),
      point("2020-02-21", "10500", "10000"),
      point("2020-02-27", "15400.55", "15000"),
    ],
  });
  await db().accountFigures.update({
    where: { accountId },
    data: { equity: "15190.1", cash: "200.05", netDeposits: "15000", asOf: new Date("2020-02-28T18:00:00Z") },
  });
  const summary = await summarizePortfolio(context, {});
  expect(String(summary.totalValue)).toBe("15190.1");
  expect(String(summary.pnlDay)).toBe("-210.45");
  // Since 2020-02-21: +4,690.10, of which 5,000 were paid in.
  expect(String(summary.pnlWeek)).toBe("-309.9");
  // The month before is 2020-01-28, older than the account: everything since the deposits.
  expect(String(summary.pnlMonth)).toBe("190.1");
  expect(String(summary.pnlTotal)).toBe("190.1");
  expect(summary.totalPnLPercent).toBeCloseTo(1.2673, 3);
});

it("an account that was never read at its broker adds nothing", async () => {
  const summary = await summarizePortfolio(context, {});
  expect(String(summary.totalValue)).toBe("0");
  expect(summary.totalPnLPercent).toBeNull();
  expect(summary.asOf).toBeNull();
  expect(summary.accounts).toEqual([
    {
      id: accountId,
      name: expect.stringMatching(/^Practice account \w+…$/),
      ...{ isInSums: false, isInDay: false, isInWeek: false, isInMonth: false },
    },
  ]);
});

it("says which accounts the sums hold: an account counts from its first reading on", async () => {
  const second = await makeAccount(db(), context.actor.userId, { name: "Second", equity: "500" });
  const held = async () => (await summarizePortfolio(context, {})).accounts.map(({ isInSums }) => isInSums);
  const read = (id: string) =>
    db().accountFigures.update({ where: { accountId: id }, data: { asOf: new Date("2020-02-28T18:00:00Z") } });
  expect(await held()).toEqual([false, false]);
  await read(accountId);
  expect(await held()).toEqual([true, false]);
  expect(String((await summarizePortfolio(context, {})).totalValue)).toBe("100000");
  await read(second.id);
  expect(await held()).toEqual([true, true]);
  expect(String((await summarizePortfolio(context, {})).totalValue)).toBe("100500");
});

it("the P&L of the day leaves out an account that was not read on it, and says which", async () => {
  const second = await makeAccount(db(), context.actor.userId);
  const newcomer = await makeAccount(db(), context.actor.userId);
  const read = (id: string, equity: string, asOf: string) =>
    db().accountFigures.update({
      where: { accountId: id },
      data: { equity, lastEquity: "100", netDeposits: "100", asOf: new Date(asOf) },
    });
  const first = (id: string, session: string) => ({ ...point(session, "100", "100"), accountId: id });
  await db().equityPoint.createMany({ data: [first(accountId, "2020-02-26"), first(second.id, "2020-02-27")] });
  await read(accountId, "93", "2020-02-27T19:00:00Z");
  await read(second.id, "102", "2020-02-28T15:00:00Z");
  const { accounts, pnlDay, pnlTotal } = await summarizePortfolio(context, {});
  expect([pnlDay, pnlTotal].map(String)).toEqual(["2", "-5"]);
  const inSums = new Map(accounts.map(({ id, isInSums, isInDay }) => [id, [isInSums, isInDay]]));
  expect([accountId, second.id, newcomer.id].map((id) => inSums.get(id))).toEqual([
    [true, false],
    [true, true],
    [false, false],
  ]);
});

it("the P&L of week and month leaves out what an account did before them that is read no longer, and says so", async () => {
  const second = await makeAccount(db(), context.actor.userId);
  const [week, month] = [await makeAccount(db(), context.actor.userId), await makeAccount(db(), context.actor.userId)];
  const fell = async (id: string, before: string, session: string) => {
    await db().equityPoint.create({ data: { ...point(before, "10000", "10000"), accountId: id } });
    await db().accountFigures.update({
      where: { accountId: id },
      data: { equity: "9300", lastEquity: "10000", netDeposits: "10000", asOf: new Date(`${session}T20:00:00Z`) },
    });
  };
  await fell(accountId, "2020-02-27", "2020-02-28");
  await fell(second.id, "2020-03-09", "2020-03-10");
  await fell(week.id, "2020-02-13", "2020-02-14");
  await fell(month.id, "2020-02-12", "2020-02-13");
  const today = await makeAccount(db(), context.actor.userId);
  await db().equityPoint.create({ data: { ...point("2020-03-12", "100", "100"), accountId: today.id } });
  await db().accountFigures.update({
    where: { accountId: today.id },
    data: { equity: "110", lastEquity: "100", netDeposits: "100", asOf: new Date("2020-03-13T19:00:00Z") },
  });
  const { accounts, pnlDay, pnlWeek, pnlMonth, pnlTotal } = await summarizePortfolio(context, {});
  expect([pnlDay, pnlWeek, pnlMonth, pnlTotal].map(Number)).toEqual([10, -690, -2090, -2790]);
  const marks = new Map(accounts.map((each) => [each.id, [each.isInDay, each.isInWeek, each.isInMonth]]));
  expect([accountId, second.id, week.id, month.id, today.id].map((id) => marks.get(id))).toEqual([
    [false, false, true],
    [false, true, true],
    [false, false, true],
    [false, false, false],
    [true, true, true],
  ]);
});

it("the equity line holds the first reading, closing points and the running session, and carries the latest value of each account", async () => {
  const second = await makeAccount(db(), context.actor.userId);
  await db().equityPoint.createMany({
    data: [
      point("2020-02-26", "100", "100"),
      point("2020-02-27", "110", "100"),
      { ...point("2020-02-27", "50", "50"), accountId: second.id },
      point("2020-02-28", "120", "100", false),
      { ...point("2020-02-26", "101", "101", false), at: new Date("2020-02-26T16:00:00Z") },
      // Points of a session that has closed are summed up by its closing point.
      { ...point("2020-02-26", "102", "100", false), at: new Date("2020-02-26T17:00:00Z") },
    ],
  });
  const { environment, points } = await drawEquity(context, {});
  expect(environment).toBe("PRACTICE");
  expect(points.map((row) => String(row.equity))).toEqual(["101", "100", "160", "170"]);
});

it("positions tell how far the levels that rest for them are from the price, and belong to the accounts that are added up", async () => {
  const held = (symbol: string, currentPrice: string | null = "100") => ({
    ...{ accountId, symbol, qty: "2", avgEntryPrice: "90", currentPrice },
    openedAt: new Date("2020-02-28T15:00:00Z"),
    // What is intended is no order.
    ...{ stopPrice: "99", targetPrice: "101" },
  });
  const order = (symbol: string, changes: Partial<Prisma.OrderUncheckedCreateInput>) =>
    db().order.create({
      data: {
        ...{ accountId, symbol, origin: "EXTERNAL", side: "SELL", orderClass: "OCO", timeInForce: "gtc", qty: "2" },
        ...{ role: "STOP", type: "STOP", status: "HELD", brokerStatus: "held" },
        ...{ brokerOrderId: randomUUID(), clientOrderId: randomUUID() },
        submittedAt: new Date("2020-02-28T15:00:00Z"),
        tradedAt: new Date("2020-02-28T15:00:00Z"),
        brokerUpdatedAt: new Date("2020-02-28T15:00:00Z"),
        ...changes,
      },
    });
  const target = (limitPrice: string) => ({ role: "TARGET", type: "LIMIT", status: "NEW", limitPrice }) as const;
  const pair = async (symbol: string, stopPrice: string, limitPrice: string) => {
    const { id } = await order(symbol, target(limitPrice));
    await order(symbol, { stopPrice, parentId: id });
  };
  await db().position.createMany({
    data: ["BOTH", "FALLEN", "LATER", "NONE", "TWICE"].map((symbol) => held(symbol)).concat(held("UNPRICED", null)),
  });
  await pair("BOTH", "92.5", "110");
  await pair("UNPRICED", "92.5", "110");
  await pair("TWICE", "94", "108");
  await pair("TWICE", "92", "109");
  await order("FALLEN", { stopPrice: "92.5", status: "CANCELED" });
  // The legs of an entry that is not filled sell nothing yet.
  const entry = await order("LATER", { role: "ENTRY", type: "LIMIT", side: "BUY", status: "PARTIALLY_FILLED" });
  await order("LATER", { stopPrice: "92.5", parentId: entry.id });
  await order("LATER", { ...target("110"), status: "HELD", parentId: entry.id });

  const shown = (await listPositions(context, {})).map((row) => [
    row.symbol,
    ...[row.stopPrice, row.targetPrice].map((price) => (price === null ? null : Number(price))),
    ...[row.stopDistancePercent, row.targetDistancePercent],
  ]);
  expect(shown).toEqual([
    ["BOTH", 92.5, 110, -7.5, 10],
    ["FALLEN", null, null, null, null],
    ["LATER", null, null, null, null],
    ["NONE", null, null, null, null],
    ["TWICE", 92, 108, -8, 8],
    ["UNPRICED", 92.5, 110, null, null],
  ]);
  await db().account.update({ where: { id: accountId }, data: { status: "INACTIVE" } });
  expect(await listPositions(context, {})).toEqual([]);
});
