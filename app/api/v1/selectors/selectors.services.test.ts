import { beforeEach, describe, expect, it } from "vitest";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import type { selectorsApi } from "@/lib/contracts/selectors.ts";
import { db } from "@/lib/server/db.ts";
import { forgetEnv } from "@/lib/server/env.ts";
import { dateOf } from "@/lib/server/rows.ts";
import { activePolicy } from "@/lib/server/core/active-policy.ts";
import { systemContext } from "@/lib/server/system-context.ts";
import { makeSignIn, makeUser } from "@/prisma/factories.ts";
import * as symbolDoor from "../admin/symbols/[symbol]/route.ts";
import { callDoor, type Door } from "@/lib/proof/call-door.ts";
import { judge, news, screened, seat, watch } from "@/lib/proof/fixtures/selections.ts";
import * as watchlistDoor from "./earnings-watchlist/route.ts";
import * as historyDoor from "./qa-results/history/route.ts";
import * as qaDoor from "./qa-results/route.ts";
import * as top50Door from "./top50/route.ts";

let admin: string;
let trader: string;

beforeEach(async () => {
  process.env.LOG_LEVEL = "error";
  delete process.env.ALPACA_DATA_KEY_ID;
  delete process.env.ALPACA_DATA_SECRET;
  // No server listens there: the market's clock is unavailable in these tests.
  process.env.EXCHANGE_URL = "http://127.0.0.1:9";
  forgetEnv();
  await activePolicy(systemContext("test"));
  for (const rows of [db().selection, db().regimeReading, db().earningsWatch, db().earningsReaction, db().newsItem])
    await (rows.deleteMany as () => Promise<unknown>)();
  await db().featureFlag.deleteMany();
  await db().schedule.deleteMany();
  await db().lease.deleteMany();
  admin = await makeSignIn(db(), await makeUser(db(), { role: "ADMIN" }));
  trader = await makeSignIn(db(), await makeUser(db()));
});

/** US market data counts as configured, without being asked. */
function configureUs() {
  process.env.ALPACA_DATA_KEY_ID = "key";
  process.env.ALPACA_DATA_SECRET = "secret";
  process.env.ALPACA_PAPER_URL = "http://127.0.0.1:9";
  process.env.ALPACA_DATA_URL = "http://127.0.0.1:9";
  forgetEnv();
}

async function read<T>(door: Door, query = "", params: Record<string, string> = {}): Promise<T> {
  const { status, json } = await callDoor(door, "GET", { token: admin, query, params });
  expect(json?.error ?? null).toBeNull();
  expect(status).toBe(200);
  return json?.data as unknown as T;
}

const readTop50 = (query?: string) => read<Answer<typeof selectorsApi.top50>>(top50Door, query);
const readWatchlist = (query?: string) => read<Answer<typeof selectorsApi.earningsWatchlist>>(watchlistDoor, query);
const readQa = (query?: string) => read<Answer<typeof selectorsApi.qaResults>>(qaDoor, query);
const readHistory = (query?: string) => read<Answer<typeof selectorsApi.qaHistory>>(historyDoor, query);
const readSymbol = (symbol: string) => read<Answer<typeof selectorsApi.symbol>>(symbolDoor, "", { symbol });

describe("the doors", () => {
  it.each<[string, Door, Record<string, string>]>([
    ["top50", top50Door, {}],
    ["earnings-watchlist", watchlistDoor, {}],
    ["qa-results", qaDoor, {}],
    ["qa-results/history", historyDoor, {}],
    ["symbols", symbolDoor, { symbol: "AAA" }],
  ])("%s lets administrators in, and takes only what it names", async (_, door, params) => {
    await screened("2020-02-04", { seats: [seat("AAA", 1)] });
    const as = async (token: string | undefined, query = "") =>
      (await callDoor(door, "GET", { ...(token === undefined ? {} : { token }), query, params })).status;
    expect(await as(admin)).toBe(200);
    expect(await as(trader)).toBe(403);
    expect(await as(undefined)).toBe(401);
    expect(await as(admin, "market=LIVE")).toBe(400);
    expect(await as(admin, "environment=PAPER")).toBe(400);
  });
});

