/** Named faults of clock, calendar and prices around a decision: docs/faults.md. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { money } from "@/lib/domain/money.ts";
import { DAY_MS } from "@/lib/domain/time.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import type { Context } from "../../context.ts";
import { db } from "../../db.ts";
import type { MarketData } from "../../providers/market-data.ts";
import { systemContext } from "../../system-context.ts";
import { readHeartbeat } from "../automation/read-heartbeat.ts";
import { syncOrders } from "../accounts/sync-orders.ts";
import { recordFinished } from "../schedule/take-due.ts";
import { openTrader, ROOMY, startMarketDay } from "@/lib/proof/fixtures/cycles.ts";
import { runDueSchedules } from "@/lib/proof/fixtures/run-schedules.ts";
import { marketMoment } from "../../core/calendar.ts";
import { replayDecisions } from "./replay-decisions.ts";
import { runAccountCycle } from "./run-account-cycle.ts";
import { screenForCycle } from "./run-screening.ts";
import { openSessionBook } from "./session-book.ts";

let exchange: Exchange;
let accountId: string;
let accountNumber: string;
const context = systemContext("test");

beforeAll(async () => {
  exchange = await startMarketDay();
  await exchange.control.clock({ advanceMinutes: 6 });
}, 120_000);
afterAll(() => exchange.close());
afterEach(() => exchange.control.clearFaults());
/** Each fault meets an account of its own that would trade. */
beforeEach(async () => {
  ({ accountId } = await openTrader(context, ROOMY));
  await syncOrders(context, { accountId });
  const { brokerAccountId } = await db().account.findUniqueOrThrow({ where: { id: accountId } });
  accountNumber = exchange.control.truth().find(({ id }) => id === brokerAccountId)?.account_number ?? "";
});

/** The practice market with some of its answers changed. */
const withData = (change: (data: MarketData) => Partial<MarketData>): Context => ({
  ...context,
  marketData: (market) => {
    const data = context.marketData(market);
    return { ...data, ...change(data) };
  },
});
const withClock = (now: string, isOpen: boolean) =>
  withData((data) => ({ clock: async () => ({ ...(await data.clock()), now, isOpen }) }));
const posts = () =>
  exchange.control.arrivals({ method: "POST", path: "/v2/orders", account_number: accountNumber }).arrivals;
const screen = (on: Context = context) => screenForCycle(on, { market: "PRACTICE" });
const decideOn = (cycleId: string | undefined, on: Context = context) =>
  runAccountCycle(on, { cycleId: cycleId ?? "", accountId });
const statuses = async () => {
  const intents = await db().intent.findMany({ where: { accountId }, select: { status: true, lastError: true } });
  return intents.map(({ status, lastError }) => `${status} ${lastError?.split(":")[0] ?? ""}`);
};
const today = async () => {
  const moment = await marketMoment(context, "PRACTICE");
  if (!moment.today) throw new Error("the market is closed");
  return { ...moment.today, now: moment.now, next: moment.calendar.find(({ opensAt }) => opensAt > moment.now) };
};

it("while the calendar is unavailable nothing is screened (M6)", async () => {
  exchange.control.addFault({ kind: "calendar_down", status: 503 });
  await expect(screen()).rejects.toMatchObject({ code: "unavailable" });
  expect(await db().cycle.count()).toBe(0);
});

it("on a holiday, and in a session that is closed against the calendar, nothing is screened (M6)", async () => {
  expect(await screen(withClock("2020-02-17T15:00:00.000Z", true))).toBeNull();
  const { now } = await today();
  expect(await screen(withClock(now, false))).toBeNull();
  expect(await db().cycle.count()).toBe(0);
});

