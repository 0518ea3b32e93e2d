import { beforeEach, expect, it } from "vitest";
import { decide } from "@/lib/domain/engine/decide.ts";
import { openSession } from "@/lib/domain/engine/session-view.ts";
import {
  exampleAccount,
  exampleMarket,
  examplePosition,
  exampleSeat,
  exampleSessions,
  exampleSymbol,
} from "@/lib/proof/example-market.ts";
import type { AccountState, MarketView, SeatView } from "@/lib/domain/engine/plan.ts";
import { POLICY_2_9_0, type Policy } from "@/lib/domain/policy.ts";
import { newYorkInstant } from "@/lib/domain/time.ts";
import { makeAccount, makeUser } from "@/prisma/factories.ts";
import { db } from "../../db.ts";
import { dateOf } from "../../rows.ts";
import { systemContext } from "../../system-context.ts";
import { storeMarketView } from "../cycles/market-record.ts";
import { newId } from "../../core/new-id.ts";
import { recordDecision } from "../cycles/record-decision.ts";
import { activePolicy } from "../../core/active-policy.ts";
import { compareByEnvironment } from "./what-if-by-environment.ts";
import { compareUnderPolicies } from "./what-if.ts";

const context = systemContext("test");
const SEATS = [
  exampleSeat("AAA", { rank: 1, composite: 90 }),
  exampleSeat("BBB", { rank: 2, composite: 70, momentumPercentile: 82 }),
];
let account: { id: string; userId: string };

beforeEach(async () => {
  await activePolicy(context);
  const user = await makeUser(db());
  account = await makeAccount(db(), user.id);
});

/** A draft that differs in these fields. */
function draft<S extends Exclude<keyof Policy, "version">>(section: S, change: Partial<Policy[S]>): Policy {
  return { ...POLICY_2_9_0, version: "2.9.1", [section]: { ...POLICY_2_9_0[section], ...change } };
}

/** Records a decision as the worker does, with both symbols at these prices. */
async function record(
  at: [hour: number, minute: number],
  price: string,
  change: Partial<AccountState> = {},
  seats: SeatView[] = SEATS,
  date = "2020-02-03",
) {
  const instant = newYorkInstant(date, ...at);
  const quote = { last: price, bid: price, ask: price, at: instant };
  const symbols = ["AAA", "BBB"].map((symbol) => exampleSymbol(symbol, { quote }));
  const base = exampleMarket(symbols, seats, { at: instant });
  const hours = { opensAt: newYorkInstant(date, 9, 30), closesAt: newYorkInstant(date, 16, 0) };
  const barsThrough = exampleSessions[exampleSessions.indexOf(date) - 1]!;
  const market: MarketView = { ...base, barsThrough, session: { ...base.session, ...hours, date } };
  const state = exampleAccount({ accountId: account.id, ...change });
  const snapshotId = await storeMarketView(context, market);
  const startedAt = new Date(instant);
  // Every test's account takes part in the same cycles.
  const { id: cycleId } = await db().cycle.upsert({
    where: { market_startedAt: { market: "PRACTICE", startedAt } },
    create: {
      // Looks follow one another, however fast the test writes them down: decisions are read in the order of their cycles' ids.
      id: newId(startedAt),
      market: "PRACTICE",
      startedAt,
      sessionDate: dateOf(date),
      snapshotId,
      seated: seats.length,
    },
    update: {},
  });
  const session = openSession(market, POLICY_2_9_0);
  const plan = decide(state, market, POLICY_2_9_0, session);
  await recordDecision(context, { cycleId, account, snapshotId, state, session, plan });
  return plan;
}

it("an unchanged draft gives zero differences, whatever its version is called", async () => {
  const plan = await record([10, 5], "100");
  expect(plan.orders.length).toBeGreaterThan(0);
  await record([10, 10], "101", { positions: [examplePosition("AAA")] });
  const scope = { accountId: account.id };
  const report = await compareUnderPolicies(context, { draft: { ...POLICY_2_9_0, version: "9.9.9" }, ...scope });
  expect(report).toMatchObject({ decisions: 2, decisionsChanged: 0, changedFields: [], recordedVersions: ["2.9.0"] });
  for (const kind of ["entriesAdded", "entriesRemoved", "sizesChanged", "exitsAdded", "exitsRemoved"] as const)
    expect(report[kind]).toEqual({ count: 0, examples: [] });
  expect(report.draft).toEqual(report.recorded);
  expect(report.accounts).toEqual([
    { accountId: account.id, decisions: 2, pnlEffect: "0", drawdownRecorded: 0, drawdownDraft: 0 },
  ]);
});

