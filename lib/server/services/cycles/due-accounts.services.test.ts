import { beforeAll, beforeEach, expect, it } from "vitest";
import { type Instant, MINUTE_MS, newYorkInstant, type SessionDate } from "@/lib/domain/time.ts";
import { makeAccount, makeUser } from "@/prisma/factories.ts";
import { db } from "../../db.ts";
import { systemContext } from "../../system-context.ts";
import { nextMarketDue } from "../schedule/next-due.ts";
import { scheduleKey } from "../schedule/schedule-keys.ts";
import { readTurns } from "./due-accounts.ts";

const context = systemContext("test");
const SESSION = "2020-02-03";
const NEXT_SESSION = "2020-02-04";
const CALENDAR = [SESSION, NEXT_SESSION, "2020-02-05"].map((session) => ({
  opensAt: newYorkInstant(session, 9, 30),
  closesAt: newYorkInstant(session, 16, 0),
}));
/** How long after its time a look reads the clock, in turn, ms. */
const LATE_MS = [700, 20, 640, 90, 4_000, 15, 61_000, 30, 299_000, 0, 10];

const [snapshotId, policyVersion] = ["due-accounts", "due-accounts"];
let accountId: string;
beforeEach(async () => {
  const { id: userId } = await makeUser(db());
  accountId = (await makeAccount(db(), userId)).id;
});
beforeAll(async () => {
  await db().policyVersion.create({ data: { version: policyVersion, content: {}, status: "RETIRED" } });
  await db().marketSnapshot.create({ data: { id: snapshotId, market: "PRACTICE", asOf: new Date(), content: {} } });
});

async function decidedAt(at: Date): Promise<void> {
  const cycle = await db().cycle.upsert({
    where: { market_startedAt: { market: "PRACTICE", startedAt: at } },
    create: { market: "PRACTICE", startedAt: at, sessionDate: at },
    update: {},
  });
  const of = { cycleId: cycle.id, accountId, snapshotId, policyVersion, decidedAt: at };
  const content = { engineVersion: "1", inputHash: "", outputHash: "", accountState: {}, plan: {}, line: "" };
  await db().decisionRecord.create({ data: { ...of, ...content } });
}

/** The row of the schedule as a look that was taken at this moment left it. */
async function takenAt(at: Instant, everyMs: number): Promise<void> {
  const data = { dueAt: nextMarketDue(at, everyMs, 5 * MINUTE_MS, CALENDAR)!, everyMs };
  const key = scheduleKey("screening", "PRACTICE");
  await db().schedule.upsert({
    where: { key },
    create: { key, job: "screening", market: "PRACTICE", ...data },
    update: data,
  });
}

async function isDue(at: Date): Promise<boolean> {
  const turns = await readTurns(context, { market: "PRACTICE", at });
  return turns.find(({ id }) => id === accountId)!.isDue;
}

/** A minute of the day: the first look of a session. */
const FIRST = 9 * 60 + 35;
const CLOSE = 16 * 60;

/** Looks through a session, each later than its time by another delay. Answers the minutes of the day of those that decided. */
async function decidedIn(session: SessionDate, { interval, every }: { interval: number; every: number }) {
  await db().tradingPreferences.updateMany({ data: { checkInterval: interval } });
  const everyMs = every * MINUTE_MS;
  const minutes: number[] = [];
  for (let [minute, nth] = [FIRST, 0]; minute < CLOSE; minute += every, nth += 1) {
    const due = newYorkInstant(session, 0, minute);
    await takenAt(due, everyMs);
    const at = new Date(Date.parse(due) + (LATE_MS[nth % LATE_MS.length]! % everyMs));
    if (!(await isDue(at))) continue;
    minutes.push(minute);
    await decidedAt(at);
    expect(await isDue(new Date(Date.parse(due) + everyMs - 1)), "again before the next look").toBe(false);
  }
  return minutes;
}

it.each([
  { interval: 5, every: 5, step: 5 },
  { interval: 60, every: 5, step: 60 },
  { interval: 7, every: 5, step: 10 },
  { interval: 7, every: 7, step: 7 },
  { interval: 15, every: 3, step: 15 },
])(
  "an interval of $interval minutes with a look every $every is one of $step, however late a look reads the clock",
  async ({ interval, every, step }) => {
    const expected = Array.from({ length: Math.ceil((CLOSE - FIRST) / step) }, (_, nth) => FIRST + nth * step);
    await decidedAt(new Date(newYorkInstant("2020-01-31", 15, 59, 59)));
    expect(await decidedIn(SESSION, { interval, every })).toEqual(expected);
    expect(await decidedIn(NEXT_SESSION, { interval, every })).toEqual(expected);
  },
  60_000,
);
