import { beforeEach, expect, it } from "vitest";
import { money, text } from "@/lib/domain/money.ts";
import { sessionHours, sessionsBetween } from "@/lib/domain/market-calendar.ts";
import { newYorkInstant } from "@/lib/domain/time.ts";
import { makeAccount, makeUser } from "@/prisma/factories.ts";
import type { Context } from "../../context.ts";
import { db } from "../../db.ts";
import { sessionOf } from "../../rows.ts";
import { testContext } from "@/lib/proof/fixtures/orders.ts";
import { activityFromWire } from "../../broker/alpaca-activities.ts";
import { postActivity } from "../ledger/post-activity.ts";
import { recordEquity } from "./record-equity.ts";

let accountId: string;

beforeEach(async () => {
  accountId = (await makeAccount(db(), (await makeUser(db())).id, { equity: "0" })).id;
  await db().account.updateMany({ where: { id: { not: accountId } }, data: { reconciledAt: null } });
  await db().account.update({ where: { id: accountId }, data: { reconciledAt: new Date() } });
});

/** A reading at a New York time of a January of 2020, of a broker that states these figures then. */
async function readAt(
  date: string,
  hour: number,
  minute: number,
  equity: string,
  lastEquity: string,
  answers: (id: string) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const balances = { equity, lastEquity, cash: equity, buyingPower: equity, longMarketValue: "0" };
  const calendar = sessionsBetween("2019-12-30", "2020-01-31").map((session) => ({
    session,
    ...sessionHours(session)!,
  }));
  const context: Context = testContext({
    brokers: {
      forAccount: ({ id }: { id: string }) => ({ account: async () => (await answers(id), balances) }),
    } as unknown as Context["brokers"],
    marketData: () =>
      ({
        clock: () => Promise.resolve({ now: newYorkInstant(date, hour, minute), isOpen: true }),
        calendar: () => Promise.resolve(calendar),
      }) as unknown as ReturnType<Context["marketData"]>,
  });
  await recordEquity(context, { market: "PRACTICE" });
}

const paidIn500 = (date: string) =>
  db().cashFlow.create({
    data: {
      ...{ accountId, activityId: "c", type: "CSD", amount: "500", isExternal: true },
      at: new Date(newYorkInstant(date, 0, 0)),
    },
  });

const closes = async () =>
  (await db().equityPoint.findMany({ where: { accountId, isClose: true }, orderBy: { at: "asc" } })).map(
    ({ sessionDate, equity, netDeposits }) =>
      `${sessionOf(sessionDate)} ${text(money(equity))} of ${text(money(netDeposits))}`,
  );

it("the close of a session is what the broker states the next session, once, without the money of that day", async () => {
  await db().accountFigures.update({ where: { accountId }, data: { netDeposits: "1000" } });
  await readAt("2020-01-16", 15, 46, "1010", "1000");
  await paidIn500("2020-01-17");
  await db().accountFigures.update({ where: { accountId }, data: { netDeposits: "1500" } });
  await readAt("2020-01-17", 9, 31, "1517", "1012");
  await readAt("2020-01-17", 9, 46, "1520", "1012");
  expect(await closes()).toEqual(["2020-01-16 1012 of 1000"]);
  // Over a weekend and a holiday (20 January).
  await readAt("2020-01-21", 9, 31, "1530", "1521");
  expect(await closes()).toEqual(["2020-01-16 1012 of 1000", "2020-01-17 1521 of 1500"]);
});

it("money that came on a day without a session is not counted to the close before it", async () => {
  await readAt("2020-01-17", 15, 46, "1010", "1000");
  await paidIn500("2020-01-18");
  await db().accountFigures.update({ where: { accountId }, data: { netDeposits: "500" } });
  await readAt("2020-01-21", 9, 31, "1520", "1012");
  expect(await closes()).toEqual(["2020-01-17 1012 of 0"]);
});

it("near a close the broker may speak of that one already: it is not taken for the one before", async () => {
  await readAt("2020-01-16", 12, 0, "1010", "1000");
  // The worker was down in between; at 16:00 "last equity" becomes that of the 17th.
  await readAt("2020-01-17", 15, 51, "1030", "1030");
  await readAt("2020-01-17", 16, 2, "1030", "1030");
  expect(await closes()).toEqual([]);
});

it("a close before the first reading is of a time when the account was not ours", async () => {
  await readAt("2020-01-16", 18, 0, "1010", "900");
  await readAt("2020-01-17", 9, 31, "1020", "1010");
  expect(await closes()).toEqual([]);
});

it("a deposit that no activity tells of yet raises no high-water mark, and its cash stays to be found", async () => {
  const known = { equity: "10000", cash: "10000", netDeposits: "10000", highWaterMark: "10000" };
  await db().accountFigures.update({ where: { accountId }, data: known });
  await readAt("2020-01-17", 10, 31, "15000", "10000");
  const { equity, cash, highWaterMark } = await db().accountFigures.findUniqueOrThrow({ where: { accountId } });
  expect([equity, cash, highWaterMark].map((value) => text(money(value)))).toEqual(["15000", "10000", "10000"]);
});

/** A movement of money as the broker lists it, at that hour of New York. */
async function book(amount: string, date: string, hour: number): Promise<void> {
  const account = await db().account.findUniqueOrThrow({ where: { id: accountId } });
  const wire = { activity_type: amount.startsWith("-") ? "CSW" : "CSD", date, net_amount: amount, qty: null };
  const at = newYorkInstant(date, hour, 0);
  const { activity } = activityFromWire({ ...wire, id: `${at} ${amount}`, created_at: at });
  await postActivity(testContext(), account, activity);
}

it("money that moved after a close was not there at that close, and what moved before it was", async () => {
  await readAt("2020-01-15", 12, 0, "1000", "1000");
  await db().accountFigures.update({ where: { accountId }, data: { netDeposits: "1000" } });
  await book("200", "2020-01-16", 11);
  await book("500", "2020-01-16", 17);
  await readAt("2020-01-17", 9, 31, "1700", "1200");
  expect(await closes()).toEqual(["2020-01-16 1200 of 1200"]);
});

it("money that is booked late is in the points since it moved, and in none before", async () => {
  await readAt("2020-01-16", 10, 31, "1000", "1000");
  await readAt("2020-01-16", 12, 31, "700", "1000");
  await readAt("2020-01-16", 16, 5, "700", "1000");
  await readAt("2020-01-17", 9, 31, "600", "700");
  await book("-300", "2020-01-16", 11);
  await book("-100", "2020-01-16", 17);
  const points = await db().equityPoint.findMany({ where: { accountId }, orderBy: { at: "asc" } });
  expect(points.map(({ isClose, netDeposits }) => [isClose, text(money(netDeposits))])).toEqual([
    [false, "0"],
    [false, "-300"],
    [true, "-300"],
    [false, "-300"],
    [false, "-400"],
  ]);
});

it("an account whose broker does not answer keeps no other from its point", async () => {
  const other = (await makeAccount(db(), (await makeUser(db())).id, { equity: "0" })).id;
  await db().account.update({ where: { id: other }, data: { reconciledAt: new Date() } });
  const pointsOf = (id: string) => db().equityPoint.count({ where: { accountId: id } });
  const slow = [accountId, other].sort()[0]!;
  const quick = slow === accountId ? other : accountId;
  await readAt("2020-01-16", 12, 0, "1010", "1000", async (id) => {
    if (id === slow) await expect.poll(() => pointsOf(quick)).toBe(1);
  });
  expect(await pointsOf(slow)).toBe(1);
});
