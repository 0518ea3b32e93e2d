import { beforeEach, describe, expect, it } from "vitest";
import { cents, money, sum, text } from "@/lib/domain/money.ts";
import { testContext } from "@/lib/proof/fixtures/orders.ts";
import { IN_WEEK, minutes, paperBook, point, SATURDAY, trip } from "@/lib/proof/fixtures/week-book.ts";
import { haltAccount } from "../../core/halt-account.ts";
import { inTransaction } from "../../core/transaction.ts";
import { db } from "../../db.ts";
import type { MailProps } from "../../mail/mail-props.ts";
import { renderMail } from "../../mail/render-mail.ts";
import { makeAccount, makeUser, type MadeUser } from "@/prisma/factories.ts";
import { writeWeeklySummaries } from "./write-weekly-summaries.ts";

let user: MadeUser;
beforeEach(async () => {
  user = await makeUser(db(), { firstName: "Ada" });
});

const write = (at = SATURDAY) => writeWeeklySummaries(testContext({ now: () => at }));
const mails = async () =>
  (await db().outbox.findMany({ where: { userId: user.id, template: "weekly-summary" } })).map(
    ({ props }) => props as unknown as MailProps<"weekly-summary">,
  );

describe("a week", () => {
  it("has the figures of the books, to the cent", async () => {
    const accountId = await paperBook(user.id);
    await write();
    const [mail, ...others] = await mails();
    expect(others).toEqual([]);
    const [block, ...more] = mail?.blocks ?? [];
    expect(more).toEqual([]);
    const week = { gte: new Date("2026-11-14T05:00:00Z"), lt: new Date("2026-11-21T05:00:00Z") };
    const closures = await db().lotClosure.findMany({ where: { lot: { accountId }, at: week } });
    const fills = await db().fill.findMany({ where: { accountId, at: week } });
    const realized = sum(closures.map((row) => money(row.realizedPnl)));
    const volume = sum(fills.map((row) => money(row.qty).times(money(row.price))));
    expect([block?.realizedPnl, block?.volume].map((value) => text(cents(money(value ?? "NaN"))))).toEqual(
      [realized, volume].map((value) => text(cents(value))),
    );
    // 10 × 10.49 − 0.03 = 104.87; 3.5 × −9.989 = −34.9615; 1 × 0
    expect(block).toEqual({
      environment: "PAPER",
      accounts: ["Swing"],
      from: "2026-11-14T05:00:00.000Z",
      to: "2026-11-21T05:00:00.000Z",
      equityStart: "100000.123",
      equityEnd: "105069.4545",
      netDeposits: "5000",
      pnl: "69.3315",
      realizedPnl: "69.9085",
      volume: "2870.0685",
      trades: 6,
      wins: 1,
      losses: 1,
      scratches: 1,
      best: { symbol: "SPY", pnl: "104.87", reason: "Profit target" },
      worst: { symbol: "SPY", pnl: "-34.9615", reason: "Protective stop" },
      exits: [
        { reason: "Protective stop", count: 2, pnl: "-34.9615" },
        { reason: "Profit target", count: 1, pnl: "104.87" },
      ],
      halts: [],
    });
    const { subject, text: body } = await renderMail("weekly-summary", mail);
    expect(subject).toBe("Your week 14 Nov – 20 Nov 2026");
    for (const line of ["+$69.33", "$105,069.45", "+$5,000.00", "+$104.87", "-$34.96", "1 won · 1 lost · 1 even"])
      expect(body).toContain(line);
    expect(body).toContain("/performance/week/2026-11-16?env=paper");
  });

  it("of each environment stands alone: live before paper before practice, nothing added up", async () => {
    await paperBook(user.id);
    const { id: live } = await makeAccount(db(), user.id, { broker: "ALPACA", environment: "LIVE" });
    await point(live, minutes(0), "5000", "5000");
    const { id: practice } = await makeAccount(db(), user.id);
    // The practice market went from March 2019 to May 2019 while the wall had its week.
    const market = { market: "PRACTICE" as const, sessionDate: new Date("2019-03-01"), status: "DONE" as const };
    const cycle = (startedAt: string, createdAt: string) =>
      db().cycle.create({ data: { ...market, startedAt: new Date(startedAt), createdAt: new Date(createdAt) } });
    await cycle("2019-03-01T20:00:00Z", "2026-11-14T04:59:00Z");
    await cycle("2019-05-01T20:00:00Z", "2026-11-21T04:59:00Z");
    await cycle("2019-05-02T20:00:00Z", "2026-11-21T05:01:00Z");
    await point(practice, new Date("2019-03-01T20:00:00Z"), "100000");
    await trip(practice, { qty: "1", paid: "1", got: "2", reason: "time_stop" }, new Date("2019-03-01T20:00:00Z"));
    await trip(practice, { qty: "1", paid: "1", got: "3", reason: "time_stop" }, new Date("2019-04-01T20:00:00Z"));
    await trip(practice, { qty: "1", paid: "1", got: "4", reason: "time_stop" }, new Date("2019-05-02T19:00:00Z"));
    await point(practice, new Date("2019-05-01T20:00:00Z"), "100002");
    await write();
    const [mail] = await mails();
    expect(mail?.blocks.map(({ environment }) => environment)).toEqual(["LIVE", "PAPER", "PRACTICE"]);
    expect(mail?.blocks[0]).toMatchObject({ equityStart: null, equityEnd: "5000", netDeposits: "5000", pnl: "0" });
    expect(mail?.blocks[2]).toMatchObject({
      from: "2019-03-01T20:00:00.000Z",
      to: "2019-05-01T20:00:00.000Z",
      realizedPnl: "2",
      pnl: "2",
      trades: 2,
    });
    await db().cycle.deleteMany();
  });

  it("names the accounts that are in its figures alone: none that its owner has not confirmed", async () => {
    const live = { broker: "ALPACA", environment: "LIVE" } as const;
    const { id } = await makeAccount(db(), user.id, { ...live, name: "Main" });
    const { id: unconfirmed } = await makeAccount(db(), user.id, { ...live, name: "Unconfirmed" });
    await db().account.update({ where: { id: unconfirmed }, data: { status: "INACTIVE", liveConfirmedAt: null } });
    await point(id, minutes(0), "5000", "5000");
    await write();
    expect((await mails())[0]?.blocks[0]?.accounts).toEqual(["Main"]);
  });

  it("names the halts of its accounts", async () => {
    const accountId = await paperBook(user.id);
    const halt = testContext({ now: () => IN_WEEK });
    await inTransaction(halt, (tx) => haltAccount(halt, tx, accountId, "Positions differ: SPY 10 here, 9 there"));
    await write();
    const halts = (await mails())[0]?.blocks[0]?.halts;
    expect(halts).toMatchObject([{ at: IN_WEEK.toISOString(), account: "Swing" }]);
  });
});

