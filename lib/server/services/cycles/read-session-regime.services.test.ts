import { beforeEach, expect, it } from "vitest";
import { POLICY_2_9_0 } from "@/lib/domain/policy.ts";
import type { BarSeries } from "@/lib/domain/screening/features.ts";
import { addDays } from "@/lib/domain/time.ts";
import type { CalendarDay } from "../../providers/market-data.ts";
import { db } from "../../db.ts";
import { systemContext } from "../../system-context.ts";
import { readSessionRegime } from "./read-session-regime.ts";

const CALENDAR: CalendarDay[] = Array.from({ length: 140 }, (_, i) => {
  const session = addDays("2019-09-02", i);
  return { session, opensAt: `${session}T14:30:00.000Z`, closesAt: `${session}T21:00:00.000Z` };
});
const dayAt = (i: number) => CALENDAR[i]?.session ?? "";
const CRASH = 130;

/** SPY rises every session, and falls by a tenth in one. */
function spyThrough(count: number): BarSeries {
  const close = Float64Array.from({ length: count }, (_, i) => (300 + i) * (i >= CRASH ? 0.9 : 1));
  const dates = CALENDAR.slice(0, count).map(({ session }) => session);
  return { symbol: "SPY", dates, open: close, high: close, low: close, close, volume: close };
}

let isVixAway = false;
const vix = () =>
  isVixAway
    ? Promise.reject(new Error("unavailable"))
    : Promise.resolve(CALENDAR.map(({ session }) => ({ session, close: 12 })));
const context = { ...systemContext("test"), marketData: () => ({ vix }) as never };

beforeEach(async () => {
  isVixAway = false;
  await db().regimeReading.deleteMany();
  await db().logEvent.deleteMany();
});

const read = (i: number, spy = spyThrough(i)) =>
  readSessionRegime(context, "US", dayAt(i), CALENDAR, spy, POLICY_2_9_0);
const logged = () => db().logEvent.findMany({ where: { message: { startsWith: "The market is now" } } });

it("a regime change is logged once with its inputs; what is replayed to settle the machine is not", async () => {
  expect((await read(CRASH)).label).toBe("risk_on");
  expect(await logged()).toEqual([]);
  // The session after the fall.
  expect((await read(CRASH + 1)).label).toBe("risk_off");
  await read(CRASH + 1);
  const [event, ...others] = await logged();
  expect(others).toEqual([]);
  expect(event?.message).toMatch(
    /^The market is now falling or nervous \(regime risk off\): .* SPY \$387\.00 .* VIX 12\.00$/,
  );
  expect(event).toMatchObject({ level: "warn", userId: null, marketAt: new Date(CALENDAR[CRASH + 1]?.opensAt ?? "") });
});

it("a session keeps the regime that was first read, for decisions as for screens, whatever a later reading would say", async () => {
  await read(120);
  isVixAway = true;
  const first = await read(121);
  expect(first).toMatchObject({ label: "neutral", vix: null });
  isVixAway = false;
  expect(await read(121)).toEqual(first);
  const row = await db().regimeReading.findFirstOrThrow({ orderBy: { sessionDate: "desc" } });
  expect(row).toMatchObject({ label: "neutral", vix: null });
});

it("two workers that read one session at once decide by the same regime", async () => {
  await read(120);
  // One of them has no VIX.
  let asked = 0;
  const each = {
    ...context,
    marketData: () => ({ vix: () => ((asked += 1), (isVixAway = asked === 1), vix()) }) as never,
  };
  const both = await Promise.all(
    [1, 2].map(() => readSessionRegime(each, "US", dayAt(121), CALENDAR, spyThrough(121), POLICY_2_9_0)),
  );
  expect(both[0]).toEqual(both[1]);
  expect(await db().regimeReading.count({ where: { sessionDate: new Date(dayAt(121)) } })).toBe(1);
});

it("a session without SPY's close is a fall that is told, as the way back is", async () => {
  await read(120);
  expect((await read(121, spyThrough(120))).label).toBe("risk_off");
  expect((await read(122)).label).toBe("risk_on");
  const rows = await db().regimeReading.findMany({ orderBy: { sessionDate: "desc" }, take: 2 });
  expect(rows.map(({ hasFlipped }) => hasFlipped)).toEqual([true, true]);
  expect((await logged()).map(({ message }) => message.slice(0, 60))).toEqual([
    expect.stringContaining("(regime risk off)"),
    expect.stringContaining("(regime risk on)"),
  ]);
});
