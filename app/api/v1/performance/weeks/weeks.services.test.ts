import { beforeEach, expect, it } from "vitest";
import type { Answer, Endpoint } from "@/lib/contracts/endpoint.ts";
import { performanceApi } from "@/lib/contracts/performance.ts";
import { callDoor, type Door } from "@/lib/proof/call-door.ts";
import { keepDecisions, recordCycleDecision } from "@/lib/proof/fixtures/looks.ts";
import { testContext } from "@/lib/proof/fixtures/orders.ts";
import { writeFill } from "@/lib/proof/fixtures/performance.ts";
import { IN_WEEK, paperBook, point, SATURDAY, trip } from "@/lib/proof/fixtures/week-book.ts";
import type { SideName } from "@/lib/domain/enums.ts";
import { money } from "@/lib/domain/money.ts";
import { inTransaction } from "@/lib/server/core/transaction.ts";
import { db } from "@/lib/server/db.ts";
import type { MailProps } from "@/lib/server/mail/mail-props.ts";
import { dateOf } from "@/lib/server/rows.ts";
import { purgeDecisions } from "@/lib/server/services/cycles/purge-decisions.ts";
import { postFill } from "@/lib/server/services/ledger/post-fill.ts";
import { writeWeeklySummaries } from "@/lib/server/services/notifications/write-weekly-summaries.ts";
import { makeAccount, makeSignIn, makeUser, type MadeUser } from "@/prisma/factories.ts";
import * as week from "./[week]/route.ts";
import * as weeks from "./route.ts";

let user: MadeUser;
let token: string;
beforeEach(async () => {
  user = await makeUser(db());
  token = await makeSignIn(db(), user);
});

async function ask<E extends Endpoint>(door: Door, _of: E, rest: object, as = token): Promise<Answer<E>> {
  const { status, json } = await callDoor(door, "GET", { token: as, ...rest });
  expect(status, JSON.stringify(json)).toBe(200);
  return json?.data as unknown as Answer<E>;
}
const readWeek = (date: string, query = "", as?: string) =>
  ask(week, performanceApi.week, { params: { week: date }, query }, as);
const listWeeks = (query = "", as?: string) => ask(weeks, performanceApi.weeks, { query }, as);
const said = ({ headline }: Answer<typeof performanceApi.week>) => headline.map((part) => part.text).join("");

const close = (accountId: string, session: string, equity: string, netDeposits = "100000") =>
  db().equityPoint.create({
    data: {
      accountId,
      at: new Date(`${session}T21:00:00.500Z`),
      sessionDate: dateOf(session),
      isClose: true,
      equity,
      netDeposits,
    },
  });

/** Sessions of the book's week and its neighbours, as the broker closed them. */
async function bookWithCloses(): Promise<string> {
  const accountId = await paperBook(user.id);
  await close(accountId, "2026-11-13", "100000.123");
  await close(accountId, "2026-11-18", "100060.123");
  await close(accountId, "2026-11-20", "105069.4545", "105000");
  await close(accountId, "2026-11-23", "105000", "105000");
  return accountId;
}

it("shows of a week what its mail says, to the cent", async () => {
  await bookWithCloses();
  await writeWeeklySummaries(testContext({ now: () => SATURDAY }));
  const mail = await db().outbox.findFirstOrThrow({ where: { userId: user.id, template: "weekly-summary" } });
  const block = (mail.props as unknown as MailProps<"weekly-summary">).blocks[0]!;
  const { figures } = await readWeek("2026-11-16");
  for (const key of ["equityStart", "equityEnd", "netDeposits", "pnl", "realizedPnl"] as const)
    expect(figures?.[key], key).toBe(Number(block[key]));
  const { wins, losses, scratches } = block;
  expect(figures).toMatchObject({ wins, losses, scratches, pnl: 69.3315 });
  expect(figures?.exits.map(({ reason, count }) => ({ reason, count }))).toEqual(
    block.exits.map(({ reason, count }) => ({ reason, count })),
  );
  expect([figures?.best?.symbol, figures?.worst?.reason]).toEqual([block.best?.symbol, block.worst?.reason]);
  expect((figures?.bought.orders ?? 0) + (figures?.sold.orders ?? 0)).toBe(block.trades);
  expect((figures?.bought.value ?? 0) + (figures?.sold.value ?? 0)).toBeCloseTo(Number(block.volume), 1);
});

