import { firstSessionFrom, sessionIndex } from "../risk/sessions.ts";
import { byMargin, type Gate, missing } from "./gate.ts";
import { counted } from "../counted.ts";
import { countedUp } from "./texts.ts";

/** No entries from 2 sessions before a report to 1 after it, and on every day on which an estimated one may come. Margin in sessions. */
export const earningsBlackout = {
  code: "earnings_blackout",
  label: "earnings",
  explanation: "No entry shortly before or after the company reports earnings.",
  scope: "seat",
  unit: "session",
  flip: (lacking) =>
    lacking === null ? "the earnings calendar" : `${countedUp(lacking, "more session")} from the report`,
  check: ({ market, policy, view }) => {
    if (view === null || !view.earnings.isKnown) return missing("the earnings calendar is not known");
    const { earnings_sessions_before: before, earnings_sessions_after: after } = policy.pretrade_filters;
    const { sessions } = market;
    const { date } = market.session;
    const { last, estimate } = view.earnings;
    const next = estimate?.from ?? view.earnings.next;
    const today = sessionIndex(sessions, date);
    if (today === null) return missing("today is not in the known sessions");
    if (sessions.length - 1 - today <= before && next !== null && next > sessions[sessions.length - 1]!) {
      return missing("too few sessions ahead are known");
    }
    const end = estimate?.to ?? next;
    // Negative within the days of an estimate; null also beyond the sessions that are known, which are more than the blackout's.
    const isAhead = next !== null && end !== null && end >= date && next <= sessions[sessions.length - 1]!;
    const until = isAhead ? firstSessionFrom(sessions, next) - today : null;
    // A report before the oldest known session is over when that session lies far enough back; how far the report does is not known.
    const isBeyond = last !== null && last < sessions[0]!;
    if (isBeyond && today <= after) return missing("too few sessions back are known");
    const since = last === null || isBeyond || last > date ? null : today - firstSessionFrom(sessions, last);
    const marginBefore = until === null ? Number.POSITIVE_INFINITY : until - before - 1;
    const marginAfter = since === null ? Number.POSITIVE_INFINITY : since - after - 1;
    const margin = Math.min(marginBefore, marginAfter);
    if (margin === Number.POSITIVE_INFINITY) {
      return { passed: true, isWarning: false, margin: null, detail: "no report is near" };
    }
    const detail = () =>
      marginBefore <= marginAfter
        ? estimate
          ? `no calendar; report expected between ${estimate.from} and ${estimate.to}`
          : `reports in ${counted(until ?? 0, "session")} (${next})`
        : `reported ${counted(since ?? 0, "session")} ago (${last})`;
    return byMargin(margin, detail);
  },
} as const satisfies Gate;