describe("a summary", () => {
  it("is written once, however often and by however many workers it is asked for, and shown in the pages", async () => {
    await paperBook(user.id);
    await Promise.all([write(), write(), write()]);
    await write(new Date("2026-11-22T10:00:00Z"));
    expect(await mails()).toHaveLength(1);
    expect(await db().notification.findMany({ where: { userId: user.id } })).toMatchObject([
      {
        kind: "WEEKLY",
        title: "Your week 14 Nov – 20 Nov 2026",
        text: "PAPER: 6 trades",
        environment: null,
        link: "/performance/week/2026-11-16?env=paper",
      },
    ]);
  });

  it("counts an account with a past of its own from its first reading", async () => {
    const { id } = await makeAccount(db(), user.id, { broker: "ALPACA" });
    // 100,000 paid in and 25,000 made before it was connected on Wednesday.
    await point(id, IN_WEEK, "125000");
    await point(id, new Date("2026-11-20T20:00:00.000Z"), "125300");
    await write();
    const [block] = (await mails())[0]?.blocks ?? [];
    expect(block).toMatchObject({ equityStart: null, equityEnd: "125300", netDeposits: "125000", pnl: "300" });
  });

  it("is not written for a week in which nothing happened", async () => {
    const { id } = await makeAccount(db(), user.id, { broker: "ALPACA" });
    await point(id, new Date("2026-11-13T21:00:00Z"), "100000");
    await point(id, new Date("2026-11-20T21:00:00Z"), "100000");
    await write();
    expect(await mails()).toEqual([]);
    expect(await db().notification.count({ where: { userId: user.id } })).toBe(0);
  });

  it("is not written before Saturday, eight o'clock in New York, nor from Monday on", async () => {
    await paperBook(user.id);
    await write(new Date("2026-11-21T12:59:00Z"));
    await write(new Date("2026-11-23T13:00:00Z"));
    expect(await mails()).toEqual([]);
  });

  it.each([
    [{ weeklySummary: false }, 0, 0],
    [{ emailNotifications: false }, 0, 1],
    [{ orderNotifications: false, tradeNotifications: false, systemAlerts: false }, 1, 1],
  ])("with %j goes by mail %i times and to the pages %i times", async (preferences, mailed, shown) => {
    await paperBook(user.id);
    await db().notificationPreferences.update({ where: { userId: user.id }, data: preferences });
    await write();
    expect(await mails()).toHaveLength(mailed);
    expect(await db().notification.count({ where: { userId: user.id } })).toBe(shown);
  });
});
