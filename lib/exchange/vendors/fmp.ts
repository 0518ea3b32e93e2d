import { addDays } from "../../domain/time.ts";
import type { ExchangeState } from "../book/state.ts";
import { type Call, ok, open, type Reply, type Route } from "../http/router.ts";
import { seedOf } from "../market/seeded.ts";
import { lastKnownDate, reportsBetween, type SeenReport } from "./reports.ts";
import { guarded } from "./settings.ts";

/** Sessions over which an average volume and a year's range are taken. */
const AVERAGE_OVER = 50;
const YEAR = 252;

/** The screener, from which the product learns sectors. Funds are listed and marked. */
function companyScreener({ state, query }: Call): Reply {
  const limit = Number(query.get("limit") ?? 1_000);
  const listed = state.market.symbols.flatMap((symbol) => {
    const asset = state.market.assets.get(symbol);
    const price = state.view.last(symbol);
    if (asset === undefined || price === undefined) return [];
    return [
      {
        symbol: symbol.replaceAll(".", "-"),
        companyName: asset.name,
        sector: asset.sector === "ETF" ? "Financial Services" : asset.sector,
        exchangeShortName: asset.exchange,
        price,
        isEtf: asset.sector === "ETF",
        isFund: false,
        isActivelyTrading: true,
      },
    ];
  });
  return ok(listed.slice(0, Number.isFinite(limit) ? Math.max(0, limit) : 1_000));
}

function reportWire(report: SeenReport, today: string): Record<string, unknown> {
  return {
    symbol: report.symbol,
    date: report.date,
    epsActual: report.epsActual,
    epsEstimated: report.epsEstimate,
    revenueActual: null,
    revenueEstimated: null,
    lastUpdated: today,
  };
}

/** When the last price was made: the minute that is over, or the close. */
const secondsNow = (state: ExchangeState) => {
  const { hours, minutesDone } = state.view.moment();
  return Math.floor((hours.opensAtMs + minutesDone * 60_000) / 1_000);
};

/** Share classes have a hyphen at this vendor. */
const symbolsOf = (list: string | null) =>
  (list ?? "").split(",").flatMap((symbol) => (symbol === "" ? [] : [symbol.replaceAll("-", ".")]));

/** Quotes of the symbols that are known, in one answer. */
function quotes({ state, query }: Call): Reply {
  const { index } = state.view.moment();
  const rows = symbolsOf(query.get("symbols") ?? query.get("symbol")).flatMap((symbol) => {
    const price = state.view.last(symbol);
    const previousClose = state.view.previousClose(symbol);
    const asset = state.market.assets.get(symbol);
    if (price === undefined || previousClose === undefined || asset === undefined) return [];
    const day = state.view.day(symbol, index) ?? { open: price, high: price, low: price, volume: 0 };
    const change = Math.round((price - previousClose) * 10_000) / 10_000;
    return [
      {
        symbol: symbol.replaceAll(".", "-"),
        name: asset.name,
        price,
        changePercentage: Math.round((change / previousClose) * 1_000_000) / 10_000,
        change,
        volume: day.volume,
        dayLow: day.low,
        dayHigh: day.high,
        exchange: asset.exchange,
        open: day.open,
        previousClose,
        timestamp: secondsNow(state),
      },
    ];
  });
  return ok(rows);
}

/** Closes of one symbol, newest first; the running session stands with its price so far. */
function lightCloses({ state, query }: Call): Reply {
  const [symbol = ""] = symbolsOf(query.get("symbol"));
  const { index } = state.view.moment();
  const from = query.get("from") ?? "1900-01-01";
  const to = query.get("to") ?? "9999-12-31";
  const rows = state.market.sessions.slice(0, index + 1).flatMap((date, place) => {
    const day = date >= from && date <= to ? state.view.day(symbol, place) : undefined;
    return day === undefined
      ? []
      : [{ symbol: symbol.replaceAll(".", "-"), date, price: day.close, volume: day.volume }];
  });
  return ok(rows.reverse());
}

/**
 * The calendar with its two traps: the symbol is ignored, and of more than one day only the last that has reports is
 * answered, without a word about the rest.
 */
function earningsCalendar({ state, query }: Call): Reply {
  const today = state.view.moment().hours.date;
  const from = query.get("from") ?? today;
  const reports = reportsBetween(state, from, query.get("to") ?? lastKnownDate(state));
  const last = reports.at(-1)?.date;
  return ok(reports.filter(({ date }) => date === last).map((report) => reportWire(report, today)));
}