describe("the market of an answer", () => {
  it("is PRACTICE while US is not configured or has not been screened", async () => {
    await screened("2020-02-04");
    expect(await readTop50()).toMatchObject({ market: "PRACTICE", markets: ["PRACTICE"] });
    configureUs();
    expect(await readTop50()).toMatchObject({ market: "PRACTICE", markets: ["US", "PRACTICE"] });
  });

  it("is US once it is configured and screened, and each can be asked for", async () => {
    configureUs();
    await screened("2020-02-04", { seats: [seat("AAA", 1)] });
    await screened("2026-11-20", { seats: [seat("BBB", 1)], market: "US" });
    expect(await readTop50()).toMatchObject({ market: "US", universe: [{ symbol: "BBB" }] });
    expect(await readTop50("market=PRACTICE")).toMatchObject({ market: "PRACTICE", universe: [{ symbol: "AAA" }] });
  });

  it("before the first screening answers nothing, and when it will be, or why that is not known", async () => {
    const empty = await readTop50();
    expect(empty).toMatchObject({
      sessionDate: null,
      policyVersion: null,
      regime: null,
      universe: [],
      qaResults: [],
      metadata: { totalStocks: 0, stickySeats: 0, freshSeats: 0, lastUpdated: null },
      nextScreening: { at: null, reason: "No worker is running." },
    });
    expect(await readWatchlist()).toMatchObject({ today: null, isCurrent: true, watchlist: [], calendar: [] });
    expect(await readQa()).toMatchObject({
      metadata: { totalRules: 0, passedRules: 0, failedRules: 0, criticalFailures: 0, lastUpdated: null },
      results: [],
      metrics: { selections: 0, rules: [] },
    });
    expect((await readHistory()).selections).toEqual([]);

    await db().lease.create({ data: { name: "worker", owner: "test", beatAt: new Date() } });
    expect((await readTop50()).nextScreening.reason).toBe("No screening is scheduled yet.");
    const dueAt = new Date("2020-02-04T14:30:00.000Z");
    await db().schedule.create({ data: { key: "screening:PRACTICE", job: "screening", market: "PRACTICE", dueAt } });
    expect((await readTop50()).nextScreening).toEqual({ at: dueAt.toISOString(), reason: null });
    await db().systemState.update({ where: { id: 1 }, data: { isQueueActive: false } });
    expect((await readTop50()).nextScreening.reason).toBe("The job queue is paused.");
    await db().systemState.update({ where: { id: 1 }, data: { isQueueActive: true } });
    expect((await readTop50("market=US")).nextScreening.reason).toBe("Market data of this market is not configured.");
  });
});

it("top50: the last session's seats by rank, in the specification's names, with counts, regime and QA results", async () => {
  await screened("2020-02-03", { seats: [seat("OLD", 1)] });
  const { id } = await screened("2020-02-04", {
    seats: [
      seat("BBB", 2, { kind: "fresh", tenureSessions: 1, sentimentScore: null, reasons: ["one", "two", "three"] }),
      seat("AAA", 1),
    ],
  });
  await judge(id, "allocation", "UNKNOWN", "critical", null);
  const reading = { market: "PRACTICE" as const, votes: 3, hasFlipped: false, memory: {} };
  await db().regimeReading.createMany({
    data: [
      {
        ...reading,
        sessionDate: dateOf("2020-02-04"),
        label: "risk_on",
        vix: 12.5,
        spyClose: 330,
        spyMa20: 328,
        spyMa50: null,
      },
      { ...reading, sessionDate: dateOf("2020-02-05"), label: "risk_off" },
    ],
  });
  const top50 = await readTop50();
  expect(top50).toMatchObject({
    sessionDate: "2020-02-04",
    policyVersion: "2.9.0",
    metadata: { totalStocks: 2, stickySeats: 1, freshSeats: 1, lastUpdated: "2020-02-04T14:30:00.000Z" },
    regime: { regime_label: "risk_on", vix: 12.5, spy_close: 330, spy_ma_20: 328, spy_ma_50: null },
    qaResults: [{ ruleId: "allocation", passed: false, status: "UNKNOWN", margin: null }],
  });
  expect(top50.universe).toEqual([
    {
      symbol: "AAA",
      rank: 1,
      sector: "Energy",
      lastPrice: 101.255,
      compositeScore: 89,
      liquidityScore: 80,
      sentimentScore: 55,
      technicalScore: 70.5,
      freshOrSticky: "sticky",
      tenureSessions: 9,
      reasons: ["Liquidity 80 of 100 (+9.0 points)"],
    },
    expect.objectContaining({ symbol: "BBB", sentimentScore: null, freshOrSticky: "fresh" }),
  ]);
});

