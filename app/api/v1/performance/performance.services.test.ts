import { beforeEach, expect, it } from "vitest";
import type { Answer, Endpoint } from "@/lib/contracts/endpoint.ts";
import { performanceApi } from "@/lib/contracts/performance.ts";
import { portfolioApi } from "@/lib/contracts/portfolio.ts";
import type { SideName } from "@/lib/domain/enums.ts";
import { db } from "@/lib/server/db.ts";
import { dateOf } from "@/lib/server/rows.ts";
import { activePolicy } from "@/lib/server/core/active-policy.ts";
import { systemContext } from "@/lib/server/system-context.ts";
import { makeAccount, makeSignIn, makeUser } from "@/prisma/factories.ts";
import { callDoor, type Door } from "@/lib/proof/call-door.ts";
import { closedTrip, equityAtClose, writeFill, writeHistory } from "@/lib/proof/fixtures/performance.ts";
import { screened, seat } from "@/lib/proof/fixtures/selections.ts";
import * as equity from "../portfolio/equity/route.ts";
import * as markers from "./markers/route.ts";
import * as performance from "./route.ts";
import * as trips from "./trips/route.ts";

let userId: string;
let accountId: string;
let token: string;

beforeEach(async () => {
  const user = await makeUser(db());
  userId = user.id;
  token = await makeSignIn(db(), user);
  accountId = (await makeAccount(db(), userId, { equity: "0" })).id;
});

async function ask<E extends Endpoint>(door: Door, _of: E, query = ""): Promise<Answer<E>> {
  const { status, json } = await callDoor(door, "GET", { token, query });
  expect(status, JSON.stringify(json)).toBe(200);
  return json?.data as unknown as Answer<E>;
}
const readFigures = (query?: string) => ask(performance, performanceApi.read, query);
const readTrips = (query?: string) => ask(trips, performanceApi.trips, query);
const readMarkers = (query?: string) => ask(markers, performanceApi.markers, query);

const close = (session: string, value: string, netDeposits: string, of = accountId) =>
  equityAtClose(of, session, value, netDeposits);
const trip = (symbol: string, closedAt: string, pnl: string, more: object = {}) =>
  closedTrip(accountId, symbol, closedAt, pnl, more);
const fill = (side: SideName, price: string, at: string, fees?: string) => writeFill(accountId, side, price, at, fees);

const figure = (data: Answer<typeof performanceApi.read>, id: string) => data.figures.find((each) => each.id === id);

it.each([performance, trips, markers])("a call without a sign-in is refused (401)", async (door) => {
  expect((await callDoor(door, "GET")).status).toBe(401);
});

it.each([
  ["environment=DEMO", "environment"],
  ["from=yesterday", "from"],
  ["from=2020-02-01&to=2020-01-01", "from"],
  ["colour=red", ""],
])("%s is refused by all three (400)", async (query, path) => {
  for (const door of [performance, trips, markers]) {
    const { status, json } = await callDoor(door, "GET", { token, query });
    expect(status).toBe(400);
    if (path !== "") expect(json?.issues?.[0]?.path).toBe(path);
  }
});

it.each(["outcome=BEST", "strategy=LUCK", "regime=calm", "limit=201", "cursor=nonsense"])(
  "a list of round trips does not take %s (400)",
  async (query) => {
    expect((await callDoor(trips, "GET", { token, query })).status).toBe(400);
  },
);

it("without a reading there is nothing, and nothing is made up", async () => {
  const data = await readFigures();
  expect(data).toMatchObject({ environment: "PRACTICE", sessions: 0, asOf: null, statement: null, equity: null });
  expect(figure(data, "timeWeightedReturn")).toEqual({
    id: "timeWeightedReturn",
    value: null,
    reason: "no session yet",
  });
  const none = await makeUser(db());
  const { json } = await callDoor(performance, "GET", { token: await makeSignIn(db(), none) });
  expect(json?.data).toMatchObject({ environment: null, environments: [], figures: [] });
});

it("return, P&L and exposure of the whole time, with deposits out", async () => {
  await writeHistory(accountId);
  const data = await readFigures();
  expect(data).toMatchObject({
    sessions: 2,
    firstSession: "2020-01-02",
    lastSession: "2020-01-03",
    equity: 15200.01,
    asOf: "2020-01-06T15:00:00.000Z",
  });
  expect(figure(data, "timeWeightedReturn")?.value).toBeCloseTo(1.05 * (15190 / 15500) * (15200.01 / 15190) - 1, 12);
  expect(figure(data, "periodPnl")?.value).toBe(200.01);
  // No reading was taken in the first session before its close.
  expect(figure(data, "meanExposure")?.value).toBe(0.5);
  expect(figure(data, "sharpe")).toMatchObject({ value: null, reason: "needs 60 closed sessions; there are 2" });
});

