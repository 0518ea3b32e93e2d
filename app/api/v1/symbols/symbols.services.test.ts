import { afterAll, beforeAll, expect, it } from "vitest";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import type { portfolioApi } from "@/lib/contracts/portfolio.ts";
import type { symbolsApi } from "@/lib/contracts/symbols.ts";
import { smaAt } from "@/lib/domain/indicators/sma.ts";
import { money, type Money } from "@/lib/domain/money.ts";
import { newYorkInstant } from "@/lib/domain/time.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import { callDoor } from "@/lib/proof/call-door.ts";
import { look, openTrader, ROOMY, startMarketDay } from "@/lib/proof/fixtures/cycles.ts";
import { WITH_SHEET, wholePlanOf } from "@/lib/server/core/json.ts";
import { readStoredBars } from "@/lib/server/core/bar-packs.ts";
import { db } from "@/lib/server/db.ts";
import { dateOf, sessionOf } from "@/lib/server/rows.ts";
import { ensureFlags } from "@/lib/server/services/flags/ensure-flags.ts";
import { systemContext } from "@/lib/server/system-context.ts";
import { makeSignIn, makeUser } from "@/prisma/factories.ts";
import * as positionDoor from "../positions/[accountId]/[symbol]/route.ts";
import * as linesDoor from "../portfolio/position-lines/route.ts";
import * as barsDoor from "./[symbol]/bars/route.ts";
import * as symbolDoor from "./[symbol]/route.ts";

const UNKNOWN = "ZZZZZ";

let exchange: Exchange;
let token: string;
let stranger: string;
let strangersAccount: string;
let accountId: string;
let held: string;

/** Two traders decide at the first looks of a session; one holds what the other has no part in. */
beforeAll(async () => {
  exchange = await startMarketDay();
  const context = systemContext("test");
  await ensureFlags(context);
  const trader = await openTrader(context, ROOMY);
  accountId = trader.accountId;
  token = await makeSignIn(db(), trader.user);
  const other = await openTrader(context, { maxPositions: 1 });
  strangersAccount = other.accountId;
  stranger = await makeSignIn(db(), other.user);
  for (const minutes of [7, 5, 5]) await look(exchange, context, minutes);
  const positions = await db().position.findMany({ where: { accountId }, orderBy: { symbol: "asc" } });
  const others = await db().position.findMany({ where: { accountId: strangersAccount } });
  held = positions.find(({ symbol }) => others.every((other) => other.symbol !== symbol))?.symbol ?? "";
  expect(held).not.toBe("");
}, 120_000);

afterAll(() => exchange.close());

const get = async (symbol: string, as = token, query = "") =>
  callDoor(symbolDoor, "GET", { token: as, params: { symbol }, query });
const told = async (symbol: string, as = token, query = "") =>
  (await get(symbol, as, query)).json?.data as unknown as Answer<typeof symbolsApi.read>;
const position = (account: string, symbol: string, as = token) =>
  callDoor(positionDoor, "GET", { token: as, params: { accountId: account, symbol } });
const toldPosition = async () =>
  (await position(accountId, held)).json?.data as unknown as Answer<typeof symbolsApi.position>;

const words = ({ parts }: { parts: { text: string }[] }) => parts.map(({ text }) => text).join("");
const cents = (value: Money | { toString(): string } | number) => money(value).toDecimalPlaces(2).toString();

async function latestPlan() {
  const row = await db().decisionRecord.findFirstOrThrow({
    where: { accountId },
    orderBy: { decidedAt: "desc" },
    include: WITH_SHEET,
  });
  return { row, plan: wholePlanOf(row) };
}

it("an account without a name is told by its key, of a position and of its symbol", async () => {
  await db().account.update({ where: { id: accountId }, data: { name: null } });
  const { keyPrefix } = await db().account.findUniqueOrThrow({ where: { id: accountId } });
  const account = { id: accountId, name: `Practice account ${keyPrefix}…` };
  expect((await toldPosition()).account).toEqual(account);
  expect((await told(held)).accounts).toEqual([account]);
});

