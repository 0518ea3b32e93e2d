import { randomUUID } from "node:crypto";
import { beforeEach, expect, it } from "vitest";
import type { backtestsApi } from "@/lib/contracts/backtests.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { STRATEGY_NAMES } from "@/lib/domain/enums.ts";
import { db } from "@/lib/server/db.ts";
import { marketData } from "@/lib/server/providers/market-data-registry.ts";
import { marketOfFile, THREAD_PROGRAM } from "@/lib/proof/fixtures/backtests.ts";
import { runBacktests } from "@/lib/server/services/backtests/run-backtests.ts";
import { testContext } from "@/lib/proof/fixtures/orders.ts";
import { makeSignIn, makeUser } from "@/prisma/factories.ts";
import { callDoor, type Door } from "@/lib/proof/call-door.ts";
import * as one from "./[id]/route.ts";
import * as stop from "./[id]/cancel/route.ts";
import * as options from "./options/route.ts";
import * as list from "./route.ts";

type Row = Answer<typeof backtestsApi.create>;

const LONG = 120_000;

marketOfFile();
let token: string;
let userId: string;

beforeEach(async () => {
  const user = await makeUser(db());
  userId = user.id;
  token = await makeSignIn(db(), user);
});

const SETTINGS = {
  strategy: "MEAN_REVERSION",
  riskTolerance: "medium",
  riskLevel: "MEDIUM",
  defaultOrderSize: 5000,
  maxPositions: 20,
  maxPositionValue: 8000,
  profitTarget: 10,
  stopLoss: 5,
};
const ASKED = { market: "PRACTICE", from: "2020-01-10", to: "2020-06-30", cash: 100_000, settings: SETTINGS };

const create = (change: object = {}, as = token) =>
  callDoor(list, "POST", { token: as, body: { ...ASKED, ...change } });
const created = async (change: object = {}) => {
  const answer = await create(change);
  expect(answer.status, answer.text).toBe(200);
  return answer.json?.data as unknown as Row;
};
const listed = async (query = "", as = token) =>
  (await callDoor(list, "GET", { token: as, query })).json?.data as unknown as Answer<typeof backtestsApi.list>;
const of = (door: Door, method: string, id: string, as = token) =>
  callDoor(door, method, { token: as, params: { id }, ...(method === "POST" ? { body: {} } : {}) });
const readRun = async (id: string) =>
  (await of(one, "GET", id)).json?.data as unknown as Answer<typeof backtestsApi.read>;
const play = () => runBacktests(testContext({ marketData }), THREAD_PROGRAM);

it("the options tell which sessions have closed with enough history, and the user's own settings", async () => {
  await db().tradingPreferences.update({ where: { userId }, data: { strategy: "BREAKOUT", maxPositions: 7 } });
  const { json } = await callDoor(options, "GET", { token });
  expect(json?.data).toMatchObject({
    // 253 sessions after 2 January 2019; the market stands before the open of 1 July.
    markets: [{ market: "PRACTICE", sessions: { first: "2020-01-03", last: "2020-06-30" }, reason: null }],
    strategies: [...STRATEGY_NAMES],
    defaults: { market: "PRACTICE", cash: 100_000, settings: { strategy: "BREAKOUT", maxPositions: 7, stopLoss: 3 } },
  });
});