it("a stricter draft leaves out an entry: its cost is saved, and what it gained or lost at recorded prices is reported", async () => {
  const plan = await record([10, 5], "100");
  const order = plan.orders.find(({ symbol }) => symbol === "BBB");
  const qty = order?.qty ?? "0";
  expect(Number(qty)).toBeGreaterThan(0);
  const position = examplePosition("BBB", {
    qty,
    avgEntryPrice: "100",
    stopPrice: "90",
    targetPrice: "120",
    protectedQty: qty,
  });
  // The recorded account held it while its price fell by 4 USD, then no more.
  await record([10, 10], "98", { positions: [position], equity: String(100_000 - 2 * Number(qty)) });
  await record([10, 15], "96", { equity: String(100_000 - 4 * Number(qty)) });
  const report = await compareUnderPolicies(context, {
    draft: draft("signals_confidence", { min_confidence: 0.9 }),
    accountId: account.id,
  });
  expect(report.entriesRemoved.examples).toContainEqual({
    accountId: account.id,
    session: "2020-02-03",
    symbol: "BBB",
    reason: "entry_momentum",
    recordedQty: qty,
    draftQty: null,
  });
  expect(report.entriesAdded.count).toBe(0);
  expect(report.draft.entries).toBeLessThan(report.recorded.entries);
  expect(Number(report.draft.costs)).toBeLessThan(Number(report.recorded.costs));
  expect(report.draft.turnover).toBeLessThan(report.recorded.turnover ?? 0);
  const [effect] = report.accounts;
  expect(Number(effect?.pnlEffect)).toBeGreaterThanOrEqual(4 * Number(qty));
  expect(effect?.drawdownRecorded).toBeCloseTo((-4 * Number(qty)) / 100_000, 9);
  expect(effect?.drawdownDraft).toBeGreaterThan(effect?.drawdownRecorded ?? 0);
});

it("smaller sizes are sizes changed, not other entries", async () => {
  await record([10, 5], "100");
  const report = await compareUnderPolicies(context, {
    draft: draft("portfolio_limits", { tolerance_medium: 0.5 }),
    accountId: account.id,
  });
  expect(report.sizesChanged.count).toBe(2);
  for (const { recordedQty, draftQty } of report.sizesChanged.examples)
    expect(Number(draftQty)).toBeLessThan(Number(recordedQty));
  expect(report.entriesAdded.count + report.entriesRemoved.count).toBe(0);
});

it("an entry that only the draft makes counts once though every look repeats it, and ends at its target", async () => {
  const looser: Policy = draft("signals_confidence", { min_confidence: 0.5 });
  // A confidence that the recorded policy refuses at every look.
  const seats = [exampleSeat("BBB", { composite: 55, momentumPercentile: 80 })];
  const first = await record([10, 5], "100", {}, seats);
  expect(first.orders).toEqual([]);
  await record([10, 10], "101", {}, seats);
  await record([10, 15], "111", {}, seats);
  await record([10, 20], "90", {}, seats);
  const report = await compareUnderPolicies(context, { draft: looser, accountId: account.id });
  expect(report.entriesAdded.count).toBe(1);
  const [added] = report.entriesAdded.examples;
  expect(added?.symbol).toBe("BBB");
  // Bought at 100 and over at the look that saw its target passed: later prices change nothing.
  expect(Number(report.accounts[0]?.pnlEffect)).toBe(11 * Number(added?.draftQty));
});

const ALWAYS_WEAK = { highestClose: "100", entryAtr: 2, weakReviews: 1, belowTrend: 0, reviewedSession: "2020-02-10" };
const SESSIONS = ["2020-02-03", "2020-02-04", "2020-02-05", "2020-02-06"];

it("a sale that only the draft makes counts once, however many sessions the record holds on", async () => {
  const position = examplePosition("AAA", { strategy: "MOMENTUM", review: ALWAYS_WEAK });
  for (const date of SESSIONS)
    expect((await record([10, 5], "100", { positions: [position] }, [], date)).orders).toEqual([]);
  const earlier = draft("exits", { momentum_weak_reviews: 1 });
  const report = await compareUnderPolicies(context, { draft: earlier, accountId: account.id });
  expect(report.exitsAdded.examples).toMatchObject([{ session: SESSIONS[0], symbol: "AAA", draftQty: position.qty }]);
  expect(report.exitsAdded.count).toBe(1);
  expect(report.draft).toMatchObject({ exits: 1, sold: String(100 * Number(position.qty)) });
});