it("of a held symbol price, holding, trades and stops are those of the rows, to the cent", async () => {
  const row = await db().position.findUniqueOrThrow({ where: { accountId_symbol: { accountId, symbol: held } } });
  const answer = await told(held);
  expect(answer).toMatchObject({ environment: "PRACTICE", market: "PRACTICE", symbol: held });
  expect(answer.name).toEqual(expect.any(String));
  expect(cents(answer.price ?? 0)).toBe(cents(row.currentPrice ?? 0));
  expect(answer.positions).toHaveLength(1);
  expect(cents(answer.positions[0]?.unrealizedPnL ?? 0)).toBe(cents(row.unrealizedPnl ?? 0));
  const [standing] = answer.standings;
  expect(standing?.isHeld).toBe(true);
  expect(words(standing!.sentence)).toMatch(/^Already yours since 3 Feb 2020: it is sold at its stop of \$\d/);
  const entry = await db().order.findFirstOrThrow({ where: { accountId, symbol: held, side: "BUY" } });
  expect(answer.trades).toMatchObject([{ id: entry.id, side: "BUY", status: "FILLED" }]);
  expect(cents(answer.trades[0]?.totalValue ?? 0)).toBe(cents(entry.filledValue));
  const trips = await db().roundTrip.findMany({ where: { accountId, symbol: held } });
  expect(answer.trips.map(({ id, entryValue }) => [id, cents(entryValue)])).toEqual(
    trips.map(({ id, entryValue }) => [id, cents(entryValue)]),
  );
  const legs = await db().order.findMany({
    where: { accountId, symbol: held, role: { in: ["STOP", "TARGET"] }, status: { not: "REJECTED" } },
  });
  expect(legs.length).toBeGreaterThan(1);
  expect(answer.levels.map(({ id, price }) => [id, cents(price)]).sort()).toEqual(
    legs.map(({ id, stopPrice, limitPrice }) => [id, cents(stopPrice ?? limitPrice ?? 0)]).sort(),
  );
});

it("the change of the day counts from the stored close before the session", async () => {
  const answer = await told(held);
  const bars = (await readStoredBars("PRACTICE", { from: "", to: "9999-12-31", symbols: [held] })).get(held);
  const close = bars?.close.at(-1) ?? 0;
  expect(answer.dayChange?.since).toBe(bars?.dates.at(-1));
  expect(answer.dayChange?.amount).toBeCloseTo((answer.price ?? 0) - close, 6);
});

it("the line of a position is the closes since it was opened, before the reading, in the split basis of the reading", async () => {
  const { dates, close } = (await readStoredBars("PRACTICE", { from: "", to: "9999-12-31", symbols: [held] })).get(
    held,
  )!;
  const lines = async () => {
    const answer = await callDoor(linesDoor, "GET", { token, params: {} });
    return (answer.json?.data as unknown as Answer<typeof portfolioApi.positionLines>).lines;
  };
  const own = async () => (await lines()).find(({ symbol }) => symbol === held);
  const where = { accountId_symbol: { accountId, symbol: held } };
  const { openedAt } = await db().position.findUniqueOrThrow({ where });
  expect(await own()).toEqual({ accountId, symbol: held, closes: [] });
  const since = dates.at(-3)!;
  await db().position.update({ where, data: { openedAt: new Date(newYorkInstant(since, 10, 0)) } });
  expect((await own())?.closes).toEqual([...close.slice(-3)]);
  const split = {
    market: "PRACTICE" as const,
    symbol: held,
    kind: "split",
    exDate: dateOf("2020-02-03"),
    place: 0,
    value: 4,
  };
  await db().marketEvent.create({ data: split });
  expect((await own())?.closes).toEqual([...close.slice(-3)].map((value) => value / 4));
  await db().marketEvent.deleteMany({ where: split });
  await db().position.update({ where, data: { openedAt } });
  expect((await lines()).every((line) => line.accountId === accountId)).toBe(true);
});

it("of every symbol that was looked at and not bought the first rule that refused it is named, and its decision cited", async () => {
  const { row, plan } = await latestPlan();
  const refused = plan.candidates.filter(({ symbol, failing }) => failing.length > 0 && symbol !== held).slice(0, 6);
  expect(refused.length).toBeGreaterThan(0);
  for (const { symbol, hasSignal, confidence } of refused) {
    const answer = await told(symbol);
    const [standing] = answer.standings;
    if (answer.positions.length > 0) continue;
    expect(standing?.decisionId).toBe(row.id);
    expect(standing?.sentence.cites).toEqual([expect.objectContaining({ href: `/decisions/${row.id}` })]);
    expect(words(standing!.sentence)).toMatch(hasSignal ? /^Not bought: / : /^Not bought: it gives no reason/);
    expect(standing?.score === null).toBe(confidence === null);
  }
});

it("scores, seats, news and reports are those that the market's record has", async () => {
  const selection = await db().selection.findFirstOrThrow({ where: { market: "PRACTICE" }, include: { seats: true } });
  const seat = selection.seats.find(({ symbol }) => symbol === held);
  const news = {
    market: "PRACTICE" as const,
    id: "n-1",
    headline: "Up",
    source: "wire",
    score: 0.4,
    scoreSource: "lexicon",
  };
  await db().newsItem.create({ data: { ...news, symbols: [held], publishedAt: new Date("2020-02-03T12:00:00Z") } });
  const reaction = { market: "PRACTICE" as const, symbol: held, reportTime: "BMO" as const, reaction: -0.031 };
  await db().earningsReaction.upsert({
    where: { market_symbol_reportDate: { market: "PRACTICE", symbol: held, reportDate: dateOf("2019-10-30") } },
    create: { ...reaction, reportDate: dateOf("2019-10-30") },
    update: reaction,
  });
  const answer = await told(held);
  expect(answer.sessionDate).toBe(sessionOf(selection.sessionDate));
  expect(answer.seat?.rank).toBe(seat?.rank);
  expect(answer.scores.at(-1)?.compositeScore).toBe(seat?.compositeScore);
  expect(answer.news).toContainEqual(expect.objectContaining({ id: "n-1", score: 0.4, scoreSource: "lexicon" }));
  expect(answer.earnings.reactions).toContainEqual({ date: "2019-10-30", time: "BMO", reaction: -0.031 });
});