it(
  "a backtest waits, runs in the worker, and tells days, months, round trips, refusals and costs that add up",
  async () => {
    const row = await created();
    expect(row).toMatchObject({
      name: "Mean reversion, 20 × $8,000, target 10%, stop 5%",
      status: "QUEUED",
      progress: { done: 0, total: null, readPercent: null },
      outcome: null,
    });
    expect((await readRun(row.id)).result).toBeNull();
    await play();
    const { result, outcome, status, settings, progress } = await readRun(row.id);
    expect([status, settings, progress]).toEqual(["DONE", SETTINGS, { done: 119, total: 119, readPercent: 100 }]);
    if (!result || !outcome) throw new Error("no result");
    expect(result.days).toHaveLength(119);
    expect(result.days.at(-1)?.equity).toBe(outcome.finalEquity);
    expect(result.days[0]?.at).toBe("2020-01-10T21:00:00.000Z");
    expect(result.trips).toHaveLength(outcome.trips);
    expect(result.trips.length).toBeGreaterThan(10);
    const growth = result.months.reduce((all, { value }) => all * (1 + value), 1);
    expect(growth - 1).toBeCloseTo(outcome.totalReturn ?? Number.NaN, 9);
    const spy = result.months.reduce((all, { index }) => all * (1 + (index ?? Number.NaN)), 1);
    expect(spy - 1).toBeCloseTo(result.figures.find(({ id }) => id === "index_return")?.value ?? Number.NaN, 9);
    const byExit = result.byExit.reduce((total, { pnl }) => total + pnl, 0);
    expect(byExit).toBeCloseTo(
      result.trips.reduce((total, { pnl }) => total + pnl, 0),
      6,
    );
    const { spread, impact, fees, total } = result.costs;
    expect(spread + impact + fees).toBeCloseTo(total, 6);
    expect(
      result.figures.every(
        ({ definition, value, reason }) => definition !== "" && (value === null) === (reason !== null),
      ),
    ).toBe(true);
    const { answer } = result;
    const figureOf = (figure: string) => result.figures.find(({ id }) => id === figure)?.value ?? Number.NaN;
    const [own, held, matched, universe] = answer.holdings.map(({ totalReturn }) => totalReturn ?? Number.NaN);
    expect(own).toBeCloseTo(figureOf("total_return"), 9);
    expect(held).toBeCloseTo(figureOf("index_return"), 9);
    expect(universe).toBeCloseTo(figureOf("universe_return"), 9);
    expect(Math.abs(matched!), "SPY at less than full exposure").toBeLessThan(Math.abs(held!));
    expect(answer.regression).toMatchObject({ sessions: 119 });
    expect(answer.regression?.alpha).toBeCloseTo(figureOf("alpha"), 9);
    expect(answer.verdict).toMatch(/^It (made|lost) [\d.]+% where SPY (made|lost) /);
    expect(answer.spreads?.map(({ multiple, finalEquity }) => [multiple, finalEquity])[0]).toEqual([
      1,
      outcome.finalEquity,
    ]);
    expect(answer.missing).toEqual([]);
    expect(result.overfit).toMatchObject({ tries: 1, bestId: row.id, sharpe: outcome.sharpe });
    expect(result.assumptions.length).toBeGreaterThan(4);
  },
  LONG,
);

it(
  "every further try deflates the best one, deleted tries too",
  async () => {
    const first = await created();
    await created({ settings: { ...SETTINGS, profitTarget: 2 } });
    await play();
    const before = await listed();
    const [meter] = before.overfit;
    expect(meter).toMatchObject({ market: "PRACTICE", strategy: "MEAN_REVERSION", tries: 2 });
    expect(meter?.text).toContain("The best of 2 tries");
    const other = before.backtests.find(({ id }) => id !== meter?.bestId);
    expect((await of(one, "DELETE", other?.id ?? "")).status).toBe(200);
    const after = await listed();
    expect(after.backtests.map(({ id }) => id)).not.toContain(other?.id);
    expect(after.overfit).toEqual(before.overfit);
    expect(await db().backtest.findUniqueOrThrow({ where: { id: other?.id ?? "" } })).toMatchObject({
      name: "",
      record: null,
      figures: null,
    });
    expect(await of(one, "GET", other?.id ?? "")).toMatchObject({ status: 404 });
    expect(
      (await readRun(meter?.bestId ?? first.id)).result?.figures.find(({ id }) => id === "deflated_sharpe"),
    ).toMatchObject({
      name: "Deflated Sharpe (2 tries)",
      value: meter?.deflated,
    });
  },
  LONG,
);