it("a period begins with the close before it and leaves out what lies outside", async () => {
  await writeHistory(accountId);
  const data = await readFigures("from=2020-01-03&to=2020-01-03");
  expect(data).toMatchObject({ sessions: 1, firstSession: "2020-01-03", equity: 15190 });
  expect(figure(data, "periodPnl")?.value).toBe(-310);
});

it("the statement adds up to the broker's equity to the cent, and says what is not read yet", async () => {
  await writeHistory(accountId);
  const { statement } = await readFigures();
  expect(statement).toEqual({
    deposits: 15000,
    // 150.005: to the cent as every screen shows it.
    realized: 150.01,
    unrealized: 49.49,
    dividends: 3.01,
    fees: 2.5,
    unread: 0,
    equity: 15200.01,
    hasOtherAssets: false,
  });
  // A fill booked after the broker's last reading.
  await db().accountFigures.update({ where: { accountId }, data: { realizedPnl: { increment: "20" } } });
  const later = (await readFigures()).statement;
  expect(later).toMatchObject({ realized: 170.01, unread: -20, equity: 15200.01 });
  const { equity: total, fees, hasOtherAssets: _, ...rest } = later!;
  expect(Object.values(rest).reduce((a, b) => a + b, 0) - fees).toBeCloseTo(total, 9);
});

/** Of the regime: it holds SPY's close before its session. */
const reading = (session: string, spyClose: number) => ({
  ...{ market: "PRACTICE" as const, sessionDate: dateOf(session), spyClose },
  ...{ label: "neutral" as const, votes: 0, hasFlipped: false, memory: {} },
});

it("a period that begins with a session that was not read counts it for SPY as for the account", async () => {
  await db().equityPoint.createMany({ data: [close("2020-01-02", "100", "100"), close("2020-01-06", "110", "100")] });
  const closes = { "2020-01-03": 330, "2020-01-06": 315, "2020-01-07": 346.5 };
  await db().regimeReading.createMany({ data: Object.entries(closes).map((each) => reading(...each)) });
  const { comparison } = await readFigures("from=2020-01-03&to=2020-01-06");
  await db().regimeReading.deleteMany();
  expect(comparison?.value).toBeCloseTo(0.1, 12);
  expect(comparison?.spy).toBeCloseTo(0.05, 12);
});

it("SPY is measured over the very same sessions, and drawn at the same closes", async () => {
  await writeHistory(accountId);
  await db().regimeReading.createMany({
    data: [reading("2020-01-02", 300), reading("2020-01-03", 330), reading("2020-01-06", 315)],
  });
  // No market data answers here: both end at the last close, though the account's own figure runs on.
  const data = await readFigures();
  expect(figure(data, "benchmarkReturn")?.value).toBeCloseTo(0.05, 12);
  expect(data.comparison).toMatchObject({ firstSession: "2020-01-02", lastSession: "2020-01-03", at: null });
  expect(data.comparison?.value).toBeCloseTo(1.05 * (15190 / 15500) - 1, 12);
  expect(data.comparison?.spy).toBeCloseTo(0.05, 12);
  expect(data.years[0]?.spy).toBeCloseTo(0.05, 12);

  // A dividend of 3.30 on the second day, reinvested at 330.
  await db().benchmarkEvent.create({
    data: { market: "PRACTICE", exDate: dateOf("2020-01-03"), ratio: 1, dividend: 3.3 },
  });
  expect((await readFigures()).comparison?.spy).toBeCloseTo(315 / 300 / 0.99 - 1, 12);
  await db().benchmarkEvent.deleteMany();
  expect((await ask(equity, portfolioApi.equity)).benchmark).toEqual([
    { at: "2020-01-02T21:00:00.000Z", value: 330 },
    { at: "2020-01-03T21:00:00.000Z", value: 315 },
  ]);
});

