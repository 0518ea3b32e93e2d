import { expect, it } from "vitest";
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

const context = {
  ...systemContext("test"),
  marketData: () => ({ vix: () => Promise.resolve(CALENDAR.map(({ session }) => ({ session, close: 12 }))) }) as never,
};

const read = (i: number) => readSessionRegime(context, "US", dayAt(i), CALENDAR, spyThrough(i), POLICY_2_9_0);
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