it.each([
  ["to", { to: "2020-07-01" }, "The last session that has closed is 30 Jun 2020."],
  ["to", { from: "2020-01-11", to: "2020-01-12" }, "The market was closed from 11 Jan 2020 to 12 Jan 2020."],
  ["from", { from: "2019-06-03" }, "The first day that can be traded is 3 Jan 2020"],
  ["to", { from: "2020-03-02", to: "2020-03-01" }, "must not lie before"],
  ["to", { from: "2015-01-02" }, "may span 1100 days at most"],
  ["from", { from: "2020-02-30" }, "From is a date"],
  ["cash", { cash: 999 }, "Cash must be between $1,000 and $10,000,000."],
  ["market", { market: "US" }, "Add an Alpaca account to run backtests on the US market."],
  ["name", { name: "x".repeat(81) }, "80 characters at most"],
  ["settings.maxPositions", { settings: { ...SETTINGS, maxPositions: 21 } }, "Max Positions must be between 1 and 20."],
  ["settings.stopLoss", { settings: { ...SETTINGS, stopLoss: 0 } }, "Stop Loss must be between 0.1 and 50."],
  ["settings.paperTradingOnly", { settings: { ...SETTINGS, paperTradingOnly: false } }, ""],
] as const)("%s of %j is refused by name", async (path, change, message) => {
  const answer = await create(change);
  expect(answer.status).toBe(400);
  expect(answer.json?.issues?.map((issue) => issue.path)).toContain(path);
  expect(answer.text).toContain(message);
  expect(await db().backtest.count({ where: { userId } })).toBe(0);
});

it("two wait, the third is refused, ten at once change nothing of that, and cancelling one makes room", async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => create()));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, ...Array.from({ length: 8 }, () => 409)]);
  expect(await db().backtest.count({ where: { userId } })).toBe(2);
  const [row] = (await listed()).backtests;
  expect(await of(stop, "POST", row?.id ?? "")).toMatchObject({ status: 200, json: { data: { status: "CANCELED" } } });
  expect((await of(stop, "POST", row?.id ?? "")).status, "cancelling twice").toBe(200);
  await created();
});

it("twenty are kept; one more needs one less", async () => {
  const row = await created();
  const { id: _, ...kept } = await db().backtest.findUniqueOrThrow({
    where: { id: row.id },
    omit: { figures: true, record: true },
  });
  const data = Array.from({ length: 19 }, () => ({
    ...kept,
    preferences: kept.preferences ?? {},
    status: "CANCELED" as const,
  }));
  await db().backtest.createMany({ data });
  expect(await create()).toMatchObject({ status: 409, json: { error: expect.stringContaining("Delete one") } });
  expect((await of(one, "DELETE", row.id)).status).toBe(200);
  await created();
});

it("runs are listed newest first, page by page, each once", async () => {
  const [first, second] = [await created({ name: "First" }), await created({ name: "Second" })];
  expect((await listed()).backtests.map(({ name }) => name)).toEqual(["Second", "First"]);
  const page = await listed("limit=1");
  expect(page.backtests.map(({ id }) => id)).toEqual([second.id]);
  const rest = await listed(`limit=1&cursor=${page.pagination.nextCursor}`);
  expect([rest.backtests.map(({ id }) => id), rest.pagination.nextCursor]).toEqual([[first.id], null]);
  expect((await callDoor(list, "GET", { token, query: "cursor=nonsense" })).status).toBe(400);
});

it("what has come to its end cannot be cancelled", async () => {
  const { id } = await created();
  await db().backtest.update({ where: { id }, data: { status: "FAILED", error: "It broke off." } });
  expect(await of(stop, "POST", id)).toMatchObject({ status: 409 });
});

it("no user sees, cancels or deletes another's backtest, and every call needs a sign-in", async () => {
  const { id } = await created();
  const stranger = await makeSignIn(db(), await makeUser(db()));
  expect((await listed("", stranger)).backtests).toEqual([]);
  for (const which of [id, randomUUID()])
    for (const [door, method] of [
      [one, "GET"],
      [stop, "POST"],
      [one, "DELETE"],
    ] as const)
      expect(await of(door, method, which, stranger)).toMatchObject({
        status: 404,
        json: { error: "Backtest not found." },
      });
  expect(await db().backtest.findUniqueOrThrow({ where: { id } })).toMatchObject({ status: "QUEUED" });
  for (const [door, method] of [
    [list, "GET"],
    [list, "POST"],
    [options, "GET"],
    [one, "GET"],
    [one, "DELETE"],
    [stop, "POST"],
  ] as const)
    expect(
      await callDoor(door, method, { params: { id }, ...(method === "POST" ? { body: ASKED } : {}) }),
    ).toMatchObject({ status: 401 });
});