function earningsOf({ state, query }: Call): Reply {
  const symbol = query.get("symbol");
  const today = state.view.moment().hours.date;
  const reports = symbol ? reportsBetween(state, "1900-01-01", lastKnownDate(state), symbol) : [];
  return ok(reports.reverse().map((report) => reportWire(report, today)));
}

/** What the last sessions say: average volume, and the year's lowest and highest price. */
function statistics(state: ExchangeState, symbol: string): { averageVolume: number; low: number; high: number } {
  const { index } = state.view.moment();
  const days = Array.from({ length: YEAR }, (_, i) => state.view.day(symbol, index - 1 - i)).filter(
    (day) => day !== undefined,
  );
  const recent = days.slice(0, AVERAGE_OVER);
  return {
    averageVolume:
      recent.length === 0 ? 0 : Math.round(recent.reduce((sum, day) => sum + day.volume, 0) / recent.length),
    low: Math.min(...days.map(({ low }) => low)),
    high: Math.max(...days.map(({ high }) => high)),
  };
}

function lastDividend(state: ExchangeState, symbol: string): number {
  const today = state.view.moment().hours.date;
  return Number(
    state.market.dividends.findLast((found) => found.symbol === symbol && found.date <= today)?.amount ?? 0,
  );
}

function profile({ state, query }: Call): Reply {
  const symbol = query.get("symbol") ?? "";
  const asset = state.market.assets.get(symbol);
  const price = state.view.last(symbol);
  if (asset === undefined || price === undefined) return ok([]);
  const before = state.view.previousClose(symbol) ?? price;
  const change = Math.round((price - before) * 10_000) / 10_000;
  const { averageVolume, low, high } = statistics(state, symbol);
  // The practice market has no share counts: a fixed made-up number.
  const shares = 50_000_000 + (seedOf("shares", symbol) % 950_000_000);
  return ok([
    {
      symbol,
      price,
      marketCap: Math.round(price * shares),
      lastDividend: lastDividend(state, symbol),
      range: Number.isFinite(low) ? `${low}-${high}` : "",
      change,
      changePercentage: Math.round((change / before) * 1_000_000) / 10_000,
      volume: state.view.day(symbol, state.view.moment().index)?.volume ?? 0,
      averageVolume,
      companyName: asset.name,
      currency: "USD",
      exchange: asset.exchange,
      sector: asset.sector,
      country: "US",
      isEtf: asset.sector === "ETF",
      isActivelyTrading: true,
    },
  ]);
}

/** Revisions of what analysts expect a share to be worth in a year: around the price, seeded by the month. */
function priceTargets({ state, query }: Call): Reply {
  const symbol = query.get("symbol") ?? "";
  const { hours } = state.view.moment();
  const month = addDays(hours.date, -Number(hours.date.slice(8)) + 1);
  const index = state.market.sessions.findLastIndex((date) => date < month);
  const close = state.view.day(symbol, index)?.close;
  if (close === undefined) return ok([]);
  const around = (name: string, middle: number) => {
    const share = middle + ((seedOf(state.market.seed, symbol, month, name) % 1000) / 1000 - 0.5) * 0.1;
    return Math.round(close * share * 100) / 100;
  };
  const consensus = around("consensus", 1.08);
  return ok([
    {
      symbol,
      targetHigh: around("high", 1.3),
      targetLow: around("low", 0.85),
      targetConsensus: consensus,
      targetMedian: consensus,
    },
  ]);
}

/** Financial Modeling Prep: the key in the address, 250 calls a day. */
export function fmpRoutes(key: string | undefined): Route[] {
  const refusal = (status: number, message: string): Reply => ({ status, body: { "Error Message": message } });
  const guard = guarded(
    key,
    { calls: 250, per: "day" },
    {
      given: ({ query }) => query.get("apikey"),
      wrongKey: () => refusal(401, "Invalid API KEY. Feel free to create a Free API Key."),
      overLimit: () => refusal(429, "Limit Reach . Please upgrade your plan."),
    },
  );
  const at = (path: string, serve: (call: Call) => Reply) => open(`/vendors/fmp/stable/${path}`, guard(serve));
  return [
    at("company-screener", companyScreener),
    at("earnings-calendar", earningsCalendar),
    at("earnings", earningsOf),
    at("profile", profile),
    at("quote", quotes),
    at("batch-quote", quotes),
    at("historical-price-eod/light", lightCloses),
    at("price-target-consensus", priceTargets),
  ];
}