describe("the earnings watchlist", () => {
  it("is the last session's, counted by risk, by rank and by day; an unknown upside is null", async () => {
    await screened("2020-02-04", { metadata: { hasEarnings: true } });
    await watch("OLD", 1, { sessionDate: dateOf("2020-02-03") });
    await watch("BBB", 2, {
      riskLevel: "LOW",
      earningsTime: "BMO",
      upside: 0,
      upsideSource: "none",
      volumeRatio: null,
    });
    await watch("AAA", 1, { earningsDate: dateOf("2020-02-10") });
    await watch("CCC", 3, { riskLevel: "MEDIUM" });
    const list = await readWatchlist();
    expect(list).toMatchObject({
      isCurrent: true,
      // The market's clock is unavailable: days are counted from the session.
      today: "2020-02-04",
      metadata: { totalStocks: 3, lowRisk: 1, mediumRisk: 1, highRisk: 1, lastUpdated: "2020-02-04T14:30:00.000Z" },
    });
    expect(list.watchlist.map(({ symbol }) => symbol)).toEqual(["AAA", "BBB", "CCC"]);
    expect(list.watchlist[1]).toMatchObject({ upside: null, earningsTime: "BMO", volumeRatio: null, lastPrice: 20.5 });
    expect(list.calendar.map(({ date, stocks }) => [date, stocks.map(({ symbol }) => symbol)])).toEqual([
      ["2020-02-06", ["BBB", "CCC"]],
      ["2020-02-10", ["AAA"]],
    ]);
  });

  it("is empty where no company reports soon, and an earlier session's where the calendar was unavailable", async () => {
    await watch("OLD", 1, { sessionDate: dateOf("2020-02-03") });
    const { id } = await screened("2020-02-04", { metadata: { hasEarnings: true } });
    expect(await readWatchlist()).toMatchObject({ sessionDate: "2020-02-04", isCurrent: true, watchlist: [] });
    await db().selection.update({ where: { id }, data: { metadata: { hasEarnings: false } } });
    expect(await readWatchlist()).toMatchObject({
      sessionDate: "2020-02-03",
      isCurrent: false,
      metadata: { lastUpdated: "2020-02-03T14:30:00.000Z" },
      watchlist: [{ symbol: "OLD" }],
    });
    await db().earningsWatch.deleteMany();
    expect(await readWatchlist()).toMatchObject({ sessionDate: "2020-02-04", isCurrent: false, watchlist: [] });
  });
});

