import { byMargin, counted, type Gate, missing } from "./gate.ts";
import { sessionIndex } from "../risk/sessions.ts";

/** A fresh quote, and features through the session before this one. Margin in seconds. */
export const dataStale: Gate = ({ market, policy, view }) => {
  const { max_quote_age_seconds, max_bar_lag_sessions } = policy.pretrade_filters;
  if (view === null || view.quote === null) return missing("data_stale", "no quote");
  if (view.features === null) return missing("data_stale", "no features");
  const today = sessionIndex(market.sessions, market.session.date);
  const bars = sessionIndex(market.sessions, market.barsThrough);
  if (today === null || bars === null)
    return missing("data_stale", `bars end at ${market.barsThrough}, outside the known sessions`);
  const lag = today - bars;
  const ageSeconds = (Date.parse(market.at) - Date.parse(view.quote.at)) / 1000;
  if (Number.isNaN(ageSeconds)) return missing("data_stale", "the quote has no time");
  if (lag > max_bar_lag_sessions) {
    return {
      code: "data_stale",
      passed: false,
      isWarning: false,
      margin: null,
      detail: `bars end ${counted(lag, "session")} ago`,
    };
  }
  return byMargin("data_stale", max_quote_age_seconds - ageSeconds, `quote is ${ageSeconds.toFixed(0)} s old`);
};
