import fc from "fast-check";
import { expect, it } from "vitest";
import { sessionHours, sessionsBetween } from "@/lib/domain/market-calendar.ts";
import { addDays, newYork, newYorkInstant } from "@/lib/domain/time.ts";
import { makeAccount, makeUser } from "@/prisma/factories.ts";
import type { Context } from "../../context.ts";
import { db } from "../../db.ts";
import { dateOf } from "../../rows.ts";
import { readPerformance } from "../performance/read-performance.ts";
import { drawEquity } from "./draw-equity.ts";
import { summarizePortfolio } from "./summarize-portfolio.ts";

/** Over a change of clocks (8 March), a holiday (17 February), two ends of months and a weekend on the first of one. */
const SESSIONS = sessionsBetween("2020-01-27", "2020-03-13");

/** What is made and what comes in on each session, in cents: every figure follows from these sums alone. */
interface Story {
  /** What the account had made before it was ours. */
  earned: number;
  opening: number;
  /** Session of the first reading, at noon. */
  since: number;
  days: { made: number; flow: number }[];
  /** Hours after midnight in New York of the latest reading, on the day `ahead` days after the last session. */
  hour: number;
  ahead: number;
}

const storyOf = fc.record<Story>({
  earned: fc.integer({ min: -500_000, max: 2_000_000 }),
  opening: fc.integer({ min: 2_000_000, max: 9_000_000 }),
  since: fc.integer({ min: 0, max: SESSIONS.length - 2 }),
  days: fc.array(
    fc.record({
      made: fc.integer({ min: -20_000, max: 20_000 }),
      flow: fc.oneof(
        { weight: 5, arbitrary: fc.constant(0) },
        { weight: 1, arbitrary: fc.integer({ min: -100_000, max: 300_000 }) },
      ),
    }),
    { minLength: SESSIONS.length, maxLength: SESSIONS.length },
  ),
  hour: fc.constantFrom(0, 5, 11, 15, 20),
  ahead: fc.integer({ min: 0, max: 3 }),
});

const usd = (cents: number) => (cents / 100).toFixed(2);
const total = (values: number[]) => values.reduce((a, b) => a + b, 0);

/** What happened on each New York day of the story until its latest reading; `earned` and the opening apart. */
function worldOf({ days, since, hour, ahead }: Story) {
  const today = addDays(SESSIONS[since + 1]!, ahead);
  const asOf = newYorkInstant(today, hour, 10);
  const past = SESSIONS.flatMap((session, i) => (i >= since && session < today ? [{ session, ...days[i]! }] : [])).map(
    (day, i) => (i === 0 ? { ...day, flow: 0 } : day),
  );
  const index = SESSIONS.indexOf(today);
  // Before the open nothing is made; after the close the day is.
  const running = index >= 0 && hour > 9 ? { session: today, made: days[index]!.made, flow: days[index]!.flow } : null;
  return { today, asOf, past, running, all: running ? [...past, running] : past };
}

async function write(userId: string, story: Story): Promise<ReturnType<typeof worldOf>> {
  const { earned, opening, since } = story;
  const world = worldOf(story);
  const { id: accountId } = await makeAccount(db(), userId, { equity: "0" });
  let [equity, netDeposits] = [opening + earned, opening];
  const first = SESSIONS[since]!;
  const points = [
    {
      accountId,
      at: new Date(newYorkInstant(first, 12, 0)),
      sessionDate: dateOf(first),
      isClose: false,
      equity: usd(equity),
      netDeposits: usd(netDeposits),
    },
  ];
  for (const { session, made, flow } of world.past) {
    equity += made + flow;
    netDeposits += flow;
    // The point of a close is written when the next session runs.
    const isWritten = SESSIONS.some((next) => next > session && newYorkInstant(next, 9, 31) <= world.asOf);
    if (isWritten)
      points.push({
        accountId,
        at: new Date(sessionHours(session)!.closesAt),
        sessionDate: dateOf(session),
        isClose: true,
        equity: usd(equity),
        netDeposits: usd(netDeposits),
      });
  }
  const lastEquity = equity;
  if (world.running) {
    equity += world.running.made + world.running.flow;
    netDeposits += world.running.flow;
  }
  await db().equityPoint.createMany({ data: points });
  const flows = world.all.filter(({ flow }) => flow !== 0);
  await db().cashFlow.createMany({
    data: flows.map(({ session, flow }) => ({
      accountId,
      activityId: session,
      type: "CSD",
      amount: usd(flow),
      isExternal: true,
      at: new Date(newYorkInstant(session, 0, 0)),
    })),
  });
  // After the close the broker speaks of today's.
  const isOver = world.running !== null && story.hour >= 16;
  await db().accountFigures.update({
    where: { accountId },
    data: {
      equity: usd(equity),
      lastEquity: usd(isOver ? equity : lastEquity),
      netDeposits: usd(netDeposits),
      cash: usd(equity),
      asOf: new Date(world.asOf),
    },
  });
  return world;
}