it("round trips: rates, groups, the best and the worst", async () => {
  await db().roundTrip.createMany({
    data: [
      trip("AMD", "2020-01-06T15:00:00Z", "30"),
      trip("BMY", "2020-01-07T15:00:00Z", "-10", { exitReason: "protective_stop", regime: "risk_on" }),
      trip("CVX", "2020-01-08T15:00:00Z", "-5", { exitReason: "protective_stop", strategy: null }),
      trip("DIS", "2020-01-09T15:00:00Z", "60"),
      { ...trip("IBM", "2020-01-09T15:00:00Z", "0"), closedAt: null, outcome: null },
    ],
  });
  const data = await readFigures();
  expect(data.trips).toEqual({ total: 4, wins: 2, losses: 2, scratches: 0 });
  expect(figure(data, "winRate")?.value).toBe(0.5);
  expect(figure(data, "profitFactor")?.value).toBe(6);
  expect(figure(data, "expectancy")?.value).toBe(18.75);
  expect(data.byExit).toMatchObject([
    { key: "profit_target", name: "Profit target", trips: 2, wins: 2, pnl: 90, winRate: 1, profitFactor: null },
    { key: "protective_stop", name: "Protective stop", trips: 2, losses: 2, pnl: -15, winRate: 0, profitFactor: 0 },
  ]);
  expect(data.byStrategy).toMatchObject([{ key: "MOMENTUM" }, { key: "none" }]);
  expect(data.byRegime).toMatchObject([
    { key: "none", trips: 3 },
    { key: "risk_on", trips: 1 },
  ]);
  expect(data).toMatchObject({
    symbols: 4,
    bySymbol: [
      { key: "DIS", pnl: 60 },
      { key: "AMD", pnl: 30 },
      { key: "CVX", pnl: -5 },
      { key: "BMY", pnl: -10 },
    ],
  });
  expect(data.bySector, "never seated: no selection knows their sector").toMatchObject([
    { key: "Unknown", trips: 4, wins: 2, losses: 2, pnl: 75, profitFactor: 6 },
  ]);
  expect(data.distribution.filter(({ trips }) => trips > 0)).toEqual([
    { from: -0.01, to: 0, trips: 2 },
    { from: 0.02, to: 0.05, trips: 1 },
    { from: 0.05, to: 0.1, trips: 1 },
  ]);
  expect(data.best.map(({ symbol }) => symbol)).toEqual(["DIS", "AMD"]);
  expect(data.worst.map(({ symbol }) => symbol)).toEqual(["BMY", "CVX"]);

  const symbols = async (query: string) => (await readTrips(query)).trips.map(({ symbol }) => symbol).join(" ");
  expect(await symbols("")).toBe("DIS CVX BMY AMD");
  expect(await symbols("outcome=LOSS")).toBe("CVX BMY");
  expect(await symbols("strategy=none")).toBe("CVX");
  expect(await symbols("regime=risk_on")).toBe("BMY");
  expect(await symbols("exit=profit_target")).toBe("DIS AMD");
  expect(await symbols("symbol=CVX")).toBe("CVX");
  expect(await symbols("from=2020-01-07&to=2020-01-08")).toBe("CVX BMY");

  const page = await readTrips("limit=3");
  const { nextCursor } = page.pagination;
  expect(await symbols(`limit=3&cursor=${nextCursor}`)).toBe("AMD");
});

it("the best and the worst round trips are in order of the amount, not of its digits", async () => {
  const pnls = ["9", "100", "20", "-9", "-100", "-20"];
  await db().roundTrip.createMany({ data: pnls.map((pnl) => trip("AMD", "2020-01-07T15:00:00Z", pnl)) });
  const { best, worst } = await readFigures();
  expect(best.map(({ pnl }) => pnl)).toEqual([100, 20, 9]);
  expect(worst.map(({ pnl }) => pnl)).toEqual([-100, -20, -9]);
});

it("what is held is told by sector, as the latest selection knows it, with its share of equity", async () => {
  const [position, other] = [
    { accountId, qty: "1", avgEntryPrice: "10", openedAt: new Date("2020-01-02T15:00:00Z") },
    await makeUser(db()),
  ];
  const foreign = await makeAccount(db(), other.id, { equity: "0" });
  await db().position.createMany({
    data: [
      { ...position, symbol: "XOM", marketValue: "300.01" },
      { ...position, symbol: "CVX", marketValue: "100" },
      { ...position, symbol: "NEW", marketValue: "50" },
      { ...position, symbol: "XOM", marketValue: "9999", accountId: foreign.id },
    ],
  });
  await activePolicy(systemContext("test"));
  const { market } = await db().account.findUniqueOrThrow({ where: { id: accountId } });
  await screened("2020-01-03", { market, seats: [seat("XOM", 1, { sector: "Utilities" }), seat("CVX", 2)] });
  await screened("2020-01-06", { market, seats: [seat("XOM", 1)] });
  await db().equityPoint.createMany({ data: [close("2020-01-06", "1000", "1000")] });
  const { exposure } = await readFigures();
  expect(exposure.map(({ sector, value }) => [sector, value])).toEqual([
    ["Energy", 400.01],
    ["Unknown", 50],
  ]);
});

