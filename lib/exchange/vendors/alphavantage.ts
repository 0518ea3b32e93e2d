import { newYorkInstant } from "../../domain/time.ts";
import { type Call, ok, open, type Reply, type Route } from "../http/router.ts";
import type { NewsItem } from "../market/news.ts";
import { articlesBetween, SOURCE } from "./articles.ts";
import { lastKnownDate, reportedQuarter, reportsBetween } from "./reports.ts";
import { guarded } from "./settings.ts";

const TIMES = { bmo: "pre-market", amc: "post-market", "": "" } as const;
const SCORES =
  "x <= -0.35: Bearish; -0.35 < x <= -0.15: Somewhat-Bearish; -0.15 < x < 0.15: Neutral; 0.15 <= x < 0.35: Somewhat_Bullish; x >= 0.35: Bullish";
const RELEVANCE = "0 < x <= 1, with a higher score indicating higher relevance.";
const DAYS_BACK_MS = 30 * 86_400_000;

/** Errors and used-up limits come as 200 with JSON, also where CSV was asked for. */
const notice = (name: "Error Message" | "Information", message: string): Reply => ok({ [name]: message });

const cell = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Coming reports as CSV. */
function earningsCalendar({ state, query }: Call): Reply {
  const symbol = query.get("symbol");
  const today = state.view.moment().hours.date;
  const reports = reportsBetween(state, today, lastKnownDate(state), symbol).filter((report) => !report.isOut);
  const lines = reports.map((report) => {
    const name = state.market.assets.get(report.symbol)?.name ?? report.symbol;
    const estimate = report.epsEstimate === null ? "" : String(report.epsEstimate);
    const { endsOn } = reportedQuarter(report.date);
    return [report.symbol, cell(name), report.date, endsOn, estimate, "USD", TIMES[report.hour]].join(",");
  });
  const header = "symbol,name,reportDate,fiscalDateEnding,estimate,currency,timeOfTheDay";
  return { status: 200, body: `${[header, ...lines].join("\r\n")}\r\n`, contentType: "application/x-download" };
}

function labelOf(score: number): string {
  if (score <= -0.35) return "Bearish";
  if (score <= -0.15) return "Somewhat-Bearish";
  if (score < 0.15) return "Neutral";
  return score < 0.35 ? "Somewhat-Bullish" : "Bullish";
}

/** "20261120T1345", read as UTC. */
function instantOf(value: string | null): number | null {
  const match = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})/.exec(value ?? "");
  if (match === null) return null;
  const [, year, month, day, hour, minute] = match;
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:00Z`);
}

function articleWire(item: NewsItem): Record<string, unknown> {
  // Half the stance, as their scores stay small.
  const score = Math.round(item.stance * 50) / 100;
  return {
    title: item.headline,
    url: "",
    time_published: new Date(item.atMs).toISOString().slice(0, 19).replace(/[-:]/g, ""),
    authors: ["Practice market"],
    summary: item.summary,
    banner_image: null,
    source: SOURCE,
    category_within_source: "n/a",
    source_domain: "",
    topics: [{ topic: "Financial Markets", relevance_score: "1.0" }],
    overall_sentiment_score: score,
    overall_sentiment_label: labelOf(score),
    ticker_sentiment: [
      {
        ticker: item.symbol,
        relevance_score: "1.0",
        ticker_sentiment_score: String(score),
        ticker_sentiment_label: labelOf(score),
      },
    ],
  };
}

/** Several tickers mean articles about all of them; each article here is about one. */
function newsSentiment({ state, query }: Call): Reply {
  const { nowMs, hours } = state.view.moment();
  const tickers = (query.get("tickers") ?? "").split(",").filter((ticker) => ticker !== "");
  const limit = Number(query.get("limit") ?? 50);
  const from = instantOf(query.get("time_from")) ?? Date.parse(newYorkInstant(hours.date, 0, 0)) - DAYS_BACK_MS;
  const to = instantOf(query.get("time_to")) ?? nowMs;
  const isImpossible = new Set(tickers).size > 1;
  const found = isImpossible ? [] : articlesBetween(state, from, to, tickers.length === 0 ? null : new Set(tickers));
  if (query.get("sort") === "EARLIEST") found.reverse();
  const feed = found.slice(0, Number.isInteger(limit) && limit >= 1 ? Math.min(limit, 1_000) : 50).map(articleWire);
  return ok({
    items: String(feed.length),
    sentiment_score_definition: SCORES,
    relevance_score_definition: RELEVANCE,
    feed,
  });
}

/** The last price of a symbol with the day it was made on; an unknown one has an empty answer. */
function globalQuote({ state, query }: Call): Reply {
  const asked = query.get("symbol") ?? "";
  const symbol = asked.replaceAll("-", ".");
  const price = state.view.last(symbol);
  const before = state.view.previousClose(symbol);
  if (price === undefined || before === undefined) return ok({ "Global Quote": {} });
  const { hours, index } = state.view.moment();
  const day = state.view.day(symbol, index) ?? { open: price, high: price, low: price, volume: 0 };
  const cents = (value: number) => value.toFixed(4);
  return ok({
    "Global Quote": {
      "01. symbol": asked,
      "02. open": cents(day.open),
      "03. high": cents(day.high),
      "04. low": cents(day.low),
      "05. price": cents(price),
      "06. volume": String(day.volume),
      "07. latest trading day": hours.date,
      "08. previous close": cents(before),
      "09. change": cents(price - before),
      "10. change percent": `${cents((price / before - 1) * 100)}%`,
    },
  });
}

const FUNCTIONS: Record<string, (call: Call) => Reply> = {
  EARNINGS_CALENDAR: earningsCalendar,
  GLOBAL_QUOTE: globalQuote,
  NEWS_SENTIMENT: newsSentiment,
};

/** Alpha Vantage: one address, the function in the query, 25 calls a day. */
export function alphavantageRoutes(key: string | undefined): Route[] {
  const guard = guarded(
    key,
    { calls: 25, per: "day" },
    {
      given: ({ query }) => query.get("apikey"),
      wrongKey: () => notice("Error Message", "the parameter apikey is invalid or missing."),
      overLimit: () =>
        notice("Information", "We have detected your API key and our standard API rate limit is 25 requests per day."),
    },
  );
  const serve = guard((call) => {
    const name = call.query.get("function") ?? "";
    const found = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
    return found?.(call) ?? notice("Error Message", `This API function (${name}) does not exist.`);
  });
  return [open("/vendors/alphavantage/query", serve)];
}