it("candles are the stored bars of two years at most, with the averages of the indicators", async () => {
  const answer = (await callDoor(barsDoor, "GET", { token, params: { symbol: held } })).json?.data as unknown as Answer<
    typeof symbolsApi.bars
  >;
  const stored = (await readStoredBars("PRACTICE", { from: "", to: "9999-12-31", symbols: [held] })).get(held)!;
  const { sessions, close, sma50, sma200 } = answer.bars;
  const last = stored.dates.length - 1;
  expect(sessions.length).toBeGreaterThan(250);
  expect(Date.parse(sessions.at(-1)!) - Date.parse(sessions[0]!)).toBeLessThanOrEqual(731 * 86_400_000);
  expect(answer.splits).toEqual([]);
  expect(close).toEqual([...stored.close.slice(-close.length)]);
  expect(sma50.at(-1)).toBe(smaAt(stored.close, last, 50));
  expect(sma200.at(-1)).toBe(smaAt(stored.close, last, 200));
  expect([sma50.length, sma200.length]).toEqual([sessions.length, sessions.length]);
});

it("a position tells what is at risk and what ends it, equal to its rows to the cent", async () => {
  const row = await db().position.findUniqueOrThrow({ where: { accountId_symbol: { accountId, symbol: held } } });
  const stop = await db().order.findFirstOrThrow({ where: { accountId, symbol: held, role: "STOP" } });
  const answer = await toldPosition();
  const [price, qty, at] = [money(row.currentPrice ?? 0), money(row.qty), money(stop.stopPrice ?? 0)];
  expect(answer).toMatchObject({ environment: "PRACTICE", sessionsHeld: 0, strategyLabel: "Momentum" });
  expect(cents(answer.protectedQuantity)).toBe(cents(qty));
  expect(cents(answer.atRisk ?? 0)).toBe(cents(price.minus(at).times(qty)));
  expect(cents(answer.pnlAtStop ?? 0)).toBe(cents(at.minus(money(row.avgEntryPrice)).times(qty)));
  expect(answer.ends[0]).toMatchObject({ kind: "STOP" });
  expect(cents(answer.ends[0]?.price ?? 0)).toBe(cents(at));
  expect(answer.ends.length).toBeGreaterThan(3);
});

it("a position of a halted account is not said to be sold by its strategy", async () => {
  await db().account.update({ where: { id: accountId }, data: { haltedAt: new Date(), haltReason: "a test" } });
  const { ends } = await toldPosition();
  await db().account.update({ where: { id: accountId }, data: { haltedAt: null, haltReason: null } });
  expect(ends.map(({ kind }) => kind)).not.toContain("CLOSE");
  expect(ends.at(-1)?.text).toBe("While the account is halted Tradewind sends no other sale of it.");
});

it("of another person, neither a holding nor trades nor decisions are seen, and a position is not found", async () => {
  const answer = await told(held, stranger);
  expect(answer.positions).toEqual([]);
  expect(answer.trades).toEqual([]);
  expect(answer.levels).toEqual([]);
  expect(answer.accounts.map(({ id }) => id)).toEqual([strangersAccount]);
  expect(answer.standings.map(({ isHeld }) => isHeld)).toEqual([false]);
  for (const denied of [await position(accountId, held, stranger), await position(accountId, UNKNOWN)])
    expect(denied).toMatchObject({ status: 404, json: { error: "Position not found." } });
});

it("an unknown symbol is not found, with a sentence; what is no symbol is refused by name; a stranger is refused", async () => {
  expect(await get(UNKNOWN)).toMatchObject({
    status: 404,
    json: { error: expect.stringMatching(/^ZZZZZ is not known/) },
  });
  const bars = await callDoor(barsDoor, "GET", { token, params: { symbol: UNKNOWN } });
  expect(bars).toMatchObject({ status: 404, json: { error: "No prices of ZZZZZ are stored in this market." } });
  expect(await get("no symbol")).toMatchObject({ status: 400, json: { issues: [{ path: "symbol" }] } });
  expect(await callDoor(symbolDoor, "GET", { params: { symbol: held } })).toMatchObject({ status: 401 });
  expect(await callDoor(positionDoor, "GET", { params: { accountId, symbol: held } })).toMatchObject({ status: 401 });
});

it("without an account the market's own record is shown, and what it takes to buy", async () => {
  const newcomer = await makeSignIn(db(), await makeUser(db()));
  const answer = await told(held, newcomer);
  expect(answer).toMatchObject({ environment: null, market: "PRACTICE", positions: [], trades: [] });
  expect(answer.standings.map(({ sentence }) => words(sentence))).toEqual([
    `Nothing is bought for you: ${held} needs an account that Tradewind trades for.`,
  ]);
});