it("tells sessions, regimes, round trips, refusals and what was held, and its list tells the same result", async () => {
  const accountId = await bookWithCloses();
  const data = await readWeek("2026-11-18", "environment=PAPER");
  expect(data).toMatchObject({
    environment: "PAPER",
    monday: "2026-11-16",
    friday: "2026-11-20",
    previous: "2026-11-09",
    isRunning: false,
    moreTrips: 0,
    refusals: { decisions: 0, groups: [] },
    held: [],
    risk: { atStops: 0, unknown: 0 },
  });
  expect(said(data)).toMatch(
    /^A week of \+\$69\.33 \(\+0\.07%\)\. 3 round trips: 1 won, 1 lost, 1 even; 2 at their stops\.$/,
  );
  expect(data.sessions.map(({ session, pnl }) => [session, pnl])).toEqual([
    ["2026-11-16", null],
    ["2026-11-17", null],
    ["2026-11-18", 60],
    ["2026-11-19", null],
    ["2026-11-20", 9.3315],
  ]);
  expect(data.figures?.besideSessions).toBe(0);
  expect(data.trips.map(({ symbol, outcome }) => [symbol, outcome])).toEqual([
    ["SPY", "SCRATCH"],
    ["SPY", "LOSS"],
    ["SPY", "WIN"],
  ]);
  const list = await listWeeks();
  expect(list.weeks.map(({ monday, pnl, sessions }) => [monday, pnl, sessions])).toEqual([
    ["2026-11-23", expect.anything(), 1],
    ["2026-11-16", data.figures?.pnl, 2],
    ["2026-11-09", expect.anything(), 1],
  ]);
  expect(list.weeks[1]?.value).toBeCloseTo(data.figures?.value ?? NaN, 12);
  await db().roundTrip.create({ data: { accountId, symbol: "AMD", openedAt: IN_WEEK, closedAt: null } });
  const { held, risk } = await readWeek("2026-11-16");
  expect(held).toMatchObject([{ symbol: "AMD", quantity: null, stop: null, isOpen: true }]);
  expect(risk).toEqual({ atStops: 0, unknown: 1 });
  expect((await readWeek("2026-11-09")).held).toEqual([]);
});

it("tells what prevented purchases until decisions of the week are deleted, and then that it is not known", async () => {
  const accountId = await bookWithCloses();
  const at = (minute: number) => new Date(IN_WEEK.getTime() + minute * 60_000);
  await recordCycleDecision(accountId, at(0), {
    line: "10:00: 503 screened, 50 seated, 7 signals, 0 orders: 4 sector",
  });
  const line = "10:05: 503 screened, 50 seated, 7 signals, 1 orders: 3 sector";
  await recordCycleDecision(accountId, at(5), { line, orders: 1 });
  await recordCycleDecision(accountId, new Date("2027-04-01T15:00:00.000Z"));
  const purge = (day: string) => purgeDecisions(testContext({ now: () => new Date(`${day}T12:00:00.000Z`) }));
  const refusals = async () => (await readWeek("2026-11-16")).refusals;
  const whole = { decisions: 2, groups: [expect.objectContaining({ code: "sector", decisions: 2 })] };
  keepDecisions(100);
  try {
    await purge("2027-02-25");
    expect(await refusals()).toEqual(whole);
    await purge("2027-02-27");
    expect(await refusals()).toBeNull();
    // However long decisions are kept from then on, these do not come back.
    keepDecisions();
    expect(await refusals()).toBeNull();
    expect((await readWeek("2026-11-09")).refusals).toEqual({ decisions: 0, groups: [] });
  } finally {
    keepDecisions();
  }
});