describe("QA results", () => {
  it("are the last selection's: what could not be judged counts as failed; metrics look back over selections", async () => {
    const before = await screened("2020-02-03");
    await judge(before.id, "allocation", "FAIL", "critical", -0.02);
    await judge(before.id, "swap_limits", "PASS", "high", 3);
    const { id } = await screened("2020-02-04");
    await judge(id, "swap_limits", "PASS", "high", 5);
    await judge(id, "allocation", "UNKNOWN", "critical", null);
    const other = await screened("2020-02-05", { market: "US" });
    await judge(other.id, "swap_limits", "FAIL");
    const qa = await readQa();
    expect(qa).toMatchObject({
      flags: { qaLiveGate: false, qaHistory: false },
      metadata: {
        totalRules: 2,
        passedRules: 1,
        failedRules: 1,
        criticalFailures: 1,
        lastUpdated: "2020-02-04T14:30:00.000Z",
      },
    });
    expect(qa.results).toEqual([
      {
        ruleId: "allocation",
        passed: false,
        status: "UNKNOWN",
        severity: "critical",
        message: "said",
        expected: "this",
        actual: "that",
        margin: null,
        timestamp: "2020-02-04T14:30:00.000Z",
      },
      expect.objectContaining({ ruleId: "swap_limits", passed: true, margin: 5 }),
    ]);
    expect(qa.metrics).toEqual({
      selections: 2,
      rules: [
        {
          ruleId: "allocation",
          severity: "critical",
          passed: 0,
          failed: 2,
          unknown: 1,
          smallestMargin: -0.02,
          lastFailedOn: "2020-02-04",
        },
        {
          ruleId: "swap_limits",
          severity: "high",
          passed: 2,
          failed: 0,
          unknown: 0,
          smallestMargin: 3,
          lastFailedOn: null,
        },
      ],
    });
  });

  it("follow their flags", async () => {
    for (const name of ["qa_live_gate", "qa_history"]) await db().featureFlag.create({ data: { name, enabled: true } });
    expect((await readQa()).flags).toEqual({ qaLiveGate: true, qaHistory: true });
  });

  it("have a history that pages by cursor, newest first, each selection once", async () => {
    const sessions = ["2020-02-03", "2020-02-04", "2020-02-05", "2020-02-06", "2020-02-07"];
    for (const session of sessions) await judge((await screened(session)).id, "allocation", "PASS", "critical", 0.01);
    const seen: string[] = [];
    let query = "limit=2";
    for (let page = 0; page < 3; page += 1) {
      const { selections, pagination } = await readHistory(query);
      seen.push(...selections.map(({ sessionDate }) => sessionDate));
      for (const { results } of selections) expect(results).toMatchObject([{ ruleId: "allocation", margin: 0.01 }]);
      query = `limit=2&cursor=${pagination.nextCursor}`;
      if (page === 2) expect(pagination.nextCursor).toBeNull();
    }
    expect(seen).toEqual(sessions.toReversed());
    expect((await callDoor(historyDoor, "GET", { token: admin, query: "cursor=x" })).status).toBe(400);
    expect((await callDoor(historyDoor, "GET", { token: admin, query: "limit=31" })).status).toBe(400);
  });
});

