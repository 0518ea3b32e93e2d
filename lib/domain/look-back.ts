import { POLICY_DEFINITION } from "./policy-fields.ts";
import type { Policy } from "./policy.ts";
import type { SessionDate } from "./time.ts";

/** Earlier sessions that the rules know at least. */
const LEAST_SESSIONS_BACK = 20;
/** Sessions that the rules know from the present one on, at least. */
const LEAST_SESSIONS_AHEAD = 20;
/** As far back as reports of earnings are known at least. */
const LEAST_REPORT_DAYS = 14;
/** As far ahead as reports of earnings are known at least. */
const LEAST_REPORT_DAYS_AHEAD = 30;

type LookBack =
  | "cooldown_sessions"
  | "stop_guard_window_sessions"
  | "stop_guard_pause_sessions"
  | "earnings_sessions_after";
interface Filters {
  pretrade_filters: Pick<Policy["pretrade_filters"], LookBack>;
}
type Rules = Filters & { exits: Pick<Policy["exits"], "reversion_time_sessions" | "breakout_time_sessions"> };

/** Earlier sessions within which a rest or pause may still hold, and one more. */
const restsBack = ({ pretrade_filters: filters }: Filters): number =>
  Math.max(
    LEAST_SESSIONS_BACK,
    filters.cooldown_sessions + 1,
    filters.stop_guard_window_sessions + filters.stop_guard_pause_sessions,
    filters.earnings_sessions_after + 1,
  );

/**
 * How many earlier sessions the rules have to know: what lies farther back counts as the first of them, which has to be out of reach
 * of every rest and pause of the policy, and within that of its time stops.
 */
export const sessionsBack = (rules: Rules): number =>
  Math.max(restsBack(rules), rules.exits.reversion_time_sessions, rules.exits.breakout_time_sessions);

const { cooldown_sessions, stop_guard_window_sessions, stop_guard_pause_sessions, earnings_sessions_after } =
  POLICY_DEFINITION.pretrade_filters;
const { reversion_time_sessions, breakout_time_sessions } = POLICY_DEFINITION.exits;

/** The most that a policy may ask for. */
export const MOST_SESSIONS_BACK = sessionsBack({
  pretrade_filters: {
    cooldown_sessions: cooldown_sessions.max,
    stop_guard_window_sessions: stop_guard_window_sessions.max,
    stop_guard_pause_sessions: stop_guard_pause_sessions.max,
    earnings_sessions_after: earnings_sessions_after.max,
  },
  exits: {
    reversion_time_sessions: reversion_time_sessions.max,
    breakout_time_sessions: breakout_time_sessions.max,
  },
});

interface Blackout {
  pretrade_filters: Pick<Policy["pretrade_filters"], "earnings_sessions_before">;
}

/** Of the sessions that the rules know, those from the present one on: the first one out of a blackout's reach is among them. */
const sessionsAhead = ({ pretrade_filters }: Blackout): number =>
  Math.max(LEAST_SESSIONS_AHEAD, pretrade_filters.earnings_sessions_before + 2);

const LONGEST_BLACKOUT: Blackout = {
  pretrade_filters: { earnings_sessions_before: POLICY_DEFINITION.pretrade_filters.earnings_sessions_before.max },
};

/** The most that a policy may ask for. */
export const MOST_SESSIONS_AHEAD = sessionsAhead(LONGEST_BLACKOUT);

/** Calendar days that hold so many sessions, weekends and holidays included. */
const daysOf = (sessions: number) => Math.ceil(sessions * 1.5) + 1;

/** As far back as stop-outs count for the cooldown and the stop guard, calendar days. */
export const stopOutDays = (policy: Filters): number => daysOf(restsBack(policy));

/** As far back as a report of earnings may keep entries out, calendar days. */
export const reportDaysBack = ({ pretrade_filters }: Filters): number =>
  Math.max(LEAST_REPORT_DAYS, daysOf(pretrade_filters.earnings_sessions_after + 3));

/** As far ahead as a report of earnings may keep entries out, calendar days. */
export const reportDaysAhead = ({ pretrade_filters }: Blackout): number =>
  Math.max(LEAST_REPORT_DAYS_AHEAD, daysOf(pretrade_filters.earnings_sessions_before + 3));

/** The most that a policy may ask for. */
export const MOST_REPORT_DAYS_AHEAD = reportDaysAhead(LONGEST_BLACKOUT);

/** What a record was made with. */
interface Recorded {
  policy: Policy;
  /** Earlier sessions that its market view knows. */
  sessions: number;
}

/** Fields by which a policy looks farther back or ahead than a record: what it would have found there the record does not tell. */
export function fieldsBeyond({ policy: recorded, sessions }: Recorded, draft: Policy): string[] {
  const { pretrade_filters: filters, exits } = draft;
  const rests = restsBack(recorded);
  const reach: [boolean, string[]][] = [
    [filters.cooldown_sessions + 1 > rests, ["pretrade_filters.cooldown_sessions"]],
    [
      filters.stop_guard_window_sessions + filters.stop_guard_pause_sessions > rests,
      ["pretrade_filters.stop_guard_window_sessions", "pretrade_filters.stop_guard_pause_sessions"],
    ],
    [reportDaysAhead(draft) > reportDaysAhead(recorded), ["pretrade_filters.earnings_sessions_before"]],
    [reportDaysBack(draft) > reportDaysBack(recorded), ["pretrade_filters.earnings_sessions_after"]],
    [exits.reversion_time_sessions > sessions, ["exits.reversion_time_sessions"]],
    [exits.breakout_time_sessions > sessions, ["exits.breakout_time_sessions"]],
  ];
  return reach.flatMap(([isBeyond, paths]) => (isBeyond ? paths : []));
}

/** Of ascending sessions, those around the one at `place` that the rules know. */
export const knownSessions = (
  sessions: readonly SessionDate[],
  place: number,
  policy: Rules & Blackout,
): SessionDate[] => sessions.slice(Math.max(0, place - sessionsBack(policy)), place + sessionsAhead(policy));