it("a price that ran away between decision and order stops the order: it is decided anew (M9)", async () => {
  const cycle = await screen();
  expect(cycle?.accountIds).toContain(accountId);
  const jumped = withData((data) => ({
    snapshots: async (symbols) => {
      const rows = [...(await data.snapshots(symbols))];
      const up = (price: string | null) => price && money(price).times("1.1").toDecimalPlaces(2).toFixed();
      return new Map(
        rows.map(([symbol, row]) => [
          symbol,
          { ...row, last: up(row.last) ?? row.last, bid: up(row.bid), ask: up(row.ask) },
        ]),
      );
    },
  }));
  await decideOn(cycle?.cycleId, jumped);
  const found = await statuses();
  expect(found.length).toBeGreaterThan(0);
  expect(new Set(found)).toEqual(new Set(["DENIED price collar"]));
  expect(posts()).toEqual([]);
});

it("an order whose turn comes after the close is not sent: it would wait for another session (M7)", async () => {
  const { closesAt } = await today();
  await exchange.control.clock({ advanceMinutes: 20 });
  const cycle = await screen();
  const late = withData((data) => ({
    clock: async () => ({ ...(await data.clock()), now: closesAt, isOpen: false }),
  }));
  await decideOn(cycle?.cycleId, late);
  const found = await statuses();
  expect(found.length).toBeGreaterThan(0);
  expect(new Set(found)).toEqual(new Set(["DENIED market hours"]));
  expect(posts()).toEqual([]);
});

/** The worker's schedule; what it would hand to the queue is kept here. */
function scheduler(on: Context = context) {
  const rung: string[] = [];
  const queue: Context["queue"] = {
    enqueue: (job) => {
      rung.push(job.name);
      return Promise.resolve();
    },
  };
  // Its wall clock stands still: on a slow machine nothing is woken again for having taken long.
  const at = new Date();
  return {
    screenings: () => rung.filter((name) => name === "screening").length,
    round: () => runDueSchedules({ ...on, queue, now: () => at }),
  };
}
const screeningRow = () => db().schedule.findUniqueOrThrow({ where: { key: "screening:PRACTICE" } });

it("a run that was rung twice is one, and a run that was lost is rung again by one of many (R9)", async () => {
  const { screenings, round } = scheduler();
  await round();
  await exchange.control.clock({ advanceMinutes: 10 });
  await Promise.all(Array.from({ length: 8 }, round));
  expect(screenings()).toBe(1);
  await round();
  expect(screenings()).toBe(1);
  // It did not run: the queue lost it. A moment later it is enqueued again, once.
  await db().schedule.updateMany({ data: { lastStartedAt: new Date(Date.now() - 60_000) } });
  await Promise.all(Array.from({ length: 8 }, round));
  expect(screenings()).toBe(2);
  await recordFinished(context, "screening:PRACTICE", null);
  await db().schedule.updateMany({ data: { lastStartedAt: new Date(Date.now() - 60_000) } });
  await round();
  expect(screenings()).toBe(2);
  // Of the same look at the market rung twice there is one cycle.
  const cycles = await db().cycle.count();
  await Promise.all([screen(), screen()]);
  expect(await db().cycle.count()).toBe(cycles + 1);
});

it("a queue that an administrator paused wakes nothing and says so; on resume one run looks anew, and an earlier plan is not executed (R10)", async () => {
  const { screenings, round } = scheduler();
  await exchange.control.clock({ advanceMinutes: 10 });
  await round();
  await recordFinished(context, "screening:PRACTICE", null);
  const before = screenings();
  const left = await screen();
  await db().systemState.update({ where: { id: 1 }, data: { isQueueActive: false } });
  await exchange.control.clock({ advanceMinutes: 60 });
  await round();
  expect(screenings()).toBe(before);
  const { userId } = await db().account.findUniqueOrThrow({ where: { id: accountId } });
  const actor = { kind: "user", userId, role: "USER", signInId: "test" } as const;
  expect(await readHeartbeat({ ...context, actor }, {})).toMatchObject({
    pausedReason: "The job queue is paused by an administrator",
  });
  await db().systemState.update({ where: { id: 1 }, data: { isQueueActive: true } });
  for (let again = 0; again < 3; again += 1) await round();
  expect(screenings()).toBe(before + 1);
  const fresh = await screen();
  await decideOn(left?.cycleId);
  const decisions = await db().decisionRecord.findMany({ where: { accountId } });
  expect(decisions.map(({ cycleId }) => cycleId)).toEqual([fresh?.cycleId]);
});