describe("a symbol", () => {
  it("shows its scores, its seat's history with refused swaps, its news, its reports and its quarantine", async () => {
    const refusal = { challenger: "NEW", incumbent: "AAA", margin: 3.2, why: "margin 3.2 is below 5" };
    await screened("2020-02-03", { memory: { composites: { AAA: 61.5, BBB: 60 } }, metadata: { refusedSwaps: [] } });
    await screened("2020-02-04", {
      seats: [seat("AAA", 3, { kind: "fresh", tenureSessions: 1 }), seat("BBB", 1)],
      metadata: { swaps: [{ challenger: "AAA", incumbent: "OLD", margin: 6, isFastTracked: false }] },
    });
    await screened("2020-02-05", {
      seats: [seat("AAA", 2, { kind: "fresh", tenureSessions: 2 })],
      metadata: { refusedSwaps: [refusal, { ...refusal, challenger: "X", incumbent: "Y" }] },
    });
    await screened("2020-02-06", {
      metadata: {
        forcedOut: ["AAA"],
        quarantine: { AAA: "the price jumped by +95 % into 2020-02-05 without a known split" },
      },
    });
    await watch("AAA", 4);
    await news("1", "2020-02-03", { symbols: ["AAA", "BBB"], headline: "Older", score: 0.4 });
    await news("2", "2020-02-05", { symbols: ["AAA"], headline: "Newer", score: -0.2 });
    await news("3", "2020-02-05", { symbols: ["BBB"], headline: "Others" });
    await news("1", "2020-02-05", { symbols: ["AAA"], headline: "US", market: "US" });
    await db().earningsReaction.createMany({
      data: ["2019-08-01", "2019-11-01"].map((date, i) => ({
        market: "PRACTICE" as const,
        symbol: "AAA",
        reportDate: dateOf(date),
        reportTime: "BMO",
        reaction: i === 0 ? 0.05 : -0.03,
      })),
    });
    const symbol = await readSymbol("AAA");
    expect(symbol).toMatchObject({
      market: "PRACTICE",
      symbol: "AAA",
      companyName: "AAA Inc.",
      sector: "Energy",
      seat: null,
      quarantine: "the price jumped by +95 % into 2020-02-05 without a known split",
      earnings: {
        today: "2020-02-06",
        watch: { symbol: "AAA", rank: 4, sessionDate: "2020-02-04", earningsDate: "2020-02-06" },
        reactions: [
          { date: "2019-11-01", time: "BMO", reaction: -0.03 },
          { date: "2019-08-01", time: "BMO", reaction: 0.05 },
        ],
      },
    });
    expect(
      symbol.scores.map(({ sessionDate, compositeScore, seat: of }) => [sessionDate, compositeScore, of?.rank ?? null]),
    ).toEqual([
      ["2020-02-03", 61.5, null],
      ["2020-02-04", 87, 3],
      ["2020-02-05", 88, 2],
      ["2020-02-06", null, null],
    ]);
    expect(symbol.events.map(({ sessionDate, text }) => [sessionDate, text])).toEqual([
      ["2020-02-06", "Lost its seat: the price jumped by +95 % into 2020-02-05 without a known split"],
      ["2020-02-05", "Kept its seat against NEW: margin 3.2 is below 5"],
      ["2020-02-04", "Seated at rank 3, took the seat of OLD by 6.0 points"],
    ]);
    expect(symbol.news.map(({ headline, score, scoreSource }) => [headline, score, scoreSource])).toEqual([
      ["Newer", -0.2, "finance lexicon"],
      ["Older", 0.4, "finance lexicon"],
    ]);
  });

  it("that no selection has seen is not found, and what is no symbol is refused", async () => {
    await screened("2020-02-04", { seats: [seat("AAA", 1)] });
    const status = async (symbol: string) =>
      (await callDoor(symbolDoor, "GET", { token: admin, params: { symbol } })).status;
    expect(await status("ZZZ")).toBe(404);
    expect(await status("'; drop table")).toBe(400);
    expect(await status("aaa")).toBe(400);
  });
});

it("a year of selections is read by what a page shows: 120 selections of a symbol, 60 in the metrics", async () => {
  const days = Array.from({ length: 250 }, (_, i) => new Date(Date.UTC(2019, 0, 1 + i)).toISOString().slice(0, 10));
  await db().selection.createMany({
    data: days.map((day) => ({
      market: "PRACTICE" as const,
      sessionDate: dateOf(day),
      policyVersion: "2.9.0",
      metadata: {},
      memory: {},
    })),
  });
  const selections = await db().selection.findMany({ select: { id: true } });
  const [first, ...others] = selections.map(({ id }) => id);
  const symbols = Array.from({ length: 50 }, (_, i) => `S${i}`);
  await db().seat.createMany({ data: symbols.map((symbol, i) => ({ ...seat(symbol, i + 1), selectionId: first! })) });
  // The same seats in each selection: as arguments of 249 statements they would cost more than the whole file.
  await db().$executeRaw`
    insert into "Seat" select (jsonb_populate_record(seat, jsonb_build_object('selectionId', id))).*
    from "Seat" seat cross join unnest(${others}::uuid[]) id where seat."selectionId" = ${first}::uuid`;
  await db().qaResult.createMany({
    data: selections.map(({ id }) => ({
      selectionId: id,
      ruleId: "allocation",
      status: "PASS" as const,
      severity: "critical" as const,
      margin: 0.1,
      message: "",
      expected: "",
      actual: "",
      at: new Date(),
    })),
  });
  expect((await readTop50()).universe).toHaveLength(50);
  const { scores, events } = await readSymbol("S7");
  expect(scores).toHaveLength(120);
  expect(scores.at(-1)?.sessionDate).toBe(days.at(-1));
  expect(events).toEqual([]);
  expect((await readQa()).metrics).toMatchObject({ selections: 60, rules: [{ passed: 60, failed: 0 }] });
});