const contextOf = (userId: string) =>
  ({ actor: { kind: "user", userId, role: "USER", signInId: "test" }, db: db() }) as unknown as Context<"user">;

/** The same day a month before, found by walking back. */
function monthBack(date: string): string {
  const month = Number(date.slice(5, 7));
  for (let back = addDays(date, -27); ; back = addDays(back, -1)) {
    const isBefore = (Number(back.slice(5, 7)) % 12) + 1 === month;
    if (isBefore && back.slice(8) <= date.slice(8)) return back;
  }
}

it("P&L of day, week, month and in all is what was made on those New York days, whatever came in and however many accounts", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(storyOf, { minLength: 1, maxLength: 2 }), async (stories) => {
      const { id: userId } = await makeUser(db());
      const worlds: Awaited<ReturnType<typeof write>>[] = [];
      for (const story of stories) worlds.push(await write(userId, story));
      const since = (from: () => string) =>
        total(worlds.flatMap(({ all }) => all.filter(({ session }) => session > from()).map(({ made }) => made))) / 100;
      const summary = await summarizePortfolio(contextOf(userId), {});
      const newest = worlds
        .map(({ today }) => today)
        .sort()
        .at(-1)!;
      expect({
        day: Number(summary.pnlDay),
        week: Number(summary.pnlWeek),
        month: Number(summary.pnlMonth),
        total: Number(summary.pnlTotal),
        sinceAdded: Number(summary.pnlSinceAdded),
      }).toEqual({
        // All of them are measured from the newest of their days, also those that were not read on it.
        day: since(() => addDays(newest, -1)),
        week: since(() => addDays(newest, -7)),
        month: since(() => monthBack(newest)),
        total: (since(() => "") * 100 + total(stories.map(({ earned }) => earned))) / 100,
        sinceAdded: since(() => ""),
      });
    }),
    { numRuns: 15, seed: 20200308 },
  );
});

it("the performance and the line of an account begin with its first reading: what it had made before is no gain of theirs", async () => {
  await fc.assert(
    fc.asyncProperty(storyOf, async (story) => {
      const { id: userId } = await makeUser(db());
      const { all, past, asOf } = await write(userId, story);
      const { figures, years } = await readPerformance(contextOf(userId), {});
      const figure = (id: string) => figures.find((each) => each.id === id)?.value;
      let [equity, growth, peak, deepest] = [story.opening + story.earned, 1, 1, 0];
      const months = new Map<string, number>();
      for (const { session, made, flow } of all) {
        const before = equity + flow;
        equity = before + made;
        growth *= equity / before;
        peak = Math.max(peak, growth);
        deepest = Math.min(deepest, growth / peak - 1);
        const month = session.slice(0, 7);
        months.set(month, (months.get(month) ?? 1) * (equity / before));
      }
      expect(figure("periodPnl")).toBe(total(all.map(({ made }) => made)) / 100);
      expect(figure("timeWeightedReturn")).toBeCloseTo(growth - 1, 12);
      expect(figure("maxDrawdown")).toBeCloseTo(deepest, 12);
      const shown = years.flatMap((year) =>
        year.months.map(({ month, value }) => [`${year.year}-${String(month).padStart(2, "0")}`, value] as const),
      );
      expect(shown).toEqual([...months].map(([month, value]) => [month, expect.closeTo(value - 1, 12)]));

      const { points } = await drawEquity(contextOf(userId), {});
      const isFirst = newYork(points[0]!.at as Date).date === SESSIONS[story.since];
      const written = past.filter(({ session }) =>
        SESSIONS.some((next) => next > session && newYorkInstant(next, 9, 31) <= asOf),
      );
      expect([isFirst, points.length]).toEqual([true, 1 + written.length]);
      const [start, end] = [points[0]!, points.at(-1)!];
      const line = (point: typeof start) => Math.round(100 * (Number(point.equity) - Number(point.netDeposits)));
      expect(line(end) - line(start)).toBe(total(written.map(({ made }) => made)));
    }),
    { numRuns: 15, seed: 20200217 },
  );
});
