import { describe, expect, it } from "vitest";
import {
  exampleAccount,
  exampleMarket,
  examplePosition,
  examplePullback,
  exampleSeat,
  exampleSymbol,
} from "@/lib/proof/example-market.ts";
import { earningsAround, type HistoryIndex } from "./backtest/market.ts";
import { decide } from "./engine/decide.ts";
import { dateText } from "./format.ts";
import { knownSessions, reportDaysAhead, reportDaysBack, sessionsBack, stopOutDays } from "./look-back.ts";
import { nextSession } from "./market-calendar.ts";
import { POLICY_2_9_0, POLICY_FIELDS, type Policy } from "./policy.ts";
import { positionEnds } from "./position-ends.ts";
import { addDays, type SessionDate } from "./time.ts";

type Filters = Partial<Policy["pretrade_filters"]>;
const policyWith = (filters: Filters): Policy => ({
  ...POLICY_2_9_0,
  pretrade_filters: { ...POLICY_2_9_0.pretrade_filters, ...filters },
});
const exitsWith = (exits: Partial<Policy["exits"]>): Policy => ({
  ...POLICY_2_9_0,
  exits: { ...POLICY_2_9_0.exits, ...exits },
});
const mostOf = (key: string) => POLICY_FIELDS.find((field) => field.key === key)!.max;
const MOST = policyWith({
  cooldown_sessions: mostOf("cooldown_sessions"),
  stop_guard_window_sessions: mostOf("stop_guard_window_sessions"),
  stop_guard_pause_sessions: mostOf("stop_guard_pause_sessions"),
  earnings_sessions_after: mostOf("earnings_sessions_after"),
});

const SESSIONS: SessionDate[] = [];
for (let date = "2010-01-04"; date < "2030-01-01"; date = nextSession(date)) SESSIONS.push(date);

it("the first policy knows 20 sessions and reads 31 days of stop-outs and 14 of reports", () => {
  expect([sessionsBack(POLICY_2_9_0), stopOutDays(POLICY_2_9_0), reportDaysBack(POLICY_2_9_0)]).toEqual([20, 31, 14]);
  const known = knownSessions(SESSIONS, 500, POLICY_2_9_0);
  expect(known).toEqual(SESSIONS.slice(480, 520));
  expect(knownSessions(SESSIONS, 3, MOST)[0]).toBe(SESSIONS[0]);
});

it.each([5, 12, 20])(
  "a report that keeps entries out for %i sessions is read that long, over every holiday",
  (after) => {
    const days = reportDaysBack(policyWith({ earnings_sessions_after: after }));
    for (let place = after; place < SESSIONS.length; place += 1) {
      // A report of the weekend counts as one of the session after it.
      const farthest = place === after ? SESSIONS[0]! : addDays(SESSIONS[place - after - 1]!, 1);
      expect(addDays(SESSIONS[place]!, -days) <= farthest, SESSIONS[place]).toBe(true);
    }
  },
);

it.each([2, 10, 18, 19, 20])(
  "a report that keeps entries out %i sessions ahead of it is read that early, over every holiday, live and in a backtest",
  (before) => {
    const policy = policyWith({ earnings_sessions_before: before });
    const days = reportDaysAhead(policy);
    for (let place = 0; place + before < SESSIONS.length; place += 1) {
      const [today, report] = [SESSIONS[place]!, SESSIONS[place + before]!];
      expect(addDays(today, days) >= report, today).toBe(true);
      const index = { reports: new Map([["AAA", [report]]]), history: { areReportsEstimated: false } };
      expect(earningsAround(index as unknown as HistoryIndex, today, policy)("AAA").next).toBe(report);
    }
  },
);

it.each([POLICY_2_9_0, policyWith({ cooldown_sessions: 40 }), MOST])(
  "stop-outs are read for as long as they count",
  (policy) => {
    const days = stopOutDays(policy);
    const count = Math.max(
      policy.pretrade_filters.cooldown_sessions,
      policy.pretrade_filters.stop_guard_window_sessions + policy.pretrade_filters.stop_guard_pause_sessions - 1,
    );
    for (let place = count; place < SESSIONS.length; place += 1)
      expect(addDays(SESSIONS[place]!, -days) <= SESSIONS[place - count]!, SESSIONS[place]).toBe(true);
  },
);

