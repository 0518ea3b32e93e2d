import { describe, expect, it } from "vitest";
import { db } from "@/lib/server/db.ts";
import { forgetEnv } from "@/lib/server/env.ts";
import { dateOf } from "@/lib/server/rows.ts";
import { makeSignIn, makeUser } from "@/prisma/factories.ts";
import * as symbolDoor from "../admin/symbols/[symbol]/route.ts";
import { callDoor, type Door } from "@/lib/proof/call-door.ts";
import { judge, news, screened, seat, watch } from "@/lib/proof/fixtures/selections.ts";
import {
  admin,
  beforeAnyScreening,
  readHistory,
  readQa,
  readSymbol,
  readTop50,
  readWatchlist,
} from "@/lib/proof/fixtures/selector-doors.ts";
import * as watchlistDoor from "./earnings-watchlist/route.ts";
import * as historyDoor from "./qa-results/history/route.ts";
import * as qaDoor from "./qa-results/route.ts";
import * as top50Door from "./top50/route.ts";

beforeAnyScreening();

/** US market data counts as configured, without being asked. */
function configureUs() {
  process.env.ALPACA_DATA_KEY_ID = "key";
  process.env.ALPACA_DATA_SECRET = "secret";
  process.env.ALPACA_PAPER_URL = "http://127.0.0.1:9";
  process.env.ALPACA_DATA_URL = "http://127.0.0.1:9";
  forgetEnv();
}

describe("the doors", () => {
  it.each<[string, Door, Record<string, string>]>([
    ["top50", top50Door, {}],
    ["earnings-watchlist", watchlistDoor, {}],
    ["qa-results", qaDoor, {}],
    ["qa-results/history", historyDoor, {}],
    ["symbols", symbolDoor, { symbol: "AAA" }],
  ])("%s lets administrators in, and takes only what it names", async (_, door, params) => {
    await screened("2020-02-04", { seats: [seat("AAA", 1)] });
    const trader = await makeSignIn(db(), await makeUser(db()));
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
