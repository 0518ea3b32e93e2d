import { addDays, DAY_MS, newYorkInstant, type SessionDate } from "../../domain/time.ts";
import { badQuery } from "../http/data-query.ts";
import { dateOf } from "../http/dates.ts";
import { type Call, ok, open, type Reply, type Route } from "../http/router.ts";
import { articlesBetween, SOURCE } from "./articles.ts";
import { lastKnownDate, reportedQuarter, reportsBetween } from "./reports.ts";
import { guarded } from "./settings.ts";

const WEEK_MS = 7 * DAY_MS;

/** The earnings calendar: past reports with their numbers, coming ones with the estimate only. */
function earningsCalendar({ state, query }: Call): Reply {
  const symbol = query.get("symbol");
  const reports = reportsBetween(
    state,
    query.get("from") ?? state.view.moment().hours.date,
    query.get("to") ?? lastKnownDate(state),
    symbol,
  );
  return ok({
    earningsCalendar: reports.map((report) => {
      const { quarter, year } = reportedQuarter(report.date);
      return {
        date: report.date,
        epsActual: report.epsActual,
        epsEstimate: report.epsEstimate,
        hour: report.hour,
        quarter,
        revenueActual: null,
        revenueEstimate: null,
        symbol: report.symbol,
        year,
      };
    }),
  });
}

function symbolOf(query: URLSearchParams): string {
  const symbol = query.get("symbol");
  if (symbol === null || symbol === "") throw badQuery("Wrong API call. Missing parameter symbol.");
  return symbol;
}

function dateParameter(query: URLSearchParams, name: string, fallback: SessionDate): SessionDate {
  const value = query.get(name);
  const date = value === null ? fallback : dateOf(value);
  if (date === null) throw badQuery(`Wrong date format of ${name}. Use 2020-03-15 format.`);
  return date;
}

function companyNews({ state, query }: Call): Reply {
  const symbol = symbolOf(query);
  const today = state.view.moment().hours.date;
  const from = Date.parse(newYorkInstant(dateParameter(query, "from", addDays(today, -7)), 0, 0));
  const to = Date.parse(newYorkInstant(addDays(dateParameter(query, "to", today), 1), 0, 0)) - 1;
  return ok(
    articlesBetween(state, from, to, new Set([symbol])).map((item) => ({
      category: "company",
      datetime: Math.floor(item.atMs / 1000),
      headline: item.headline,
      id: item.id,
      image: "",
      related: item.symbol,
      source: SOURCE,
      summary: item.summary,
      url: "",
    })),
  );
}

/** Shares of good and bad news in the week up to now, weighed by how good and how bad. */
function newsSentiment({ state, query }: Call): Reply {
  const symbol = symbolOf(query);
  const { nowMs, index } = state.view.moment();
  const sector = state.market.assets.get(symbol)?.sector ?? null;
  const peers = state.market.symbols.filter((peer) => state.market.assets.get(peer)?.sector === sector);
  const week = articlesBetween(state, nowMs - WEEK_MS, nowMs, new Set([symbol, ...peers]));
  const before = articlesBetween(state, nowMs - 5 * WEEK_MS, nowMs - WEEK_MS, new Set([symbol]));
  const own = week.filter((item) => item.symbol === symbol);
  const share = (items: { stance: number }[]) => {
    const total = items.reduce((sum, item) => sum + Math.abs(item.stance), 0);
    const bullish = items.reduce((sum, item) => sum + Math.max(0, item.stance), 0);
    return total === 0 ? 0.5 : Math.round((bullish / total) * 10_000) / 10_000;
  };
  const weeklyAverage = before.length / Math.min(4, Math.max(1, index / 5));
  const bullish = share(own);
  return ok({
    buzz: {
      articlesInLastWeek: own.length,
      buzz: weeklyAverage === 0 ? 0 : Math.round((own.length / weeklyAverage) * 10_000) / 10_000,
      weeklyAverage,
    },
    companyNewsScore: bullish,
    sectorAverageBullishPercent: share(week),
    sectorAverageNewsScore: share(week),
    sentiment: { bearishPercent: Math.round((1 - bullish) * 10_000) / 10_000, bullishPercent: bullish },
    symbol,
  });
}

/** The last price; an unknown symbol has zeros, as the real one answers. */
function quote({ state, query }: Call): Reply {
  const symbol = symbolOf(query);
  const c = state.view.last(symbol);
  const pc = state.view.previousClose(symbol);
  const { index, hours, minutesDone } = state.view.moment();
  if (c === undefined || pc === undefined) return ok({ c: 0, d: null, dp: null, h: 0, l: 0, o: 0, pc: 0, t: 0 });
  const day = state.view.day(symbol, index) ?? { open: c, high: c, low: c };
  const d = Math.round((c - pc) * 10_000) / 10_000;
  const t = Math.floor((hours.opensAtMs + minutesDone * 60_000) / 1000);
  return ok({ c, d, dp: Math.round((d / pc) * 1_000_000) / 10_000, h: day.high, l: day.low, o: day.open, pc, t });
}

function tokenOf({ query, sent }: Call): string | null {
  const header = sent?.["x-finnhub-token"];
  return query.get("token") ?? (typeof header === "string" ? header : null);
}

/** Finnhub: the key in a header or in the address, sixty calls a minute. */
export function finnhubRoutes(key: string | undefined): Route[] {
  const guard = guarded(
    key,
    { calls: 60, per: "minute" },
    {
      given: tokenOf,
      wrongKey: (call) => ({
        status: 401,
        body: { error: tokenOf(call) === null ? "Please use an API key." : "Invalid API key." },
      }),
      overLimit: () => ({
        status: 429,
        body: { error: "API limit reached. Please try again later. Remaining Limit: 0" },
      }),
    },
  );
  const at = (path: string, serve: (call: Call) => Reply) => open(`/vendors/finnhub/api/v1/${path}`, guard(serve));
  return [
    at("calendar/earnings", earningsCalendar),
    at("company-news", companyNews),
    at("news-sentiment", newsSentiment),
    at("quote", quote),
  ];
}