describe("a time stop of any length that the policy allows sells in the session that the position's page says", () => {
  const PLACE = 500;

  it.each([1, 7, 19, 20, 21, 40, 60])("after %i sessions", (count) => {
    const policy = exitsWith({ reversion_time_sessions: count, breakout_time_sessions: count });
    const view = exampleSymbol("AAA", { features: examplePullback({ low10Prior: 1 }) });
    const example = exampleMarket([view], []);
    const reasonOf = (strategy: "MEAN_REVERSION" | "BREAKOUT", sessions: number) => {
      const openedSession = SESSIONS[PLACE - sessions]!;
      const position = examplePosition("AAA", { strategy, openedSession });
      const ends = positionEnds({
        ...{
          position,
          review: position.review,
          resting: { stop: null, target: null },
          view,
          bars: null,
          policy,
          hold: null,
        },
      });
      const market = {
        ...example,
        session: { ...example.session, date: SESSIONS[PLACE]! },
        barsThrough: SESSIONS[PLACE - 1]!,
        sessions: knownSessions(SESSIONS, PLACE, policy),
      };
      const [order] = decide(exampleAccount({ positions: [position] }), market, policy).orders;
      const isDue = ends.some(({ text }) => text.startsWith(`Sold on ${dateText(SESSIONS[PLACE]!)} at the latest`));
      return [order?.reason, isDue];
    };
    for (const strategy of ["MEAN_REVERSION", "BREAKOUT"] as const) {
      expect(reasonOf(strategy, count - 1), strategy).toEqual([undefined, false]);
      expect(reasonOf(strategy, count), strategy).toEqual(["time_stop", true]);
      expect(reasonOf(strategy, count + 30), strategy).toEqual(["time_stop", false]);
    }
  });

  it("reads stop-outs no farther back than they count", () => {
    const policy = exitsWith({ reversion_time_sessions: 60, breakout_time_sessions: 60 });
    expect([sessionsBack(policy), stopOutDays(policy)]).toEqual([60, 31]);
  });
});

describe("a rest or pause of any length that the policy allows ends in the session that it says", () => {
  const PLACE = 500;
  const today = SESSIONS[PLACE]!;
  const ago = (sessions: number) => SESSIONS[PLACE - sessions]!;

  /** What the gate says of stop-outs so many sessions ago, as far as they are read. */
  function passes(code: string, filters: Filters, ages: readonly number[]): boolean | undefined {
    const policy = policyWith(filters);
    const oldest = addDays(today, -stopOutDays(policy));
    const stopOuts = ages.map((age, nth) => ({ symbol: code === "cooldown" ? "AAA" : `P${nth}`, session: ago(age) }));
    const example = exampleMarket([exampleSymbol("AAA")], [exampleSeat("AAA")]);
    const market = {
      ...example,
      session: { ...example.session, date: today },
      sessions: knownSessions(SESSIONS, PLACE, policy),
    };
    const state = exampleAccount({ stopOuts: stopOuts.filter(({ session }) => session >= oldest) });
    return decide(state, market, policy).candidates[0]?.gates.find((gate) => gate.code === code)?.passed;
  }

  it.each([5, 19, 20, 21, 40, 60])("a cooldown of %i sessions", (cooldown_sessions) => {
    const of = (age: number) => passes("cooldown", { cooldown_sessions }, [age]);
    expect([of(1), of(cooldown_sessions), of(cooldown_sessions + 1), of(cooldown_sessions + 30)]).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });

  it.each([
    [10, 5],
    [10, 60],
    [60, 5],
    [60, 60],
    [21, 21],
  ])("a stop guard over %i sessions with a pause of %i", (window, pause) => {
    const filters = { stop_guard_window_sessions: window, stop_guard_pause_sessions: pause };
    const of = (latest: number, oldest: number) => passes("stop_guard", filters, [latest, latest, oldest]);
    expect(of(1, window), "the whole window").toBe(false);
    expect(of(1, window + 1), "outside of the window").toBe(true);
    expect(of(pause, pause + window - 1), "the last session of the pause").toBe(false);
    expect(of(pause + 1, pause + window), "after the pause").toBe(true);
    expect(of(pause, pause + window), "never tripped").toBe(true);
  });

  it.each([0, 2, 18, 19, 20])("a blackout of %i sessions before a report, however far the report is", (before) => {
    const of = (ahead: number) => {
      const policy = policyWith({ earnings_sessions_before: before });
      const symbol = exampleSymbol("AAA", { earnings: { isKnown: true, next: SESSIONS[PLACE + ahead]!, last: null } });
      const example = exampleMarket([symbol], [exampleSeat("AAA")]);
      const sessions = knownSessions(SESSIONS, PLACE, policy);
      const market = { ...example, session: { ...example.session, date: today }, sessions };
      const [candidate] = decide(exampleAccount(), market, policy).candidates;
      return candidate?.gates.find(({ code }) => code === "earnings_blackout")?.passed;
    };
    expect([of(before), of(before + 1), of(before + 2), of(before + 25)]).toEqual([false, true, true, true]);
  });

  it.each([1, 12, 19, 20])("a blackout of %i sessions after a report", (after) => {
    const of = (age: number) => {
      const policy = policyWith({ earnings_sessions_after: after });
      const last = ago(age) >= addDays(today, -reportDaysBack(policy)) ? ago(age) : null;
      const symbol = exampleSymbol("AAA", { earnings: { isKnown: true, next: null, last } });
      const example = exampleMarket([symbol], [exampleSeat("AAA")]);
      const sessions = knownSessions(SESSIONS, PLACE, policy);
      const market = { ...example, session: { ...example.session, date: today }, sessions };
      const [candidate] = decide(exampleAccount(), market, policy).candidates;
      return candidate?.gates.find(({ code }) => code === "earnings_blackout")?.passed;
    };
    expect([of(1), of(after), of(after + 1), of(after + 25)]).toEqual([false, false, true, true]);
  });
});