it("a round trip names the trades that opened and closed it, and each trade is marked on the line", async () => {
  const entry = await fill("BUY", "100", "2020-01-03T15:00:00.000Z");
  const exit = await fill("SELL", "103", "2020-01-06T15:00:00.000Z", "0.03");
  await db().roundTrip.create({
    data: trip("AMD", "2020-01-06T15:00:00Z", "29.97", { openedAt: new Date("2020-01-03T15:00:00Z") }),
  });
  const [row] = (await readTrips()).trips;
  expect(row).toMatchObject({ entryTradeId: entry, exitTradeId: exit, pnl: 29.97, pnlFraction: 0.02997 });
  expect((await readMarkers()).markers).toEqual([
    { at: "2020-01-03T15:00:00.000Z", side: "BUY", symbol: "AMD", tradeId: entry, price: 100 },
    { at: "2020-01-06T15:00:00.000Z", side: "SELL", symbol: "AMD", tradeId: exit, price: 103 },
  ]);
  expect((await readMarkers("from=2020-01-06")).markers).toHaveLength(1);
});

it("fees are those of fills and of the broker's own bookings; dividends are none", async () => {
  await fill("SELL", "103", "2020-01-06T15:00:00.000Z", "0.03");
  const flow = (type: string, amount: string, isExternal = false) => ({
    accountId,
    activityId: type,
    type,
    amount,
    isExternal,
    at: new Date("2020-01-06T05:00:00Z"),
  });
  await db().cashFlow.createMany({ data: [flow("FEE", "-1.5"), flow("DIV", "8"), flow("CSD", "500", true)] });
  expect(figure(await readFigures(), "tradingFees")?.value).toBe(1.53);
});

it("slippage is that of our own entries and exits against their decision prices, weighted by value", async () => {
  const ids = [
    await fill("BUY", "100.1", "2020-01-03T15:00:00.000Z"),
    await fill("SELL", "99.9", "2020-01-06T15:00:00.000Z"),
    await fill("SELL", "90", "2020-01-06T16:00:00.000Z"),
  ];
  const roles = ["ENTRY", "EXIT", "STOP"] as const;
  for (const [leg, id] of ids.entries()) {
    const intent = await db().intent.create({
      data: {
        accountId,
        planId: accountId,
        leg,
        clientOrderId: `slip-${accountId}-${leg}`,
        purpose: leg === 0 ? "ENTRY" : "EXIT",
        reason: "entry_momentum",
        symbol: `AMD${leg}`,
        side: leg === 0 ? "BUY" : "SELL",
        type: "MARKET",
        timeInForce: "day",
        qty: "10",
        decisionPrice: "100",
        decidedAt: new Date(),
      },
    });
    await db().order.update({ where: { id }, data: { origin: "OURS", role: roles[leg]!, intentId: intent.id } });
  }
  // A cent of ten worse on both ways; the stop rested at its own price and does not count.
  expect(figure(await readFigures(), "meanSlippage")?.value).toBeCloseTo(10, 9);
});

it("environments are never mixed, and another user's figures are not there", async () => {
  await writeHistory(accountId);
  const paper = await makeAccount(db(), userId, { broker: "ALPACA", equity: "0" });
  await db().accountFigures.update({
    where: { accountId: paper.id },
    data: { equity: "777", netDeposits: "700", longMarketValue: "0", asOf: new Date("2020-01-06T15:00:00Z") },
  });
  await db().equityPoint.create({ data: close("2020-01-03", "770", "700", paper.id) });
  const practice = await readFigures("environment=PRACTICE");
  expect(practice).toMatchObject({ environment: "PRACTICE", environments: ["PAPER", "PRACTICE"], equity: 15200.01 });
  const other = await readFigures();
  expect(other).toMatchObject({ environment: "PAPER", equity: 777, accounts: 1 });
  expect(figure(other, "timeWeightedReturn")?.value).toBeCloseTo(0.11, 12);

  const otherUser = await makeUser(db());
  await makeAccount(db(), otherUser.id);
  const theirs = { token: await makeSignIn(db(), otherUser), query: "environment=PAPER" };
  for (const door of [performance, trips, markers]) {
    const { json } = await callDoor(door, "GET", theirs);
    expect(JSON.stringify(json?.data)).not.toMatch(/777|AMD/);
  }
});

it("an account without a point of a session carries its last one on", async () => {
  const second = await makeAccount(db(), userId, { equity: "0" });
  await db().equityPoint.createMany({
    data: [
      close("2020-01-02", "100", "100"),
      close("2020-01-02", "50", "50", second.id),
      close("2020-01-03", "110", "100"),
    ],
  });
  expect(figure(await readFigures(), "timeWeightedReturn")?.value).toBeCloseTo(160 / 150 - 1, 12);
});
