import { addDays } from "../../domain/time.ts";
import type { ExchangeState } from "../book/state.ts";
import { phaseAt, phasesOf } from "../book/phase.ts";
import { Refusal } from "../book/refusal.ts";
import { newYorkText, settlementDate } from "./clock.ts";
import { type Call, data, ok, type Reply, type Route } from "./router.ts";

/** Version 3 of clock and calendar, for the markets of this exchange: the American stock exchanges. */

interface MarketName {
  acronym: string;
  mic: string;
  name: string;
}

const NYSE: MarketName = { acronym: "NYSE", mic: "XNYS", name: "New York Stock Exchange" };
const NASDAQ: MarketName = {
  acronym: "NASDAQ",
  mic: "XNAS",
  name: "National Association of Securities Dealers Automated Quotations",
};
const IEX: MarketName = { acronym: "IEX", mic: "IEXG", name: "Investors Exchange" };
const DAYS_DEFAULT = 7;
const DAYS_MAX = 3_660;

function badRequest(message: string): Refusal {
  return new Refusal(400, 40010000, message);
}

function marketOf(key: string): MarketName {
  const found = [NYSE, NASDAQ, IEX].find(({ acronym, mic }) => acronym === key || mic === key);
  if (found === undefined) throw badRequest(`invalid market: ${key}`);
  return found;
}

const marketWire = (market: MarketName) => ({ ...market, timezone: "America/New_York" });

/** The clock of a market at an instant. */
function clockWire(state: ExchangeState, market: MarketName, ms: number): Record<string, unknown> {
  const { phase, date, untilMs } = phaseAt(state.sessions, ms);
  const today = state.sessions.hours(date);
  const next = state.sessions.hours(ms < today.opensAtMs ? date : state.sessions.next(date));
  const isDay = newYorkText(ms).slice(0, 10) === date || state.sessions.isSession(newYorkText(ms).slice(0, 10));
  return {
    market: marketWire(market),
    timestamp: newYorkText(ms),
    is_market_day: isDay,
    next_market_open: newYorkText(next.opensAtMs),
    next_market_close: newYorkText(ms < today.closesAtMs ? today.closesAtMs : next.closesAtMs),
    phase,
    phase_until: newYorkText(untilMs),
  };
}

function clock({ state, query }: Call): Reply {
  const wanted = query.get("markets");
  const markets = wanted === null || wanted === "" ? [NYSE, NASDAQ] : wanted.split(",").map(marketOf);
  const time = query.get("time");
  const ms = time === null || time === "" ? state.view.moment().nowMs : Date.parse(time);
  if (Number.isNaN(ms)) throw badRequest(`invalid time: ${time ?? ""}`);
  return ok({ clocks: markets.map((market) => clockWire(state, market, ms)) });
}

function dateOf(query: URLSearchParams, name: string, fallback: string): string {
  const value = query.get(name);
  if (value === null || value === "") return fallback;
  if (!/^\d{4}-\d{2}-\d{2}/.test(value)) throw badRequest(`invalid ${name}: ${value}`);
  return value.slice(0, 10);
}

function calendar({ state, query, params }: Call): Reply {
  const market = marketOf(params[0] ?? "");
  const start = dateOf(query, "start", state.view.moment().hours.date);
  const end = dateOf(query, "end", addDays(start, DAYS_DEFAULT));
  if (end > addDays(start, DAYS_MAX)) throw badRequest("invalid end: the range is too long");
  const timezone = query.get("timezone");
  if (timezone !== null && timezone !== "" && timezone !== "UTC") throw badRequest(`invalid timezone: ${timezone}`);
  const text = (ms: number) =>
    timezone === "UTC" ? new Date(ms).toISOString().replace(".000Z", "Z") : newYorkText(ms);
  const days: Record<string, string>[] = [];
  for (let date = start; date <= end; date = addDays(date, 1)) {
    if (!state.sessions.isSession(date)) continue;
    const { preStartMs, opensAtMs, closesAtMs, postEndMs } = phasesOf(state.sessions, date);
    days.push({
      date,
      pre_start: text(preStartMs),
      pre_end: text(opensAtMs),
      core_start: text(opensAtMs),
      core_end: text(closesAtMs),
      post_start: text(closesAtMs),
      post_end: text(postEndMs),
      settlement_date: settlementDate(state, date),
    });
  }
  return ok({ market: marketWire(market), calendar: days });
}

export const marketClockRoutes: Route[] = [data("/v3/clock", clock), data("/v3/calendar/{market}", calendar)];