it("a sale that the record makes some sessions later is moved, not made twice", async () => {
  const position = (weakReviews: number) =>
    examplePosition("AAA", { strategy: "MOMENTUM", review: { ...ALWAYS_WEAK, weakReviews } });
  await record([10, 5], "100", { positions: [position(1)] }, [], SESSIONS[0]);
  const last = await record([10, 5], "90", { positions: [position(2)] }, [], SESSIONS[1]);
  expect(last.orders).toMatchObject([{ side: "SELL", symbol: "AAA" }]);
  await record([10, 5], "80", {}, [], SESSIONS[2]);
  // Bought anew: what was sold before is over.
  await record([10, 5], "80", { positions: [position(1)] }, [], SESSIONS[3]);
  const earlier = draft("exits", { momentum_weak_reviews: 1 });
  const report = await compareUnderPolicies(context, { draft: earlier, accountId: account.id });
  expect(report.exitsAdded.examples.map(({ session }) => session)).toEqual([SESSIONS[0], SESSIONS[3]]);
  expect(report.exitsRemoved.examples.map(({ session }) => session)).toEqual([SESSIONS[1]]);
  expect([report.recorded.exits, report.draft.exits]).toEqual([1, 2]);
});

it("a purchase that the record makes a session later is moved, not made twice", async () => {
  const seats = (composite: number) => [exampleSeat("BBB", { composite, momentumPercentile: 80 })];
  expect((await record([10, 5], "100", {}, seats(55), SESSIONS[0])).orders).toEqual([]);
  const [bought] = (await record([10, 5], "101", {}, seats(90), SESSIONS[1])).orders;
  expect(bought).toMatchObject({ side: "BUY", symbol: "BBB" });
  const looser = draft("signals_confidence", { min_confidence: 0.5 });
  const report = await compareUnderPolicies(context, { draft: looser, accountId: account.id });
  expect(report.entriesAdded.examples).toMatchObject([{ session: SESSIONS[0] }]);
  expect(report.entriesRemoved.examples).toMatchObject([{ session: SESSIONS[1] }]);
  expect([report.recorded.entries, report.draft.entries]).toEqual([1, 1]);
  expect(Number(report.accounts[0]?.pnlEffect)).toBe(Number(report.entriesAdded.examples[0]?.draftQty));
});

it("changes that recorded cycles cannot show are named", async () => {
  await record([10, 5], "100");
  const report = await compareUnderPolicies(context, {
    draft: draft("selector_top50", { min_price: 10 }),
    accountId: account.id,
  });
  expect(report.decisionsChanged).toBe(0);
  expect(report.changedFields).toEqual([{ path: "selector_top50.min_price", recorded: 5, draft: 10 }]);
  expect(report.unknown.at(-1)).toContain("selector_top50.min_price");
});

it("fields by which a draft looks farther than the records are named, others are not", async () => {
  await record([10, 5], "100");
  const beyondOf = async (section: "pretrade_filters" | "exits", fields: Record<string, number>) => {
    const report = await compareUnderPolicies(context, { draft: draft(section, fields), accountId: account.id });
    const told = report.unknown.filter((sentence) => report.beyond.every((path) => sentence.includes(path)));
    if (report.beyond.length > 0) expect(told).toHaveLength(1);
    return report.beyond;
  };
  expect(await beyondOf("pretrade_filters", { cooldown_sessions: 19, stop_guard_pause_sessions: 10 })).toEqual([]);
  expect(await beyondOf("pretrade_filters", { cooldown_sessions: 40 })).toEqual(["pretrade_filters.cooldown_sessions"]);
  expect(await beyondOf("pretrade_filters", { stop_guard_window_sessions: 13, stop_guard_pause_sessions: 10 })).toEqual(
    ["pretrade_filters.stop_guard_pause_sessions", "pretrade_filters.stop_guard_window_sessions"],
  );
  expect(await beyondOf("pretrade_filters", { earnings_sessions_before: 20, earnings_sessions_after: 20 })).toEqual([
    "pretrade_filters.earnings_sessions_after",
    "pretrade_filters.earnings_sessions_before",
  ]);
  expect(await beyondOf("exits", { reversion_time_sessions: 60, breakout_time_sessions: 11 })).toEqual([
    "exits.reversion_time_sessions",
  ]);
});

it("QA failures are counted under each policy's own limits", async () => {
  // 6 % of equity in one name.
  await record([10, 5], "100", { positions: [examplePosition("AAA", { qty: "60" })] });
  const report = await compareUnderPolicies(context, {
    draft: draft("portfolio_limits", { max_name_fraction: 0.05 }),
    accountId: account.id,
  });
  expect(report.recorded.qaFailures).toEqual({});
  expect(report.draft.qaFailures).toEqual({ allocation: 1 });
  expect([report.recorded.qaDecisions, report.draft.qaDecisions]).toEqual([0, 1]);
});