it("a schedule that slept for hours runs once, and a session that is over meanwhile is not screened (T4)", async () => {
  const { screenings, round } = scheduler();
  await round();
  await recordFinished(context, "screening:PRACTICE", null);
  const before = screenings();
  const { coalesced } = await screeningRow();
  await exchange.control.clock({ advanceMinutes: 180 });
  for (let again = 0; again < 3; again += 1) await round();
  expect(screenings()).toBe(before + 1);
  expect((await screeningRow()).coalesced - coalesced).toBeGreaterThanOrEqual(30);

  const { closesAt, now, next } = await today();
  const afterHours = withClock(new Date(Date.parse(closesAt) + 5 * 60 * 60_000).toISOString(), false);
  const cycles = await db().cycle.count();
  expect(await screen(afterHours)).toBeNull();
  expect(await db().cycle.count()).toBe(cycles);
  await scheduler(afterHours).round();
  expect((await screeningRow()).dueAt.getTime()).toBeGreaterThanOrEqual(Date.parse(next?.opensAt ?? now));
});

it("with everything in order the same account is traded: what stopped it were the faults", async () => {
  const cycle = await screen();
  await decideOn(cycle?.cycleId);
  expect(posts().length).toBeGreaterThan(0);
});

it("a clock that calls the night open trades nothing: the regular session decides (M8)", async () => {
  const { closesAt, opensAt } = await today();
  for (const night of [Date.parse(closesAt) + 90 * 60_000, Date.parse(opensAt) - 60 * 60_000]) {
    const atNight = withClock(new Date(night).toISOString(), true);
    const cycle = await screen(atNight);
    if (cycle) await decideOn(cycle.cycleId, atNight);
  }
  expect(await statuses()).toEqual([]);
  expect(posts()).toEqual([]);
});

it("history that its source revises changes neither the session's stored selection nor any recorded decision (D7)", async () => {
  const { calendar, today: session } = await marketMoment(context, "PRACTICE");
  const yesterday = calendar[calendar.findIndex(({ session: date }) => date === session?.session) - 1];
  if (!session || !yesterday) throw new Error("the market is closed");
  const first = await openSessionBook(context, "PRACTICE", session, calendar);
  // The session is opened anew, as a process does that starts now.
  await openSessionBook(context, "PRACTICE", yesterday, calendar);
  // Every second symbol rose more, day by day; the source says so of every day that it is asked for again.
  const revised = withData((data) => ({
    dailyBars: async (symbols, from, to) => {
      const rows = await data.dailyBars(symbols, from, to);
      for (const bars of [...rows.values()].filter((_, nth) => nth % 2 === 0))
        for (const bar of bars) {
          const rise = 1 + (Date.parse(bar.session) - Date.parse("2018-01-01")) / DAY_MS / 2_000;
          for (const field of ["open", "high", "low", "close"] as const) bar[field] *= rise;
        }
      return rows;
    },
  }));
  const again = await openSessionBook(revised, "PRACTICE", session, calendar);
  const closes = (book: typeof again) => first?.seats.map(({ symbol }) => book?.symbolRow(symbol).features?.close);
  expect(closes(again)).not.toEqual(closes(first));
  expect(again?.seats).toEqual(first?.seats);
  expect(again?.selectionId).toBe(first?.selectionId);
  let replayed = 0;
  for await (const { differences, refusal } of replayDecisions({ db: db() }, {})) {
    expect({ differences, refusal }).toEqual({ differences: [], refusal: null });
    replayed += 1;
  }
  expect(replayed).toBe(await db().decisionRecord.count());
  expect(replayed).toBeGreaterThan(3);
});