it("says of holdings what their stops would have realised then, whatever became of them", async () => {
  const { id: accountId } = await makeAccount(db(), user.id, { broker: "ALPACA" });
  await close(accountId, "2026-11-13", "100000");
  const order = (more: object) => ({
    accountId,
    origin: "EXTERNAL" as const,
    brokerOrderId: crypto.randomUUID(),
    clientOrderId: crypto.randomUUID(),
    symbol: "AMD",
    orderClass: "SIMPLE" as const,
    timeInForce: "gtc",
    qty: "10",
    submittedAt: IN_WEEK,
    tradedAt: IN_WEEK,
    brokerUpdatedAt: IN_WEEK,
    ...more,
  });
  /** A trade, booked as its report would be. */
  async function trade(side: SideName, qty: string, price: string, at: Date): Promise<void> {
    const filled = {
      filledAt: at,
      filledQty: qty,
      filledAvgPrice: price,
      filledValue: money(qty).times(price).toFixed(),
    };
    const dated = { submittedAt: at, tradedAt: at, brokerUpdatedAt: at, qty };
    const kind = { role: "EXTERNAL", side, type: "MARKET", status: "FILLED", brokerStatus: "filled" };
    const row = await db().order.create({ data: order({ ...kind, ...filled, ...dated }) as never });
    const known = { accountId, orderId: row.id, executionId: `${row.id}:${qty}`, symbol: "AMD" };
    const fill = await db().fill.create({ data: { ...known, side, qty, price, at, source: "STREAM" } });
    const context = testContext();
    await inTransaction(context, (tx) => postFill(context, tx, fill, row, { isFirstOfOrder: true }));
  }
  const next = new Date("2026-11-24T15:00:00Z");
  await trade("BUY", "10", "90", IN_WEEK);
  await trade("BUY", "10.5", "100", new Date(IN_WEEK.getTime() + 60_000));
  // First in, first out: the shares of the first purchase are gone, at the end of the week those of the second were held.
  await trade("SELL", "10", "96", new Date(IN_WEEK.getTime() + 120_000));
  await trade("SELL", "10.5", "94", next);
  const stop = { role: "STOP", side: "SELL", type: "STOP", status: "CANCELED", brokerStatus: "canceled" };
  // The first stop was raised in the week, the second one rested until the next.
  await db().order.create({
    data: order({ ...stop, stopPrice: "90", endedAt: new Date(IN_WEEK.getTime() + 1) }) as never,
  });
  await db().order.create({
    data: order({ ...stop, stopPrice: "95", endedAt: new Date("2026-11-24T15:00:00Z") }) as never,
  });
  const { held, risk } = await readWeek("2026-11-16");
  expect(held).toMatchObject([{ symbol: "AMD", quantity: 10.5, paid: 100, stop: 95, atStop: -50, isOpen: false }]);
  expect(risk).toEqual({ atStops: -50, unknown: 0 });
});

it("ends the running week with the latest reading, whose result is that of its sessions and of the list", async () => {
  const { id: accountId } = await makeAccount(db(), user.id);
  await close(accountId, "2026-11-13", "100000");
  await point(accountId, new Date("2026-11-16T15:01:00Z"), "100120");
  await db().accountFigures.update({
    where: { accountId },
    data: { equity: "99950", netDeposits: "100000", asOf: new Date("2026-11-16T15:14:00Z") },
  });
  const { figures, sessions, asOf } = await readWeek("2026-11-16");
  expect(asOf).toBe("2026-11-16T15:14:00.000Z");
  expect(figures).toMatchObject({ equityStart: 100_000, equityEnd: 99_950, pnl: -50, besideSessions: 0 });
  expect(figures?.value).toBeCloseTo(-0.0005, 12);
  expect(sessions[0]).toMatchObject({ session: "2026-11-16", pnl: -50 });
  expect((await listWeeks()).weeks[0]).toMatchObject({ monday: "2026-11-16", pnl: -50 });
  // The week before ended with its close, whatever was read since.
  expect((await readWeek("2026-11-09")).figures).toMatchObject({ equityEnd: 100_000 });
});

it("tells what was held of shares that a split changed before, and says so only of those that one changed since", async () => {
  const { id: accountId } = await makeAccount(db(), user.id, { broker: "ALPACA" });
  await close(accountId, "2026-11-13", "100000");
  const held = async (symbol: string, exDate: string, closedAt: Date | null = null) => {
    await db().roundTrip.create({
      data: { accountId, symbol, openedAt: IN_WEEK, closedAt, outcome: closedAt && "SCRATCH" },
    });
    const lot = { accountId, symbol, openedAt: IN_WEEK, qtyOpened: "10", costPrice: "90" };
    const { id: lotId } = await db().lot.create({ data: { ...lot, qtyRemaining: closedAt ? "0" : "10" } });
    if (closedAt) {
      const orderId = await writeFill(accountId, "SELL", "90", closedAt.toISOString());
      const { id: fillId } = await db().fill.findFirstOrThrow({ where: { orderId } });
      const sold = { lotId, fillId, qty: "10", proceeds: "900", cost: "900", fees: "0", realizedPnl: "0" };
      await db().lotClosure.create({ data: { ...sold, at: closedAt } });
    }
    const action = { accountId, activityId: symbol, symbol, kind: "SPLIT", ratio: "2", qtyBefore: "5", qtyAfter: "10" };
    await db().appliedCorporateAction.create({ data: { ...action, exDate: dateOf(exDate) } });
  };
  await held("AMD", "2026-11-20");
  await held("IBM", "2026-11-23");
  // Bought again later, and split then.
  await held("XOM", "2026-11-30", new Date("2026-11-24T15:00:00Z"));
  const quantities = (await readWeek("2026-11-16")).held.map(({ symbol, quantity }) => [symbol, quantity]);
  expect(quantities).toEqual([
    ["AMD", 10],
    ["IBM", null],
    ["XOM", 10],
  ]);
});

