/** Named faults of time: docs/faults.md. */
import { describe, expect, it } from "vitest";
import { decide, regate } from "@/lib/domain/engine/decide.ts";
import {
  EXAMPLE_TODAY,
  exampleAccount,
  exampleMarket,
  examplePolicy,
  exampleSeat,
  exampleSymbol,
} from "@/lib/proof/example-market.ts";
import { sessionHours, sessionsBetween } from "@/lib/domain/market-calendar.ts";
import { addDays, clockText, MINUTE_MS, newYork, newYorkInstant } from "@/lib/domain/time.ts";
import { nextAfterClose, nextMarketDue, type SessionTimes } from "./next-due.ts";

const EVERY_MS = 5 * MINUTE_MS;

const calendarOf = (from: string, to: string): SessionTimes[] =>
  sessionsBetween(from, to).flatMap((date) => sessionHours(date) ?? []);

/** When work runs whose next time is asked for each minute of these days, as the worker does; New York readings. */
function runsOf(from: string, to: string, nextDue: (now: string) => Date | null): { date: string; at: string }[] {
  const runs: { date: string; at: string }[] = [];
  let due: Date | null = null;
  for (let now = Date.parse(`${from}T00:00:00Z`); now < Date.parse(`${addDays(to, 1)}T00:00:00Z`); now += MINUTE_MS) {
    if (due !== null && due.getTime() <= now)
      runs.push({ date: newYork(now).date, at: clockText(new Date(now).toISOString()) });
    if (due === null || due.getTime() <= now) due = nextDue(new Date(now).toISOString());
  }
  return runs;
}

/** 09:35, 09:40 … to the last pass before the close. */
const passes = (closesAt: string) => {
  const grid: string[] = [];
  for (let minute = 9 * 60 + 35; ; minute += 5) {
    const at = `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
    if (at >= closesAt) return grid;
    grid.push(at);
  }
};

describe("days on which the clocks change", () => {
  it.each([
    ["2026-03-08", "2026-03-05", "2026-03-11"],
    ["2026-11-01", "2026-10-29", "2026-11-04"],
  ])(
    "around %s every session has its passes once, by New York's clock, and one statement after its close (T2)",
    (_, from, to) => {
      const calendar = calendarOf(from, addDays(to, 7));
      const sessions = sessionsBetween(from, to);
      const looks = runsOf(from, to, (now) => nextMarketDue(now, EVERY_MS, EVERY_MS, calendar));
      for (const date of sessions)
        expect(looks.filter((run) => run.date === date).map(({ at }) => at)).toEqual(passes("16:00"));
      expect(new Set(looks.map(({ date }) => date))).toEqual(new Set(sessions));
      const statements = runsOf(from, to, (now) => nextAfterClose(now, EVERY_MS, calendar));
      for (const date of sessions)
        expect(statements.filter((run) => run.date === date && run.at >= "16:00")[0]).toEqual({ date, at: "16:05" });
      // The offset from UTC did change within these days: a fixed one would have been an hour off.
      expect(new Set(calendar.map(({ opensAt }) => opensAt.slice(11, 16)))).toEqual(new Set(["13:30", "14:30"]));
    },
  );
});

describe("a half day", () => {
  it("has its last pass before 13:00, its statement after it, and the next pass in the next session (M5)", () => {
    const calendar = calendarOf("2026-11-25", "2026-12-01");
    const looks = runsOf("2026-11-26", "2026-11-28", (now) => nextMarketDue(now, EVERY_MS, EVERY_MS, calendar));
    expect(looks.map(({ date }) => date)).not.toContain("2026-11-26");
    expect(looks.filter(({ date }) => date === "2026-11-27").map(({ at }) => at)).toEqual(passes("13:00"));
    expect(nextMarketDue("2026-11-27T17:59:00.000Z", EVERY_MS, EVERY_MS, calendar)?.toISOString()).toBe(
      "2026-11-30T14:35:00.000Z",
    );
    const statements = runsOf("2026-11-27", "2026-11-27", (now) => nextAfterClose(now, EVERY_MS, calendar));
    expect(statements.find(({ at }) => at >= "13:00")).toEqual({ date: "2026-11-27", at: "13:05" });
  });

  it("takes no entry in its last minutes, and no sale after its end, though a whole day would (M5)", () => {
    const at = (hour: number, minute: number) => newYorkInstant(EXAMPLE_TODAY, hour, minute);
    const { close_minutes } = examplePolicy.pretrade_filters;
    const failing = (now: string, closesAt: string, purpose: "ENTRY" | "EXIT" = "ENTRY") => {
      const quote = { last: "100", bid: "99.98", ask: "100.02", at: now };
      const { session } = exampleMarket([], []);
      const market = exampleMarket([exampleSymbol("AAA", { quote })], [exampleSeat("AAA")], {
        at: now,
        session: { ...session, closesAt, isOpen: now < closesAt },
      });
      const whole = exampleMarket([exampleSymbol("AAA")], [exampleSeat("AAA")]);
      const [entry] = decide(exampleAccount(), whole, examplePolicy).orders;
      if (!entry) throw new Error("the example has no entry");
      const order = purpose === "ENTRY" ? entry : { ...entry, purpose, side: "SELL" as const };
      return regate(order, exampleAccount(), market, examplePolicy)
        .filter(({ passed, isWarning }) => !passed && !isWarning)
        .map(({ code }) => code);
    };
    const last = at(12, 60 - close_minutes + 1);
    expect(failing(last, at(16, 0))).toEqual([]);
    expect(failing(last, at(13, 0))).toEqual(["market_hours"]);
    expect(failing(at(12, 30), at(13, 0))).toEqual([]);
    expect(failing(at(12, 59), at(13, 0), "EXIT")).toEqual([]);
    expect(failing(at(13, 0), at(13, 0), "EXIT")).toEqual(["market_hours"]);
  });
});