it("what was withdrawn since the first decision is no drawdown; deposits, income and what left before are no withdrawals", async () => {
  const flow = (activityId: string, type: string, amount: string, moved: [hour: number, minute: number] | null) => ({
    ...{ accountId: account.id, activityId, type, amount, isExternal: type !== "FEE" },
    at: new Date(newYorkInstant("2020-02-03", 0, 0)),
    movedAt: moved && new Date(newYorkInstant("2020-02-03", ...moved)),
  });
  await db().cashFlow.createMany({
    data: [
      flow("before", "CSW", "-20000", [9, 50]),
      flow("moment", "CSW", "-50000", [10, 7]),
      flow("day", "JNLC", "-10000", null),
      flow("cost", "FEE", "-9000", null),
      flow("deposit", "CSD", "30000", [10, 8]),
    ],
  });
  const money = (equity: string, highWaterMark: string) => ({ equity, lastEquity: equity, highWaterMark });
  await record([10, 5], "100", money("100000", "100000"));
  await record([10, 10], "100", money("40000", "40000"));
  const report = () => compareUnderPolicies(context, { draft: POLICY_2_9_0, accountId: account.id });
  expect((await report()).accounts[0]?.drawdownRecorded).toBe(0);
  // The mark is set anew: 10 % are lost.
  await record([10, 15], "100", money("36000", "36000"));
  expect((await report()).accounts[0]?.drawdownRecorded).toBeCloseTo(-0.1);
});

it("the hard drawdown line stops the account in the decision's own transaction, once, until a person resumes", async () => {
  await record([10, 5], "100", { equity: "80000", lastEquity: "80000" });
  await record([10, 10], "100", { equity: "80000", lastEquity: "80000" });
  expect((await db().account.findUniqueOrThrow({ where: { id: account.id } })).killState).toBe("REDUCE_ONLY");
  const audits = await db().auditEvent.findMany({
    where: { eventType: "ACCOUNT_LATCHED", subjectUserId: account.userId },
  });
  expect(audits).toHaveLength(1);
  const logged = await db().logEvent.findMany({ where: { accountId: account.id, level: "error" } });
  expect(logged.map(({ message }) => message)).toEqual([expect.stringContaining("until a person resumes it")]);
});

it("a decision of the same account and cycle is recorded once", async () => {
  await record([10, 5], "100");
  const row = await db().decisionRecord.findFirstOrThrow({ where: { accountId: account.id } });
  const market = exampleMarket([], SEATS);
  const state = exampleAccount({ accountId: account.id });
  const again = {
    cycleId: row.cycleId,
    account,
    snapshotId: row.snapshotId,
    state,
    session: openSession(market, POLICY_2_9_0),
    plan: decide(state, market, POLICY_2_9_0),
  };
  expect(await recordDecision(context, again)).toBeNull();
  expect(await db().decisionRecord.count({ where: { accountId: account.id } })).toBe(1);
});

it("live, paper and practice money are reported apart, and an environment without decisions not at all", async () => {
  const practice = account;
  await record([10, 5], "100");
  const [paper, live] = await Promise.all(
    (["PAPER", "LIVE"] as const).map((environment) =>
      makeAccount(db(), practice.userId, { broker: "ALPACA", environment }),
    ),
  );
  if (!paper || !live) throw new Error("no accounts");
  account = paper;
  await record([10, 5], "100");
  const scope = { draft: draft("portfolio_limits", { tolerance_medium: 0.5 }), from: "2020-02-03" as const };
  const { cycleId } = await db().decisionRecord.findFirstOrThrow({ where: { accountId: paper.id } });
  const seen: [number, number][] = [];
  const reports = await compareByEnvironment(context, {
    ...scope,
    cycleIds: [cycleId],
    onProgress: (done, total) => seen.push([done, total]),
  });
  expect(reports.map(({ environment }) => environment)).not.toContain("LIVE");
  const byEnvironment = new Map(reports.map((report) => [report.environment, report]));
  expect(byEnvironment.get("PAPER")?.accounts.map(({ accountId }) => accountId)).toEqual([paper.id]);
  expect(byEnvironment.get("PRACTICE")?.accounts.map(({ accountId }) => accountId)).toContain(practice.id);
  const one = await compareUnderPolicies(context, { ...scope, accountId: paper.id });
  expect(byEnvironment.get("PAPER")?.recorded).toEqual(one.recorded);
  expect(seen.at(-1)?.[0]).toBe(seen.at(-1)?.[1]);
});