it("counts nothing of what an account did before it was added, as its result does, and so does the mail", async () => {
  const { id } = await makeAccount(db(), user.id, { broker: "ALPACA" });
  const fee = (activityId: string, day: string) => ({
    ...{ accountId: id, activityId, type: "FEE", amount: "-1", isExternal: false },
    at: new Date(`${day}T05:00:00Z`),
  });
  await db().cashFlow.createMany({ data: [fee("before", "2026-11-17"), fee("after", "2026-11-19")] });
  await trip(id, { qty: "10", paid: "100", got: "150", reason: "profit_target" }, new Date("2026-11-16T15:00:00Z"));
  // 100,000 paid in and 25,000 made before it was connected on Wednesday.
  await point(id, IN_WEEK, "125000");
  await trip(id, { qty: "1", paid: "100", got: "90", reason: "time_stop" }, new Date("2026-11-19T15:00:00Z"));
  await close(id, "2026-11-20", "124990");
  const { figures, trips, moreTrips } = await readWeek("2026-11-16");
  const only = { symbol: "SPY", pnl: -10, reason: "Time stop" };
  expect(figures).toMatchObject({
    ...{ pnl: -10, realizedPnl: -10, wins: 0, losses: 1, scratches: 0, best: only, worst: null, fees: 1 },
    ...{ bought: { orders: 1, value: 100 }, sold: { orders: 1, value: 90 }, besideSessions: 0 },
  });
  expect([trips.map(({ pnl }) => pnl), moreTrips]).toEqual([[-10], 0]);
  await writeWeeklySummaries(testContext({ now: () => SATURDAY }));
  const mail = await db().outbox.findFirstOrThrow({ where: { userId: user.id, template: "weekly-summary" } });
  const [block] = (mail.props as unknown as MailProps<"weekly-summary">).blocks;
  expect(block).toMatchObject({ pnl: "-10", realizedPnl: "-10", trades: 2, volume: "190", wins: 0, losses: 1 });
});

it("has nothing of a week before the account or after now, and leads back to those that have", async () => {
  await bookWithCloses();
  for (const [date, neighbours] of [
    ["2019-03-06", { previous: null, next: "2026-11-09" }],
    ["2031-06-04", { next: null }],
  ] as const) {
    const data = await readWeek(date);
    expect(data).toMatchObject({ figures: null, trips: [], held: [], isRunning: false, ...neighbours });
    expect(said(data)).toBe("Nothing is recorded of this week.");
  }
});

it("shows neither another person's week nor another environment's", async () => {
  await bookWithCloses();
  await makeAccount(db(), user.id, { broker: "ALPACA", environment: "LIVE" });
  const stranger = await makeSignIn(db(), await makeUser(db()));
  for (const data of [await readWeek("2026-11-16", "", stranger), await readWeek("2026-11-16", "environment=LIVE")])
    expect(data).toMatchObject({ figures: null, trips: [], held: [] });
  expect((await listWeeks("", stranger)).weeks).toEqual([]);
  expect((await listWeeks("environment=LIVE")).weeks).toEqual([]);
});

it("goes back through the weeks page by page", async () => {
  await bookWithCloses();
  const first = await listWeeks("limit=2");
  expect([first.weeks.length, first.hasMore]).toEqual([2, true]);
  const rest = await listWeeks(`limit=2&before=${first.weeks.at(-1)!.monday}`);
  expect(rest).toMatchObject({ weeks: [{ monday: "2026-11-09" }], hasMore: false });
});

it.each(["limit=0", "limit=61", "before=yesterday", "environment=DEMO", "colour=red"])(
  "a list of weeks does not take %s (400)",
  async (query) => {
    expect((await callDoor(weeks, "GET", { token, query })).status).toBe(400);
  },
);

it.each(["last", "2026-W47", "2026-13-01", "1899-12-31", "9999-01-01"])("%s is no week (400)", async (date) => {
  expect((await callDoor(week, "GET", { token, params: { week: date } })).status).toBe(400);
});

it("strangers are turned away (401)", async () => {
  expect((await callDoor(weeks, "GET")).status).toBe(401);
  expect((await callDoor(week, "GET", { params: { week: "2026-11-16" } })).status).toBe(401);
});
