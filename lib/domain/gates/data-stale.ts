import { besideLine } from "../beside-line.ts";
import { sessionIndex } from "../risk/sessions.ts";
import { lastRead } from "../time.ts";
import { byMargin, type Gate, missing } from "./gate.ts";
import { counted } from "../counted.ts";
import { upTo } from "./texts.ts";

// Every symbol of a session asks for the same moment, and mostly quotes of the same one.
const atMs = lastRead(Date.parse);
const quotedMs = lastRead(Date.parse);

/** A fresh quote, and features through the session before this one. Margin in seconds. */
export const dataStale = {
  code: "data_stale",
  label: "stale data",
  name: "age of data",
  explanation: "The quote and the bars have to be fresh enough to decide on.",
  scope: "seat",
  unit: "second",
  flip: (lacking) => (lacking === null ? "fresh data" : `a quote ${upTo(lacking, 0)} s younger`),
  check: ({ market, policy, view }) => {
    const { max_quote_age_seconds, max_bar_lag_sessions } = policy.pretrade_filters;
    if (view === null || view.quote === null) return missing("no quote");
    if (view.features === null) return missing("no features");
    const today = sessionIndex(market.sessions, market.session.date);
    const bars = sessionIndex(market.sessions, market.barsThrough);
    if (today === null || bars === null)
      return missing(`bars end at ${market.barsThrough}, outside the known sessions`);
    const lag = today - bars;
    const ageSeconds = (atMs(market.at) - quotedMs(view.quote.at)) / 1000;
    if (Number.isNaN(ageSeconds)) return missing("the quote has no time");
    if (lag > max_bar_lag_sessions) {
      return {
        passed: false,
        isWarning: false,
        margin: null,
        detail: () => `bars end ${counted(lag, "session")} ago`,
      };
    }
    return byMargin(
      max_quote_age_seconds - ageSeconds,
      () => `quote is ${besideLine(ageSeconds, max_quote_age_seconds, 0)[0]} s old`,
    );
  },
} as const satisfies Gate;
